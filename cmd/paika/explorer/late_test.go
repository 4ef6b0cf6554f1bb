//go:build !browserless

package explorer

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// hold has the page wait for the next answer to a question until release is called. The answer
// comes whatever the page does meanwhile.
func (p *page) hold(question string) {
	p.t.Helper()
	p.get(`(() => {
		const real = fetch;
		let held = false;
		window.fetch = async (path, options) => {
			if (path.includes('/turns?')) window.went++;
			if (held || !path.includes('/` + question + `')) return real(path, options);
			held = true;
			const answer = await uncounted(path, {...options, signal: undefined}), read = answer.json.bind(answer);
			await new Promise(release => { window.release = release; });
			answer.json = async () => {
				const body = await read();
				setTimeout(() => { window.taken = true; }); // behind all that the page does now
				return body;
			};
			return answer;
		};
		return '';
	})()`)
}

// release lets the answer come, and tells how many positions the page then asks for.
func (p *page) release() (went string) {
	p.t.Helper()
	p.get(`(window.went = 0, release(), '')`)
	p.wait(`window.taken === true`)
	return p.get(`String(went)`)
}

// stopClock has what the page does after a while wait until strike is called, however fast
// or slow the machine is.
func (p *page) stopClock() {
	p.t.Helper()
	p.get(`(() => {
		const real = setTimeout;
		window.due = [];
		window.setTimeout = (act, time) => time > 0 ? due.push(act) : real(act);
		return '';
	})()`)
}

// strike has the page do all that it waits with, now.
func (p *page) strike() {
	p.t.Helper()
	p.get(`(due.splice(0).forEach(act => act()), '')`)
}

// Whoever went on while the page looked for a position stays where he went.
func TestLateAnswersMoveNobody(t *testing.T) {
	for name, c := range map[string]struct {
		question string
		ask      func(p *page)
	}{
		"a record":   {"annotate", func(p *page) { p.take(slips) }},
		"a line":     {"annotate", func(p *page) { p.push("#line button") }},
		"a position": {"longest", func(p *page) { p.push("#longest") }},
		"a board": {"longest", func(p *page) {
			p.get(`String(document.querySelector('#board-size').dispatchEvent(new Event('change')))`)
		}},
		"a turn": {"play", func(p *page) {
			p.do(chromedp.SetValue("#turn", "a1-a2"))
			p.push("#typed button")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, at("fanorona", "5x5", open2v1))
			p.wait(`document.querySelectorAll('#line button').length > 0 && !document.querySelector('#slices').hidden`)
			p.hold(c.question)
			c.ask(p)
			p.wait(`window.release !== undefined`)
			p.click("b2", "b3")
			p.says("#verdict", "Black to move")
			if went := p.release(); went != "0" {
				t.Errorf("the page asked for %s positions", went)
			}
			p.shows("B..../...../.W.../...../..W.. b")
			p.wait(`document.querySelector('#remark').hidden`)
		})
	}
}

// Where a position is asked for in vain, the answers about the one that stays still come; and
// what was known of the one before is not shown meanwhile.
func TestAnswersComeThoughAnotherPositionWasAskedForInVain(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.wait(`document.querySelectorAll('#line button').length > 0`)
	p.hold("position?")
	p.click("b2", "b3")
	p.wait(`window.release !== undefined`)
	p.says("#verdict", "Black to move")
	if !p.holds(`document.querySelector('#best').hidden && document.querySelector('#uncovered').hidden`) {
		t.Error("the best play of another position is shown")
	}
	p.do(chromedp.SetValue("#position", "nonsense"))
	p.get(`(document.querySelector('#text button').click(), '')`)
	p.says("#remark", "nonsense")
	p.release()
	p.wait(`!document.querySelector('#best').hidden && document.querySelectorAll('#line button').length > 0`)
}

// The computer waits while its opponent looks for another position.
func TestTheComputerWaitsForWhoLooksElsewhere(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.wait(`document.querySelectorAll('#turns .turn').length > 5 && !document.querySelector('#slices').hidden`)
	p.do(chromedp.SetValue("#opponent", "1"))
	p.hold("longest")
	p.stopClock()
	p.click("b2", "b3")
	p.wait(`window.due.length === 1`) // Black's turn
	p.push("#longest")
	p.wait(`window.release !== undefined`)
	p.strike()
	p.says("#resume", "Let Black move")
	p.shows("B..../...../.W.../...../..W.. b")
	if went := p.release(); went != "1" {
		t.Errorf("the page asked for %s positions", went)
	}
}

// What the tables know and can't be told is said to be missing.
func TestFiguresThatDoNotComeAreRemarkedOn(t *testing.T) {
	p := open(t, at("fanorona", "5x5", open2v1))
	p.wait(`!document.querySelector('#slices').hidden`)
	p.get(`(() => {
		const real = fetch;
		window.fetch = (path, options) => path.includes('/stats') ? Promise.reject(new TypeError('no answer')) : real(path, options);
		return '';
	})()`)
	p.do(chromedp.SetValue("#game", "konane"))
	p.says("#remark", "The server does not answer.")
	p.wait(`document.querySelector('#slices').hidden`)
}
