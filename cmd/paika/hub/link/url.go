package link

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"paika/bitboard"
)

// ErrURL says that a text is no URL of a hub.
var ErrURL = errors.New("no URL of a hub")

// CheckURL tells whether a text can be the URL of a hub: nats:// or tls://, or neither, a host,
// and a port, unless that is the usual one; or a list of those of a cluster of NATS servers, with
// commas between. Secrets are in files, and not in URLs, which messages repeat. Errors wrap ErrURL.
func CheckURL(text string) error {
	for one := range strings.SplitSeq(text, ",") {
		if err := checkOne(one); err != nil {
			return err
		}
	}
	return nil
}

func checkOne(text string) error {
	full := text
	if !strings.Contains(text, "://") {
		full = "nats://" + text
	}
	at, err := url.Parse(full)
	switch {
	case err == nil && at.User != nil:
		return fmt.Errorf("%w: want no name and no password in it, but a file of credentials", ErrURL)
	case err == nil && (at.Scheme == "nats" || at.Scheme == "tls") && at.Hostname() != "" && soundPort(at.Port()) && full == at.Scheme+"://"+at.Host:
		return nil
	}
	return fmt.Errorf("%w: %s: want nats://HOST:PORT or tls://HOST:PORT", ErrURL, bitboard.Quote(text))
}

// soundPort tells whether a text is a port, or empty.
func soundPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil && n > 0
}
