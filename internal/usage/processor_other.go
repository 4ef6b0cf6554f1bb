//go:build !unix

package usage

import "time"

// Processor is not known.
func Processor() time.Duration { return 0 }
