package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/proofs/walk"
)

// proofFlag adds the flag for certificates to walk through.
func proofFlag(cmd *cobra.Command, paths *[]string) {
	cmd.Flags().StringArrayVar(paths, "proof", nil, "certificate `FILE` of paika prove to look in, or of a draw, for both halves; can be given again, for parts")
}

// indexFolder is where the indexes of certificates are kept: where the system has its
// user's caches, since an index that came with a certificate would prove nothing. Where
// there is no such place, or it is another user's, or nothing can be written there, they are made
// anew for each run.
func indexFolder() (folder string, forget func(), err error) {
	if cache, err := os.UserCacheDir(); err == nil {
		folder = filepath.Join(cache, "paika", "proofs")
		if _, err := walk.LoadKey(folder); err == nil && lasting.Writable(folder) {
			return folder, func() {}, nil
		}
	}
	folder, remove, err := lasting.TemporaryFolder("", "paika-proofs-")
	return folder, func() { _ = remove() }, err
}

// closeWalks ends the use of certificates.
func closeWalks(walks []catalogue.Walk) error {
	var all []error
	for _, w := range walks {
		all = append(all, w.Close())
	}
	return errors.Join(all...)
}

// like sets board and rules as certificates have them, where no flag does, and names
// their game in front of the arguments, where these name none. Arguments that name another
// game are left alone: it has boards and rules of its own.
func (o *options) like(w catalogue.Walk, args []string) ([]string, error) {
	id := w.Instance().Identity()
	named := len(args) > 0 && looksLikeName(args[0])
	if named && args[0] != id.Game {
		return args, nil
	}
	if o.board == "" && len(o.rules) == 0 {
		o.board = id.Board
		if err := catalogue.AddRules(o.rules, id.Rules); err != nil {
			return nil, err
		}
	}
	if named {
		return args, nil
	}
	return append([]string{id.Game}, args...), nil
}

// about fails where certificates are about something else than the command.
func (s session) about(w catalogue.Walk) error {
	if have, want := w.Instance().Identity(), s.instance.Identity(); have != want {
		return misuse("proof", "--proof: %w", &proofs.SettingError{Have: proofs.Setting(have), Want: proofs.Setting(want)})
	}
	return nil
}

// walkOptions are those of preparing a walk with so much memory.
func (s session) walkOptions(dir, indexes string, memory uint64, watch func(prover.Work)) catalogue.WalkOptions {
	return catalogue.WalkOptions{Dir: dir, Indexes: indexes, Program: ownVersion(), Workers: s.workers, Memory: memory, Progress: watch}
}

// prepareWalk checks certificates, with progress on the terminal.
func (s session) prepareWalk(cmd *cobra.Command, w catalogue.Walk) error {
	folder, forget, err := indexFolder()
	if err != nil {
		return err
	}
	defer forget()
	bar := s.startProgress(cmd.ErrOrStderr())
	defer bar.close()
	err = w.Prepare(cmd.Context(), s.walkOptions(s.dir(), folder, memoryBudget(s.memory), func(work prover.Work) {
		bar.set(work.Doing, work.Unit, work.Done, work.Total)
	}))
	if err != nil {
		return tableHint(s, err)
	}
	return nil
}

// queryProof answers from tables and certificates.
func queryProof(cmd *cobra.Command, o *options, args, paths []string) (err error) {
	walks, err := catalogue.OpenWalks(cmd.Context(), paths)
	defer func() { err = errors.Join(err, closeWalks(walks)) }()
	if err != nil {
		return err
	}
	if len(walks) > 1 {
		return misuse("proof", "--proof: the certificates are about %s and %s: want one game and board", walks[0].Instance().Identity(), walks[1].Instance().Identity())
	}
	if args, err = o.like(walks[0], args); err != nil {
		return err
	}
	s, err := o.open(args)
	if err != nil {
		return err
	}
	if err := s.about(walks[0]); err != nil {
		return err
	}
	return onTables(s, func(s session, tables catalogue.Tables) error {
		if len(s.rest) == 0 {
			s.rest = []string{catalogue.Start}
		}
		if err := s.prepareWalk(cmd, walks[0]); err != nil {
			return err
		}
		ask := func(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.ProvedQuery], error) {
			return catalogue.QueryProved(ctx, tables, walks[0], positions)
		}
		return answer(cmd, s, fromTables, together(ask), func(w io.Writer, q catalogue.ProvedQuery) error {
			if err := s.draw(w, q.Position, firstTurn(q.Proof)); err != nil {
				return err
			}
			return printProvedQuery(w, q)
		})
	})
}

