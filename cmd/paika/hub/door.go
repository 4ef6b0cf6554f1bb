package hub

import (
	"cmp"
	"crypto/subtle"
	"encoding/base64"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"paika/cmd/paika/hub/keys"
)

// connectionShares are how many connections a server has at a time where a process may have so many files
// open, 0 for no bound that is known: in all, of those who share the secret of this machine, and of a key. Half of
// the files are for all else, and some connections are for the hub itself.
func connectionShares(files uint64) (all, ofSecret, ofKey int) {
	all = 2 * mostWorkers // others ask
	if files > 0 {
		all = int(min(uint64(all), files/2))
	}
	return all, all - all/16, min(2*shareOfWorkers, all/4)
}

// door lets those in who show a secret or a key, each with so many connections at a time. The server does not
// count them by users. Its method is safe for concurrent use.
type door struct {
	server *server.Server
	full   atomic.Pointer[server.Account] // that no connection can be of; nil before there is one
	most   int                            // connections at a time
	users  map[string]user                // by the names in subjects

	mutex       sync.Mutex
	connections map[holder][]uint64 // by their numbers; some may have ended
}

// user is who may come in.
type user struct {
	holder
	secret      string // none where the name is the public half of a key
	permissions *server.Permissions
	most        int // connections at a time; 0 for no bound
}

// newDoor lets in the hub, the workers with the secret, and those with the public keys, which have names. The
// process may have so many files open.
func newDoor(files uint64, own, worker keys.Credentials, public map[string]string) *door {
	all, ofSecret, ofKey := connectionShares(files)
	users := map[string]user{
		own.Name:    {secret: own.Secret},
		worker.Name: {secret: worker.Secret, permissions: workerPermissions(worker.Name), most: ofSecret},
	}
	for key, name := range public {
		users[key] = user{holder: holder(name), permissions: workerPermissions(key), most: ofKey}
	}
	return &door{most: all, users: users, connections: make(map[holder][]uint64)}
}

// tellFull has a server that runs tell those who have all their connections that it is this: they are of an
// account that has none. A client of NATS that comes back goes on trying then. One that is not known twice gives up.
func (d *door) tellFull() error {
	full, err := d.server.RegisterAccount("full")
	if err != nil {
		return err
	}
	none := jwt.NewAccountClaims(full.Name)
	none.Limits.Conn = 0
	d.server.UpdateAccountClaims(full, none)
	d.full.Store(full)
	return nil
}

// Check is of server.Authentication.
func (d *door) Check(c server.ClientAuthentication) bool {
	shown := c.GetOpts()
	name := cmp.Or(shown.Nkey, shown.Username)
	u, known := d.users[name]
	if !known || !u.isShown(shown, c.GetNonce()) {
		return false
	}
	if !d.enter(u, c.GetID()) {
		c.RegisterUser(&server.User{Username: name, Account: d.full.Load()})
		return false
	}
	c.RegisterUser(&server.User{Username: name, Permissions: u.permissions})
	return true
}

// isShown tells whether somebody has the secret of a user, or has signed the nonce by its key.
func (u user) isShown(by *server.ClientOpts, nonce []byte) bool {
	if u.secret != "" {
		return by.Nkey == "" && subtle.ConstantTimeCompare([]byte(by.Password), []byte(u.secret)) == 1
	}
	key, err := nkeys.FromPublicKey(by.Nkey)
	if err != nil || len(nonce) == 0 {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(by.Sig)
	return err == nil && key.Verify(nonce, signature) == nil
}

// enter counts a connection, if its user may have one more. Those that have ended are looked for where there
// seem to be too many.
func (d *door) enter(u user, connection uint64) bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	there := d.connections[u.holder]
	if u.most == 0 || slices.Contains(there, connection) {
		return true
	}
	if len(there) >= u.most {
		there = slices.DeleteFunc(there, func(c uint64) bool { return d.server.GetClient(c) == nil })
	}
	enters := len(there) < u.most
	if enters {
		there = append(there, connection)
	}
	d.connections[u.holder] = there
	return enters
}
