package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/bitboard/catalogue"
	"paika/proofs"
)

func newCheck(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE [PART...]",
		Short: "Check a certificate",
		Long: `Check reads a certificate that paika prove wrote and checks every turn in it with
the rules alone, and with the tables that it names, which must have the
checksums that stand in it. It shares no code with the search. The game, the
board and the rules are those of the certificate.

The checksums of the tables are computed from what is stored; that the values
stored are right is for paika verify to tell. A certificate that was made with
parts needs all of them: they are checked first.

The exit status is 0 if the certificate proves its claim, 1 if it does not, and 4
if it cannot be read or a table is missing or another.`,
		Example: `  paika check telo.proof
  paika check telo.proof --db tables --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.board != "" || len(o.rules) > 0 {
				return errors.New("board and rules are those of the certificate: want no flags for them")
			}
			instance, err := catalogue.OpenCertificate(args[0])
			if err != nil {
				return err
			}
			id := instance.Identity()
			s := session{options: o, game: id.Game, instance: instance}
			checked, err := instance.Check(cmd.Context(), s.dir(), args[0], catalogue.CheckOptions{Workers: o.workers, Memory: memoryBudget(o.memory), Parts: args[1:]})
			if err != nil {
				return tableHint(s, err)
			}
			if err := s.print(cmd, checked, func(w io.Writer) error { return printChecked(w, checked) }); err != nil {
				return err
			}
			if !checked.Valid {
				return fmt.Errorf("%w: the certificate does not prove its claim", errFailed)
			}
			return nil
		},
	}
}

// tableHint says where a table was looked for, and how parts are given.
func tableHint(s session, err error) error {
	var need *proofs.NeedError
	if !errors.As(err, &need) {
		return err
	}
	if _, part := need.Need.(proofs.Part); part {
		return fmt.Errorf("%w (give its file behind the certificate's)", err)
	}
	return fmt.Errorf("%w (tables in %s; --db names another folder)", err, s.dir())
}

func printChecked(w io.Writer, c catalogue.Checked) error {
	for _, part := range c.Parts {
		if err := printChecked(w, part); err != nil {
			return err
		}
	}
	for _, finding := range c.Findings {
		fmt.Fprintln(w, finding)
	}
	verdict := "valid"
	if !c.Valid {
		verdict = "not valid, " + count(c.Found, "finding")
	}
	_, err := fmt.Fprintf(w, "%s: %s on %s, rules %s, from %s\n%s: %s; %s checked in %s (%s/s), tables of %s\n",
		c.File, c.Game, c.Board, c.Rules, c.Root, c.Claim, verdict, count(c.Positions, "position"), seconds(c.Seconds),
		rate(c.Positions, c.Seconds), count(uint64(c.Tables), "slice"))
	return err
}
