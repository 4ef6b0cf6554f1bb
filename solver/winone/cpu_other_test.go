//go:build !linux

package winone

import "time"

var began = time.Now()

// cpuTime is the time that has passed: a bound of what the thread has had of the
// processor.
func cpuTime() time.Duration { return time.Since(began) }