// firstTurn is one that keeps what is proved; empty where the proof names none.
func firstTurn(p catalogue.Proof) string {
	for _, c := range p.Claims {
		if c.Turn != nil {
			return *c.Turn
		}
	}
	return ""
}

func printProvedQuery(w io.Writer, q catalogue.ProvedQuery) error {
	fmt.Fprintln(w, q.Position)
	if q.Proof.Value != nil {
		fmt.Fprintf(w, "%s for the side to move: proved%s\n", *q.Proof.Value, conditional(q.Proof))
	}
	for _, c := range q.Proof.Claims {
		fmt.Fprintln(w, claimLine(c))
	}
	for _, u := range q.Proof.Untold {
		fmt.Fprintln(w, u)
	}
	if q.Slice != "" {
		fmt.Fprintf(w, "the tables: %s for the side to move%s (slice %s, %s)\n", *q.Value, inTurns(q.Distance), q.Slice, q.Metric)
	}
	if len(q.Proof.Turns) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	head := []string{"turn", "position"}
	for _, c := range q.Proof.Claims {
		head = append(head, c.Claim)
	}
	list := table{left: len(head)}
	list.add(head...)
	for _, t := range q.Proof.Turns {
		row := []string{t.Turn, t.Position}
		for _, c := range t.Claims {
			row = append(row, turnWords(c))
		}
		list.add(row...)
	}
	return list.print(w)
}

// conditional says of a value that a claim from which it follows has a condition.
func conditional(p catalogue.Proof) string {
	if slices.ContainsFunc(p.Claims, func(c catalogue.ProvedClaim) bool { return c.Condition != "" }) {
		return ", on a condition"
	}
	return ""
}

// claimLine says what a certificate has of the position.
func claimLine(c catalogue.ProvedClaim) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s", c.Claim, c.Status)
	switch {
	case c.Turn != nil:
		fmt.Fprintf(&text, ", by %s", *c.Turn)
	case c.Reason != "":
		fmt.Fprintf(&text, ", in a table that is not at hand: %s", c.Reason)
	case c.Place == "tables" && c.Condition == "":
		text.WriteString(", by the tables")
	case c.Place == "over":
		text.WriteString(", by the rules")
	}
	if c.Condition != "" {
		fmt.Fprintf(&text, ", %s", c.Condition)
	}
	fmt.Fprintf(&text, " (%s)", c.Certificate)
	return text.String()
}

// turnWords says what of a claim is known behind a turn.
func turnWords(c catalogue.TurnClaim) string {
	switch {
	case c.Keeps:
		return "keeps it, " + c.Place
	case c.Holds:
		return c.Place
	}
	return "-"
}

// shownProofs are the proofs that are served.
type shownProofs struct {
	walks    []catalogue.Walk
	given    int  // of them, by --proof; the others are extracts
	greeting bool // the page may begin with one of them
}

// openProofs opens certificates to serve, and the extracts that come with the program
// about what no certificate is about.
func openProofs(ctx context.Context, paths []string) (p *shownProofs, err error) {
	p = new(shownProofs)
	if p.walks, err = catalogue.OpenWalks(ctx, paths); err != nil {
		return p, err
	}
	p.given = len(p.walks)
	extracts, err := catalogue.Extracts()
	for _, extract := range extracts {
		if !slices.ContainsFunc(p.walks, func(w catalogue.Walk) bool { return w.Instance().Folder() == extract.Instance().Folder() }) {
			p.walks = append(p.walks, extract)
		}
	}
	return p, err
}

