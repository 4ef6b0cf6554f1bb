package origin

import "testing"

// A client of IPv6 is its network: it has addresses without end.
func TestClientsByAddress(t *testing.T) {
	const unknown = "invalid Prefix"
	for remote, want := range map[string]string{
		"192.0.2.7:5":               "192.0.2.7/32",
		"192.0.2.7:6":               "192.0.2.7/32",
		"192.0.2.8:5":               "192.0.2.8/32",
		"[::ffff:192.0.2.7]:5":      "192.0.2.7/32",
		"[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64",
		"[2001:db8:1:3::1]:80":      "2001:db8:1:3::/64",
		"[fe80::1%lo]:80":           "fe80::/64",
		"[fe80::2%eth1]:80":         "fe80::/64",
		"?":                         unknown,
		"":                          unknown,
	} {
		if got := Of(remote).String(); got != want {
			t.Errorf("%s: %s, want %s", remote, got, want)
		}
	}
}
