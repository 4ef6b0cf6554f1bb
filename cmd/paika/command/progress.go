package command

import (
	"io"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress is a bar on a terminal with the rate and the time left, and nothing
// anywhere else. Calls of set come one at a time.
type progress struct {
	container *mpb.Progress
	bar       *mpb.Bar // nil until there is progress to show
	doing     atomic.Pointer[string]
}

func (o *options) startProgress(w io.Writer) *progress {
	if o.quiet || !cwriter.New(w).IsTerminal() {
		w = io.Discard
	}
	return &progress{container: mpb.New(mpb.WithOutput(w))}
}

// set shows what is being done and how much of it is done, by its unit.
func (p *progress) set(doing, unit string, finished, total uint64) {
	p.doing.Store(&doing)
	if p.bar == nil {
		p.bar = p.container.AddBar(int64(total),
			mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return *p.doing.Load() }, decor.WCSyncSpaceR)),
			mpb.AppendDecorators(
				decor.Percentage(decor.WCSyncSpace),
				decor.AverageSpeed(0, " %.0f "+unit+"/s", decor.WCSyncSpace),
				decor.AverageETA(decor.ET_STYLE_GO, decor.WCSyncSpace),
			))
	}
	p.bar.SetTotal(int64(total), false)
	p.bar.SetCurrent(int64(finished))
}

// count shows how much is done, by its unit, where nobody knows of how much.
func (p *progress) count(doing, unit string, finished uint64) {
	p.doing.Store(&doing)
	if p.bar == nil {
		p.bar = p.container.AddSpinner(0,
			mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { return *p.doing.Load() }, decor.WCSyncSpaceR)),
			mpb.AppendDecorators(
				decor.CurrentNoUnit("%d "+unit, decor.WCSyncSpace),
				decor.AverageSpeed(0, " %.0f "+unit+"/s", decor.WCSyncSpace),
			))
	}
	p.bar.SetCurrent(int64(finished))
}

// close leaves the bar as it is.
func (p *progress) close() {
	if p.bar != nil {
		p.bar.Abort(false)
	}
	p.container.Wait()
}
