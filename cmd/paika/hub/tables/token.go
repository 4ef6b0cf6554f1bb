package tables

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// scheme is how a token is shown (RFC 6750).
const scheme = "Bearer"

// validity is how long a token holds. A download that has begun goes on.
const validity = time.Hour

// token is the time when it ends, and its signature.
func (s *Server) token() string {
	until := strconv.FormatInt(s.now().Add(validity).Unix(), 10)
	return until + "." + s.sign(until)
}

func (s *Server) sign(text string) string {
	h := hmac.New(sha256.New, s.secret)
	h.Write([]byte(text)) // it never fails
	return hex.EncodeToString(h.Sum(nil))
}

// admits tells whether the header Authorization has a token that holds.
func (s *Server) admits(header string) bool {
	token, found := strings.CutPrefix(header, scheme+" ")
	until, signature, _ := strings.Cut(token, ".")
	if !found || !hmac.Equal([]byte(signature), []byte(s.sign(until))) {
		return false
	}
	end, err := strconv.ParseInt(until, 10, 64)
	return err == nil && s.now().Unix() < end
}
