package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/tablebase"
)

func newCheck(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE [PART...]",
		Short: "Check a certificate",
		Long: `Check reads a certificate that paika prove wrote and checks every turn in it with
the rules alone, and with the tables that it names, which must have the
fingerprints that stand in it. It shares no code with the search. The game, the
board and the rules are those of the certificate. A FILE can be a pipe, of at most
1 GiB, and "-" is standard input. Of a draw prove writes two files, with the names of
the sides behind FILE: FILE.white and FILE.black in most games. check FILE checks both,
and loads the tables once.

The fingerprints of the tables are computed from what is stored; that the values
stored are right is for paika verify to tell. A certificate that was made with
parts needs all of them, and no others: they are checked first, and must be about the
same game, board, rules and claim.

The check ends after 1,000 findings. The exit status is 0 if the certificate proves
its claim, 1 if it does not, and 4 if it is none at all, or if a part or a table is
missing or another.`,
		Example: `  paika check telo.proof
  paika check telo.proof --db tables --json
  paika check 9x5.draw
  paika check whole.proof part1.proof part2.proof
  paika check -`,
		Args: wants(1, anyNumber, "file", aCertificate),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cmp.Or(o.noSetting(), checkNames(cmd, aCertificate, args...)); err != nil {
				return err
			}
			if first := slices.Index(args, "-"); first >= 0 && slices.Contains(args[first+1:], "-") {
				return errors.New("standard input is given twice")
			}
			files, err := openCertificates(cmd, args)
			defer func() {
				for _, file := range files {
					file.Close()
				}
			}()
			switch {
			case errors.Is(err, fs.ErrNotExist) && len(args) == 1:
				return checkDraw(cmd, o, args[0])
			case err != nil:
				return err
			}
			return check(cmd, o, files)
		},
	}
}

// noSetting fails where flags say what a certificate says itself.
func (o *options) noSetting() error {
	if o.board != "" || len(o.rules) > 0 {
		return errors.New("board and rules are those of the certificate: want no flags for them")
	}
	return nil
}

func openCertificates(cmd *cobra.Command, paths []string) (files []*catalogue.CertificateFile, err error) {
	for _, path := range paths {
		file, err := catalogue.OpenCertificate(cmd.Context(), path, cmd.InOrStdin())
		if err != nil {
			return files, err
		}
		files = append(files, file)
	}
	return files, nil
}

// check checks the first of the files, whose parts the others are.
func check(cmd *cobra.Command, o *options, files []*catalogue.CertificateFile) error {
	return printCheck(cmd, o, files[0].Instance, func(ctx context.Context, dir string, limits catalogue.CheckOptions) (catalogue.Checked, error) {
		limits.Parts = files[1:]
		return files[0].Instance.Check(ctx, dir, files[0], limits)
	})
}

// checkDraw checks the two files that prove wrote of a draw in place of one.
func checkDraw(cmd *cobra.Command, o *options, path string) error {
	draw, err := catalogue.OpenDraw(cmd.Context(), path)
	if err != nil {
		return err
	}
	defer draw.Close()
	return printCheck(cmd, o, draw.Instance(), func(ctx context.Context, dir string, limits catalogue.CheckOptions) (catalogue.Checked, error) {
		return draw.Instance().CheckDraw(ctx, dir, draw, limits)
	})
}

// printCheck runs a check, and prints what it finds.
func printCheck(cmd *cobra.Command, o *options, about catalogue.Instance, run func(ctx context.Context, dir string, limits catalogue.CheckOptions) (catalogue.Checked, error)) error {
	s := o.on(about)
	bar := s.startProgress(cmd.ErrOrStderr())
	found, err := run(cmd.Context(), s.dir(), catalogue.CheckOptions{
		Workers: o.workers, Memory: memoryBudget(o.memory),
		Progress: func(w prover.Work) { bar.set(w.Doing, w.Unit, w.Done, w.Total) },
	})
	bar.close()
	if err != nil {
		return tableHint(s, err)
	}
	if err := s.print(cmd, found, func(w io.Writer) error { return printChecked(w, found) }); err != nil {
		return err
	}
	if !found.Valid {
		return fmt.Errorf("%w: the certificate does not prove its claim", errFailed)
	}
	return nil
}

// tableHint says where a table was looked for, how to build those that are not there, what to do
// with others and with damaged ones, and how parts and halves of a draw are given.
func tableHint(s session, err error) error {
	var need *proofs.NeedError
	if errors.Is(err, tablebase.ErrDamaged) {
		return s.hint(err)
	}
	if errors.Is(err, proofs.ErrPart) {
		return fmt.Errorf("%w (a file behind the first is a part of its proof: check halves of a draw one by one, or both by the name that prove was given)", err)
	}
	if !errors.As(err, &need) {
		return err
	}
	var lacking *catalogue.LackingError
	if _, part := need.Need.(proofs.Part); part {
		return fmt.Errorf("%w (give its file behind the certificate's, and check halves of a draw one by one)", err)
	}
	err = fmt.Errorf("%w (tables in %s; --db names another folder)", err, s.dir())
	switch {
	case !errors.As(err, &lacking): // it is there, and another one
		return fmt.Errorf("%w: %s tells whether it is right; if it is not, move %s away, and build the tables anew",
			err, catalogue.CommandLine(s.tablesCommand("verify")...), s.dir())
	case len(lacking.Slices) > 0:
		s.metric = lacking.Metric
		return s.buildHint(err, lacking.Slices...)
	}
	return err
}

func printChecked(w io.Writer, c catalogue.Checked) error {
	for _, part := range slices.Concat(c.Parts, c.Halves) {
		if err := printChecked(w, part); err != nil {
			return err
		}
	}
	if len(c.Halves) > 0 {
		c.Findings = nil // stand there
	}
	for _, finding := range c.Findings {
		fmt.Fprintln(w, catalogue.Escape(finding))
	}
	verdict, start := "valid", ""
	switch {
	case c.AtLeast:
		verdict = "not valid, at least " + count(c.Found, "finding")
	case !c.Valid:
		verdict = "not valid, " + count(c.Found, "finding")
	}
	if c.Start {
		start = ", the start position"
	}
	_, err := fmt.Fprintf(w, "%s: %s on %s%s, from %s%s\n%s: %s; %s checked in %s, %s\n",
		catalogue.ShownName(c.File), c.Game, c.Board, withRules(c.Rules), catalogue.Escape(c.Root), start, catalogue.Escape(c.Claim), verdict, count(c.Positions, "position"), seconds(c.Seconds),
		tablesOf(c.Tables))
	return err
}

// tablesOf says what tables an answer rests on.
func tablesOf(slices int) string {
	if slices == 0 {
		return "no tables"
	}
	return "tables of " + count(uint64(slices), "slice")
}

// withRules says under which rules a game is played, where it has options.
func withRules(rules string) string {
	if rules == "" {
		return ""
	}
	return ", rules " + rules
}
