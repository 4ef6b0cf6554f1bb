package worker

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/hubtest"
	"paika/cmd/paika/hub/wire"
	"paika/solver/proofnumber"
)

// receiver takes files as a hub does, all by their names.
type receiver struct {
	mutex sync.Mutex
	files map[string][]byte
	came  chan struct{} // gets one for each piece
}

func newReceiver(s *hubtest.Server) *receiver {
	r := &receiver{files: make(map[string][]byte), came: make(chan struct{}, 100)}
	s.Answer(wire.SubjectUpload, func(m *nats.Msg) {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		name := m.Header.Get(wire.HeaderUpload)
		r.files[name] = append(r.files[name], m.Data...)
		out := nats.NewMsg(m.Reply)
		out.Header.Set(wire.HeaderSize, strconv.Itoa(len(r.files[name])))
		_ = m.RespondMsg(out) // who asks has gone
		r.came <- struct{}{}
	})
	return r
}

// file is what came by a name.
func (r *receiver) file(name string) []byte {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.files[name]
}

// TestAPartIsSentWhileItIsPutTogether: it is sent once, and anew, by another name, where it has to be sent again.
func TestAPartIsSentWhileItIsPutTogether(t *testing.T) {
	s := hubtest.Start(t)
	got := newReceiver(s)
	w := &worker{Options: Options{Notice: func(text string) { t.Log(text) }}, link: s.Link()}
	path := filepath.Join(t.TempDir(), "part")
	part := w.sendAhead(t.Context(), path)
	content := bytes.Repeat([]byte("part"), wire.PieceBytes*3/8) // a piece and a half
	if err := os.WriteFile(path, content[:wire.PieceBytes], 0o600); err != nil {
		t.Fatal(err)
	}
	<-got.came
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	r, job := &wire.Result{Verdict: proofnumber.Proved, Upload: part.name}, &running{part: part}
	for _, first := range []bool{true, false} {
		if err := w.sendFile(t.Context(), r, path, job); err != nil {
			t.Fatal(err)
		}
		if (r.Upload == part.name) != first || !bytes.Equal(got.file(r.Upload), content) {
			t.Errorf("first %v: the file has %d bytes of %d, and the first name is %s, this one %s", first, len(got.file(r.Upload)), len(content), part.name, r.Upload)
		}
	}
}

// TestAPartThatComesToNothingIsSentNoMore.
func TestAPartThatComesToNothingIsSentNoMore(t *testing.T) {
	s := hubtest.Start(t)
	got := newReceiver(s)
	w := &worker{Options: Options{Notice: func(text string) { t.Log(text) }}, link: s.Link()}
	path := filepath.Join(t.TempDir(), "part")
	part := w.sendAhead(t.Context(), path)
	part.abandon()
	if err := os.WriteFile(path, make([]byte, 2*wire.PieceBytes), 0o600); err != nil {
		t.Fatal(err)
	}
	if many := len(got.file(part.name)); many != 0 {
		t.Errorf("%d bytes are sent", many)
	}
	if w.sendAhead(t.Context(), filepath.Join(path, "no folder")) != nil {
		t.Error("a file is sent that can't be made")
	}
}
