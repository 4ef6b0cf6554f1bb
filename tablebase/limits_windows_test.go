package tablebase

import "errors"

func openWithin(string, string) error { return errors.ErrUnsupported }
