package manpage_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"paika/cmd/paika/manpage"
)

func program() *cobra.Command {
	root := &cobra.Command{Use: "game", Short: "Play", Long: "Plays a game."}
	root.PersistentFlags().Bool("quiet", false, "say nothing")
	play := &cobra.Command{
		Use:     "play [NAME]",
		Short:   "Play one game",
		Long:    "Play plays <NAME>, by \\rules:\n.dots too.\n\n  a  kept - line\n\nand an end.",
		Example: "  game play go > file\n  game play 'it'",
		Run:     func(*cobra.Command, []string) {},
	}
	play.Flags().Int("turns", 7, "play `N` turns")
	hidden := &cobra.Command{Use: "secret", Hidden: true, Run: func(*cobra.Command, []string) {}}
	root.AddCommand(play, hidden)
	return root
}

func TestPage(t *testing.T) {
	var got strings.Builder
	play, _, err := program().Find([]string{"play"})
	if err != nil {
		t.Fatal(err)
	}
	if err := manpage.Write(&got, play, manpage.Edition{Version: "v1", Date: "2026-01-31"}); err != nil {
		t.Fatal(err)
	}
	want := `.TH "GAME\-PLAY" "1" "2026\-01\-31" "game v1" "User Commands"
.SH "NAME"
game\-play \- Play one game
.SH "SYNOPSIS"
\fBgame play\fR [NAME] [flags]
.SH "DESCRIPTION"
Play plays <NAME>, by \erules:
\&.dots too.
.PP
.nf
  a  kept \- line
.PP
.fi
and an end.
.SH "OPTIONS"
.TP
\fB\-\-turns\fR \fIN\fR
play N turns (default 7)
.SH "SHARED OPTIONS"
.TP
\fB\-\-quiet\fR
say nothing
.SH "EXAMPLES"
.nf
  game play go > file
  game play \(aqit\(aq
.fi
.SH "SEE ALSO"
\fBgame\fR(1)
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// The program and its commands have pages, but for those that are hidden; each run
// writes the same.
func TestAllPages(t *testing.T) {
	var before []string
	for range 2 {
		dir := t.TempDir()
		names, err := manpage.WriteAll(dir, program(), manpage.Edition{Version: "v1"})
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"game.1", "game-play.1"}; !slices.Equal(names, want) {
			t.Fatalf("pages %v, want %v", names, want)
		}
		var texts []string
		for _, name := range names {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
		if before != nil && !slices.Equal(texts, before) {
			t.Error("a second run wrote other pages")
		}
		before = texts
	}
}
