package proofs_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzCertificate checks any text as a certificate, with a seal that fits: on no
// board may one be valid whose claim is false.
func FuzzCertificate(f *testing.F) {
	boards := mutants(f)
	for i, board := range boards {
		for _, text := range board.texts() {
			f.Add(uint8(i), text)
		}
	}
	f.Fuzz(func(t *testing.T, board uint8, text string) {
		boards[int(board)%len(boards)].judge(t, text)
	})
}

// FuzzHeader reads any line as a header: what is read says the same once written
// again.
func FuzzHeader(f *testing.F) {
	s := newShelf(f, 3, 3, 2)
	file, _ := s.prove(f, whiteWins)
	f.Add(strings.TrimSpace(text(f, file)[0]))
	f.Add(`{"format":1,"game":"konane","board":"8x8","rules":"","claim":"first-wins","root":"x","tables":[],"parts":[{"root":"y","checksum":"0"}]}`)
	f.Add(`{"format":1,"game":"konane","board":"8x8","rules":"","claim":"first-wins","root":"x","tables":[],"parts":[]}`)
	f.Fuzz(func(t *testing.T, line string) {
		read, err := open(packText(t, line+"\nend\t0\n"))
		if err != nil {
			return
		}
		again, err := json.Marshal(read.Header)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsRune(again, '\\') {
			return // signs that no value has, and that have no escapes in a header
		}
		written, err := open(packText(t, string(again)+"\nend\t0\n"))
		if err != nil || !reflect.DeepEqual(written.Header, read.Header) {
			t.Errorf("%+v was written as %s: %v", read.Header, again, err)
		}
	})
}

// FuzzFile checks any bytes as a certificate, as they are and with a seal that fits: none may be
// valid whose claim is false by the tables of the whole board.
func FuzzFile(f *testing.F) {
	board := mutants(f)[0]
	for _, text := range board.texts() {
		file := packText(f, withEnd(text))
		unsealed := file[:len(file)-len(sealed(nil))]
		f.Add(file)
		f.Add(unsealed)
		f.Add(unsealed[:len(unsealed)/2])
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		board.judgeFile(t, file, nil)
		board.judgeFile(t, sealed(file), nil)
	})
}
