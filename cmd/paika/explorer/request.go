package explorer

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// question is a request about a view, as it was read.
type question struct {
	view       *view
	parameters url.Values
	body       []byte
	place      *place // at work, which is held while it is answered
}

// readParameters reads the query of a request, whose parameters must be among those
// known, each given once.
func readParameters(r *http.Request, known []string) (url.Values, error) {
	if r.URL.RawQuery == "" {
		return nil, nil
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, refuse(catalogue.CodeParameter, "", "the query cannot be read: want name=value, joined by &, with other signs as %%XX")
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch {
		case !slices.Contains(known, name):
			return nil, refuse(catalogue.CodeParameter, bitboard.Shorten(name), "unknown parameter %s: want %s", bitboard.Quote(name), listed(known))
		case len(values[name]) > 1:
			return nil, refuse(catalogue.CodeParameter, name, "the parameter %s is given %d times", name, len(values[name]))
		}
	}
	return values, nil
}

// listed names what there is to choose from.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// parameter is one that must be there.
func (q question) parameter(name string) (string, error) {
	value := q.parameters.Get(name)
	if value == "" {
		return "", refuse(catalogue.CodeParameter, name, "want the parameter %s", name)
	}
	return value, checkLength(name, value)
}

// checkLength refuses the text of a position or turn that is longer than any.
func checkLength(parameter, text string) error {
	if len(text) > longestPosition {
		return refuse(catalogue.CodeLimit, parameter, "%s has %d bytes: want at most %d", parameter, len(text), longestPosition)
	}
	return nil
}

// receive reads the body of a request that has one, before the request waits for a
// place: a client that sends slowly holds none.
func (s *Server) receive(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Method != http.MethodPost {
		return nil, nil
	}
	if media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); media != "application/json" {
		return nil, refuse(codeMedia, "", "Content-Type %s: want application/json", bitboard.Quote(r.Header.Get("Content-Type")))
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, refuse(codeMedia, "", "Content-Encoding %s: want a body that is not compressed", bitboard.Quote(coding))
	}
	if r.ContentLength > s.limits.Body { // it says so before it is sent, and may wait to hear whether it is wanted
		return nil, s.bodyTooLarge()
	}
	waits(r, true)
	defer waits(r, false)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.limits.Body))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, s.bodyTooLarge()
	case err != nil:
		return nil, refuse(catalogue.CodeParameter, "", "the body ends early, or was not sent within %v", bodyTime)
	}
	return body, nil
}

func (s *Server) bodyTooLarge() error {
	return refuse(catalogue.CodeLimit, "", "the body is larger than %d bytes", s.limits.Body)
}

// field is a member of the object that a body is.
type field struct {
	name  string
	value any    // a pointer to where it goes, which is a pointer or slice: null leaves nil
	want  string // what it must be
	may   bool   // it can be left out
}

// refusal says that the field is not what it must be.
func (f field) refusal() error {
	return refuse(catalogue.CodeParameter, f.name, "%s: want %s", f.name, f.want)
}

// readObject reads a body that is one JSON object with the fields known, each at
// most once. The standard decoder would pass over the case of names, fields given
// twice, null, and bytes that are no UTF-8.
func readObject(body []byte, fields ...field) error {
	if !utf8.Valid(body) {
		return refuse(catalogue.CodeParameter, "", "the body is not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	malformed := func() error {
		return refuse(catalogue.CodeParameter, "", "the body is no JSON object: something is wrong after byte %d", decoder.InputOffset())
	}
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return malformed()
	}
	var given []string
	for decoder.More() {
		key, err := decoder.Token()
		name, isText := key.(string)
		if err != nil || !isText {
			return malformed()
		}
		at := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		switch {
		case at < 0:
			return refuse(catalogue.CodeParameter, bitboard.Shorten(name), "unknown field %s: want %s", bitboard.Quote(name), listed(names(fields)))
		case slices.Contains(given, name):
			return refuse(catalogue.CodeParameter, name, "the field %s is given twice", name)
		}
		given = append(given, name)
		err = decoder.Decode(fields[at].value)
		if err != nil && !errors.As(err, new(*json.UnmarshalTypeError)) {
			return malformed()
		}
		if err != nil || reflect.ValueOf(fields[at].value).Elem().IsNil() {
			return fields[at].refusal()
		}
	}
	if closing, err := decoder.Token(); err != nil || closing != json.Delim('}') {
		return malformed()
	}
	if _, err := decoder.Token(); err != io.EOF {
		return refuse(catalogue.CodeParameter, "", "the body: want one JSON object and nothing behind it")
	}
	for _, f := range fields {
		if !f.may && !slices.Contains(given, f.name) {
			return refuse(catalogue.CodeParameter, f.name, "want the field %s: %s", f.name, f.want)
		}
	}
	return nil
}

func names(fields []field) []string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = f.name
	}
	return all
}
