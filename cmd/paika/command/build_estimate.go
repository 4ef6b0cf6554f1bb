package command

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/internal/usage"
	"paika/solver/retrograde"
	"paika/tablebase"
)

// measureTime is how long slices are solved to see how long others take: on a busy
// machine, as much processor time as that is on a quiet one.
const measureTime = 10 * time.Second

func estimate(cmd *cobra.Command, s session, o catalogue.BuildOptions) error {
	bar := s.startProgress(cmd.ErrOrStderr())
	o.Progress = func(p retrograde.Progress) { bar.set("measuring "+p.Group+" "+p.Phase, "index", p.Done, p.Total) }
	e, err := s.instance.Estimate(cmd.Context(), s.dir(), o, measureTime)
	bar.close()
	switch {
	case errors.Is(err, tablebase.ErrUnclean):
		return fmt.Errorf("%w; or build without --dry-run, which goes on with them", s.hint(err))
	case err != nil:
		return s.hint(err)
	}
	return s.print(cmd, e, func(w io.Writer) error { return printEstimate(w, e, o) })
}

func printEstimate(w io.Writer, e catalogue.Estimate, o catalogue.BuildOptions) error {
	t := &table{left: 1}
	t.add(o.Metric.String(), "positions", "indices", "memory, MiB", "disk, MiB", "time")
	for _, g := range e.Groups {
		t.add(estimateRow(g.Slices, g)...)
	}
	t.add(estimateRow("total", e.Total)...)
	if err := t.print(w); err != nil {
		return err
	}
	if len(e.Measured) > 0 {
		name, indices, processor := measured(e)
		fmt.Fprintf(w, "\ntime as for %s, %s indices in %s of processor time, with a core to each of %s\n",
			name, thousands(indices), seconds(processor), count(uint64(o.Workers), "worker"))
		fmt.Fprintf(w, "disk by %.3f bits a value stored, as measured and as stored\n", e.BitsPerPosition)
		fmt.Fprintln(w, "both of each group by the slices measured that are most like it, or by all and the turns of positions")
	}
	if e.Total.Taken > e.Total.Memory {
		fmt.Fprintf(w, "memory is what a group needs: of the %s MiB allowed the build takes about %s\n", mebibytes(o.Memory), mebibytes(e.Total.Taken))
	}
	if slow := slowGroups(e); e.Total.Memory <= o.Memory && len(slow) > 0 {
		fmt.Fprintf(w, "more memory makes this faster: %s; with --memory %s all takes %s\n", strings.Join(slow, ", "), enoughMemory(e.Total.Fastest), clock(e.Total.SecondsFastest))
	}
	if e.Total.Memory > o.Memory {
		fmt.Fprintf(w, "the build needs %s MiB of memory, and %s\n", mebibytes(e.Total.Memory), usage.Allowed(o.Memory))
	}
	return nil
}

// measured names the groups that an estimate measured, and tells their indices and the
// processor time that they took together, in seconds. There is one at least.
func measured(e catalogue.Estimate) (name string, indices uint64, processor float64) {
	largest := e.Measured[0]
	for _, m := range e.Measured {
		if m.Indices >= largest.Indices {
			largest = m
		}
		indices += m.Indices
		processor += m.Processor
	}
	if len(e.Measured) == 1 {
		return largest.Slices, indices, processor
	}
	return fmt.Sprintf("%s up to %s", count(uint64(len(e.Measured)), "group"), largest.Slices), indices, processor
}

// slowGroups names those that are to be solved and take a tenth longer, or more, than with
// as much memory as they have use for.
func slowGroups(e catalogue.Estimate) (names []string) {
	for _, g := range e.Groups {
		if !g.Stored && g.Seconds >= 1.1*g.SecondsFastest && g.Seconds > 0 {
			names = append(names, g.Slices)
		}
	}
	return names
}

func estimateRow(name string, g catalogue.GroupEstimate) []string {
	row := []string{name, thousands(g.Positions), thousands(g.Indices), mebibytes(g.Memory), diskMebibytes(g.Bytes)}
	switch {
	case g.Stored:
		return append(row, "stored")
	case g.Seconds == 0:
		return append(row, "-")
	}
	return append(row, clock(g.Seconds))
}

// clock is a time in the unit that suits it.
func clock(s float64) string {
	if s < 60 {
		return seconds(s)
	}
	return duration(s)
}

// mebibytes rounds up.
func mebibytes(bytes uint64) string { return thousands(roundUp(bytes, 1<<20)) }

// diskMebibytes is mebibytes, but that most groups take less than one: these are told apart.
func diskMebibytes(bytes uint64) string {
	if 0 < bytes && bytes < 1<<20 {
		return "<1"
	}
	return mebibytes(bytes)
}

// duration is seconds as minutes and seconds, or as hours and minutes.
func duration(seconds float64) string {
	if rounded := uint64(math.Round(seconds)); rounded < 3600 {
		return fmt.Sprintf("%d min %02d s", rounded/60, rounded%60)
	}
	minutes := uint64(math.Round(seconds / 60))
	return fmt.Sprintf("%s h %02d min", thousands(minutes/60), minutes%60)
}
