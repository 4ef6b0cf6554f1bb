package jobs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Identity is all that the answer to a job depends on, as text.
type Identity struct {
	Game     string `json:"game"`
	Board    string `json:"board"`
	Rules    string `json:"rules"`
	Claim    string `json:"claim"` // that the attacker wins
	Position string `json:"position"`
	Tables   string `json:"tables"` // fingerprint of all tables that the search may end at
	Nodes    uint64 `json:"nodes"`  // most that are visited
	Version  string `json:"version"`
}

// ID names a job: the SHA-256 of its identity, in 64 hex digits. A job that is given
// out again, after a restart or to a second worker, has the same name.
func (i Identity) ID() string {
	text, err := json.Marshal(i)
	if err != nil {
		panic("jobs: an identity is plain text: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
