package catalogue

import "testing"

// What Words may have said before is replaced; what only looks alike stays.
func TestCommentsHaveTheWordsOnce(t *testing.T) {
	for comment, want := range map[string]string{
		"":                              "win in 9",
		"win in 9":                      "win in 9",
		"win":                           "win in 9",
		"win. win. Good":                "win in 9. win. Good",
		"loss in 10 instead of draw":    "win in 9",
		"draw instead of win: c1-b2A":   "win in 9",
		"draw instead of win: a.b. Bad": "win in 9. Bad",
		"winning. Good":                 "win in 9. winning. Good",
		"win in nine. Good":             "win in 9. win in nine. Good",
		"win.Good":                      "win in 9. win.Good",
		"A win. Good":                   "win in 9. A win. Good",
		"draw instead of nothing. Bad":  "win in 9. draw instead of nothing. Bad",
	} {
		if got := commentWith("win in 9", comment); got != want {
			t.Errorf("%q becomes %q, want %q", comment, got, want)
		}
		if got := commentWith("", comment); got != comment {
			t.Errorf("without words %q becomes %q", comment, got)
		}
	}
}
