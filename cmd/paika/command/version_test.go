package command

import (
	"encoding/json"
	"testing"
)

// Every format has its number: one that was forgotten is 0.
func TestVersionTellsEveryFormat(t *testing.T) {
	text, err := json.Marshal(thisFormats())
	if err != nil {
		t.Fatal(err)
	}
	var formats map[string]any
	if err := json.Unmarshal(text, &formats); err != nil {
		t.Fatal(err)
	}
	checkpoints, _ := formats["checkpoints"].(map[string]any)
	delete(formats, "checkpoints")
	for _, numbers := range []map[string]any{formats, checkpoints} {
		for name, number := range numbers {
			if n, ok := number.(float64); !ok || n < 1 {
				t.Errorf("format of %s: %v", name, number)
			}
		}
	}
	if len(formats) != 7 || len(checkpoints) != 5 {
		t.Errorf("%d formats, %d of checkpoints: want 7 and 5", len(formats), len(checkpoints))
	}
}
