package command

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/bitboard/record"
	"paika/cmd/paika/catalogue"
	"paika/tablebase"
)

// fromInput is the position that stands for those on standard input.
const fromInput = "-"

// How many positions of standard input are answered together, at most.
const (
	// fromTables is enough that a chunk of the tables serves many of them.
	fromTables = 4096

	// byItself is for what takes long, and has no use for the positions that come next.
	byItself = 1
)

// ask answers for many positions, and tells of the answers in the order of the positions, as many
// at a time as are known together. Beside an error it has told of the first, as far as they are known.
type ask[T any] func(ctx context.Context, positions []string, tell func([]catalogue.Answer[T]) error) error

// together is an ask about all at once. Positions with too many turns to be listed together are
// asked about one by one, and what comes before each is told first: so no more is kept than is listed
// together.
func together[T any](answers func(ctx context.Context, positions []string) ([]catalogue.Answer[T], error)) ask[T] {
	return func(ctx context.Context, positions []string, tell func([]catalogue.Answer[T]) error) error {
		found, err := answers(ctx, positions)
		if len(found) > len(positions) {
			return catalogue.ErrAnswers
		}
		told := 0
		for i := range found {
			if !errors.Is(found[i].Err, bitboard.ErrTooManyTurns) || len(positions) == 1 {
				continue
			}
			if err := tell(found[told:i]); err != nil {
				return err
			}
			clear(found[told:i])
			told = i
			alone, err := answers(ctx, positions[i:i+1])
			if err != nil {
				return err
			}
			found[i] = alone[0]
		}
		return cmp.Or(tell(found[told:]), err)
	}
}

// answer asks about the position on the command line and prints what comes
// back, or does so for every line of standard input, at most so many together.
func answer[T any](cmd *cobra.Command, s session, most int, ask ask[T], tidy func(w io.Writer, result T) error) error {
	position := s.position()
	if position == fromInput {
		return answerLines(cmd, s, most, ask)
	}
	var unanswered error = catalogue.ErrAnswers
	err := ask(cmd.Context(), []string{position}, func(answers []catalogue.Answer[T]) error {
		if len(answers) == 0 {
			return nil
		}
		found := answers[0]
		if unanswered = found.Err; unanswered != nil {
			return nil
		}
		return s.print(cmd, found.Result, func(w io.Writer) error { return tidy(w, found.Result) })
	})
	if err = cmp.Or(err, unanswered); err != nil {
		return s.hint(err)
	}
	return nil
}

// lineError is what a line of standard input gets that has no answer.
type lineError struct {
	shownFault
	Line     int    `json:"line"`
	Position string `json:"position"`
}

// unansweredError says that some lines have no answer, each told beside it.
type unansweredError struct {
	lines, all int
	status     int // of the exit: of what was wrong, that which the caller could mend
}

func (e *unansweredError) Error() string {
	verb := "have"
	if e.lines == 1 {
		verb = "has"
	}
	return fmt.Sprintf("%d of %s %s no answer", e.lines, count(uint64(e.all), "line"), verb)
}

// add counts a line.
func (e *unansweredError) add(err error) {
	e.lines++
	if status := exitStatus(err); e.lines == 1 || status == misused || status > e.status && e.status != misused {
		e.status = status
	}
}

// answerLines answers every line of standard input with one JSON object, in
// order, and prints what is known before more is worked out. Lines without an answer do not keep
// others from theirs, and what ends the work takes nothing from those before.
func answerLines[T any](cmd *cobra.Command, s session, most int, ask ask[T]) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	s.answered = true
	var without unansweredError
	err := batches(cmd.Context(), cmd.InOrStdin(), most, func(lines []inputLine) error {
		return askLines(cmd.Context(), lines, ask, func(lines []inputLine, answers []catalogue.Answer[T]) error {
			for i, a := range answers {
				without.all++
				var object any = a.Result
				if a.Err != nil {
					without.add(a.Err)
					tellWhere(cmd.ErrOrStderr(), a.Err)
					object = lineError{shownFault{Error: catalogue.FaultOf(s.hint(a.Err))}, without.all, lines[i].shown()}
				}
				if err := printJSON(out, object); err != nil {
					return err
				}
			}
			return out.Flush()
		})
	})
	switch {
	case err != nil:
		err = s.hint(err)
		unwritten := cmp.Or(printJSON(out, shownFault{catalogue.FaultOf(err), finishedOf(err)}), out.Flush())
		if errors.Is(err, unwritten) { // it is what has failed
			return err
		}
		return errors.Join(err, unwritten)
	case without.lines > 0:
		return &without
	}
	return nil
}

// inputLine is a line of standard input.
type inputLine struct {
	text  string
	large bool // too large to be read: text is its beginning
}

// mostLine bounds a line, in bytes. The largest boards of a question for a win in
// one take some megabytes.
const mostLine = 16 << 20

// shown is the line as it is repeated beside an error.
func (l inputLine) shown() string {
	const most = 1 << 10
	if len(l.text) > most {
		return l.text[:most] + "..."
	}
	return l.text
}