// first is what the page begins with: where nobody asked for a board, and there are no
// tables, the board of a proof.
func (p *shownProofs) first(asked catalogue.Instance, tables int) catalogue.Instance {
	if p.greeting && tables == 0 && len(p.walks) > 0 {
		return p.walks[0].Instance()
	}
	return asked
}

// prepareEvery is the time between two lines of the log about a check that goes on.
const prepareEvery = 2 * time.Second

// prepare has the certificates checked while the server answers, by memory that is lent for
// that. What it gives ends that, and waits until it has ended.
func (p *shownProofs) prepare(ctx context.Context, s session, log *slog.Logger, a *account) (end func()) {
	if p.given == 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	memory, back := a.lend()
	var work sync.WaitGroup
	work.Go(func() {
		defer back()
		for _, w := range p.walks[:p.given] {
			p.prepareOne(ctx, s, w, log, memory)
		}
	})
	return func() { cancel(); work.Wait() }
}

// prepareOne has the certificates about one board checked.
func (p *shownProofs) prepareOne(ctx context.Context, s session, w catalogue.Walk, log *slog.Logger, memory uint64) {
	folder, forget, err := indexFolder()
	if err != nil {
		log.Error("proof", "error", err)
		return
	}
	defer forget()
	options := *s.options
	if w.Instance().Folder() != s.instance.Folder() {
		options.db = "" // which is about another board
	}
	of := options.on(w.Instance())
	told := time.Now()
	err = w.Prepare(ctx, of.walkOptions(of.dir(), folder, memory, func(work prover.Work) {
		if time.Since(told) < prepareEvery {
			return
		}
		told = time.Now()
		log.Info("proof", "doing", work.Doing, "done", percent(work.Done, work.Total))
	}))
	if err != nil && ctx.Err() == nil {
		log.Error("proof", "error", tableHint(of, err))
	}
	for _, source := range w.Sources() {
		log.Info("proof", "certificate", source.Certificate, "claim", source.Claim, "status", source.Status, "positions", source.Positions)
	}
}

// extracted is what extract prints.
type extracted struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
}

// newExtract is for scripts/extract-proof.
func newExtract(o *options) *cobra.Command {
	out, most := "", 15_000
	cmd := &cobra.Command{
		Use:   "extract FILE... --out FILE",
		Short: "Write the first plies of checked certificates",
		Long: `Checks certificates about one board, and writes the first plies of what they prove:
the extract that a server greets with.`,
		Example: `  paika extract 9x5.proof.white 9x5.proof.black --out 9x5.extract`,
		Hidden:  true,
		Args:    wants(1, anyNumber, "file", "certificates"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := o.noSetting(); err != nil {
				return err
			}
			read := slices.Clone(args)
			for _, path := range args {
				read = append(read, catalogue.HalfPaths(path)...)
			}
			if err := fileToWrite(cmd, out, read...); err != nil {
				return err
			}
			if most < 1 {
				return misuse("positions", "--positions %d: want 1 or more", most)
			}
			file, err := lasting.Create(cmd.Context(), out) // before the check, which takes its time
			if err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			defer file.Discard()
			walks, err := catalogue.OpenWalks(cmd.Context(), args)
			defer func() { err = errors.Join(err, closeWalks(walks)) }()
			if err != nil {
				return err
			}
			if len(walks) != 1 {
				return misuse("file", "the certificates are about %d games, boards or rules: want one", len(walks))
			}
			if err := o.on(walks[0].Instance()).prepareWalk(cmd, walks[0]); err != nil {
				return err
			}
			if err := walks[0].WriteExtract(file, most, version()); err != nil {
				return err
			}
			bytes, err := file.Keep()
			if err != nil {
				return err
			}
			return o.print(cmd, extracted{file.Path(), bytes}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s: %s\n", catalogue.ShownName(file.Path()), formatBytes(uint64(bytes)))
				return err
			})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`FILE` to write")
	cmd.Flags().IntVar(&most, "positions", most, "most positions of each certificate")
	return cmd
}
