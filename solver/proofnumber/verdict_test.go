package proofnumber

import (
	"encoding/json"
	"testing"
)

func TestVerdictsAreReadAsTheyAreWritten(t *testing.T) {
	for _, v := range []Verdict{Undecided, Proved, Refuted} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if want := `"` + v.String() + `"`; string(text) != want {
			t.Errorf("%v is written as %s: want %s", v, text, want)
		}
		var read Verdict
		if err := json.Unmarshal(text, &read); err != nil || read != v {
			t.Errorf("%s is read as %v, %v", text, read, err)
		}
	}
	read := Refuted
	if err := json.Unmarshal([]byte(`"believed"`), &read); err == nil || read != Refuted {
		t.Errorf("another word is read as %v, %v", read, err)
	}
}