// askLines asks about those lines that were read whole, and tells of all in their order: of the
// lines that come next, and of their answers. Beside an error it has told of those before the first
// that has none.
func askLines[T any](ctx context.Context, lines []inputLine, ask ask[T], tell func([]inputLine, []catalogue.Answer[T]) error) error {
	for len(lines) > 0 {
		if lines[0].large {
			err := fmt.Errorf("%w: a line of more than %d MiB", catalogue.ErrTooLarge, mostLine>>20)
			if err := tell(lines[:1], []catalogue.Answer[T]{{Err: err}}); err != nil {
				return err
			}
			lines = lines[1:]
			continue
		}
		var positions []string
		for _, line := range lines {
			if line.large {
				break
			}
			positions = append(positions, line.text)
		}
		asked := lines[:len(positions)]
		lines = lines[len(positions):]
		err := ask(ctx, positions, func(answers []catalogue.Answer[T]) error {
			if len(answers) > len(asked) {
				return catalogue.ErrAnswers
			}
			of := asked[:len(answers)]
			asked = asked[len(answers):]
			return tell(of, answers)
		})
		if err == nil && len(asked) > 0 {
			err = catalogue.ErrAnswers
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// batches hands the lines of r over, as many together as can be had without
// waiting, up to a bound, and without a byte order mark before the first. It returns
// when ctx is done even while r has the next line waited for, and with the error of ctx where
// that is done before the end of r is seen.
func batches(ctx context.Context, r io.Reader, most int, do func(lines []inputLine) error) error {
	read := make(chan batch)
	go readBatches(ctx, r, most, read)
	for {
		var next batch
		select {
		case <-ctx.Done():
		case next = <-read:
		}
		if err := ctx.Err(); err != nil { // with both to be had, select takes either
			return err
		}
		if len(next.lines) > 0 {
			if err := cmp.Or(do(next.lines), ctx.Err()); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(next.end, io.EOF):
			return nil
		case next.end != nil:
			return fmt.Errorf("standard input: %w", next.end)
		}
	}
}

// batch is lines that are answered together. Behind the last one there is an end: io.EOF, or
// why reading failed.
type batch struct {
	lines []inputLine
	end   error
}

// readBatches sends what r has, up to the end, as long as ctx is not done.
func readBatches(ctx context.Context, r io.Reader, most int, read chan<- batch) {
	in := bufio.NewReaderSize(r, 1<<16)
	begun := false
	for {
		var next batch
		next.lines, next.end = readBatch(in, most)
		if !begun && len(next.lines) > 0 {
			next.lines[0].text, begun = strings.TrimSpace(strings.TrimPrefix(next.lines[0].text, record.ByteOrderMark)), true
		}
		select {
		case read <- next:
		case <-ctx.Done():
			return
		}
		if next.end != nil {
			return
		}
	}
}

// readBatch waits for one line and takes with it those that are there already.
func readBatch(in *bufio.Reader, most int) (lines []inputLine, err error) {
	for err == nil && len(lines) < most {
		var line inputLine
		var some bool
		if line, some, err = readLine(in); some {
			lines = append(lines, line)
		}
		buffered, _ := in.Peek(in.Buffered())
		if bytes.IndexByte(buffered, '\n') < 0 {
			break
		}
	}
	return lines, err
}

// readLine reads a line, and of one that is too large the beginning. It tells
// whether there was any.
func readLine(in *bufio.Reader) (line inputLine, some bool, err error) {
	var text []byte
	for {
		var part []byte
		part, err = in.ReadSlice('\n')
		some = some || len(part) > 0
		if line.large = line.large || len(text)+len(part) > mostLine; !line.large {
			text = append(text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			line.text = strings.TrimSpace(string(text))
			return line, some, err
		}
	}
}

// hint adds to an error what would help.
func (s session) hint(err error) error {
	var missing *tablebase.MissingError
	var none *catalogue.NoSlicesError
	var syntax *bitboard.SyntaxError
	if hinted := s.repairHint(err); hinted != nil {
		return hinted
	}
	switch {
	case errors.As(err, new(*catalogue.BuildError)): // it says so already
	case errors.As(err, &missing):
		return s.buildHint(fmt.Errorf("%w in %s", err, s.dir()), missing.Slice)
	case errors.As(err, &none):
		s.metric = none.Metric
		return s.buildHint(fmt.Errorf("%w in %s", err, s.dir()))
	case errors.As(err, &syntax) && !s.anyBoard:
		return fmt.Errorf("%w (on board %s; --board names another)", err, s.instance.Identity().Board)
	case errors.Is(err, tablebase.ErrNoStore), awayFromHub(err) && codeByHub(err) == catalogue.CodeNotStored:
		return s.buildHint(err)
	}
	return err
}

// repairHint adds to an error about damaged tables what mends them; nil where it is another.
func (s session) repairHint(err error) error {
	switch {
	case errors.Is(err, tablebase.ErrStoredSo):
		return fmt.Errorf("%w: repair keeps what was stored so: move %s away, and build the tables anew", err, s.dir())
	case errors.Is(err, tablebase.ErrDamaged), errors.Is(err, tablebase.ErrUnclean), errors.Is(err, tablebase.ErrNotReplaced):
		return fmt.Errorf("%w: repair them with: %s", err, s.repairCommand())
	}
	return nil
}
