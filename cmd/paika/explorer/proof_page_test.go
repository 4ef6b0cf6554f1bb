//go:build !browserless

package explorer

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"paika/cmd/paika/catalogue"
	"paika/solver/proofnumber"
)

func TestPageGreetsWithTheSolvedGame(t *testing.T) {
	p := openAt(t, extractServer(t), "")
	p.says("#verdict", "Draw: proved \u2013 White to move")
	p.says("#proof", "White does not lose: proved, by f2-e3A.")
	p.says("#proof", "Black does not lose: proved, whatever White plays.")
	p.says("#proof", "This is an extract: the first 10 turns of the proof that White does not lose, and the first 9 turns of the proof that Black does not lose.")
	p.says("#proof-rests", "paika check 9x5.proof.white")
	p.wait(`document.querySelector('#uncovered').hidden`)
	p.wait(`document.querySelector('#board-size').selectedOptions[0].parentElement.label === 'With a proof'`)
	p.picture("proof-extract")
	p.push("#proof .keeps")
	p.says("#verdict", "Draw: proved \u2013 Black to move")
}

// onlyWhite is a position of the extract of which one half alone is proved: d2-c3A is not lost.
const onlyWhite = "BB.BBBBBB/BBBBBBBBB/BW.WWBWBW/W.WWW.WWW/.WWWWWWWW w"

// The turn that keeps what is proved stands first in the list, on the board it is the best,
// and the computer makes it.
func TestTheProvedTurnIsTheBest(t *testing.T) {
	url := extractServer(t)
	p := openAt(t, url, at("fanorona", "9x5", "start"))
	p.says("#verdict", "Draw: proved")
	p.says("#turns li:first-child", "f2-e3A")
	p.visit(at("fanorona", "9x5", onlyWhite))
	p.says("#verdict", "White does not lose: proved")
	p.says("#turns li:first-child", "d2-c3A")
	p.says("#turns li:first-child", "at least a draw")
	p.wait(`document.querySelector('.arrow.best') !== null`)
	p.wait(`[...document.querySelectorAll('#board .chip .full')].some(chip => chip.textContent === '\u2265')`)
	p.picture("proof-half")
	p.do(chromedp.SetValue("#opponent", "0"))
	p.shows(".B.BBBBBB/B.BBBBBBB/BWWWWBWBW/W.W.W.WWW/.WWWWWWWW b")
	if said := p.text("#thinking"); said != "" {
		t.Errorf("of a proved turn: %s", said)
	}
}

// A board in a frame tells what is proved, too, and why nothing is known.
func TestABoardInAFrameTellsWhatIsProved(t *testing.T) {
	p := openAt(t, extractServer(t), "embed"+at("fanorona", "9x5", "start"))
	p.says("#verdict", "Draw: proved \u2013 White to move")
	p.says("#turns li:first-child", "keeps the draw")
	p.wait(`document.querySelector('#why').hidden`)
	p.visit("embed" + at("konane", "6x6", "start"))
	p.says("#why", "There is no table for this position.")
	p.wait(`!document.querySelector('#why').hidden`)
}

// Every reply of the other side can be clicked, down to the tables, which go on.
func TestPageWalksThroughTheProof(t *testing.T) {
	p := openAt(t, proofServer(t, proven(t)).URL, at("fanorona", "5x5", "start"))
	p.says("#verdict", "Draw: proved \u2013 White to move")
	p.says("#turns", "keeps the draw")
	p.says("#turns", "at most a draw")
	p.picture("proof-start")
	for range 200 {
		was := p.get(`document.querySelector('#position').value`)
		if p.get(`String(document.querySelector('#proof .keeps') !== null)`) == "true" {
			p.push("#proof .keeps")
		} else {
			p.push("#turns .turn")
		}
		p.wait(`document.querySelector('#position').value !== '` + was + `'`)
		p.wait(`!document.querySelector('#proof').hidden`)
		if strings.Contains(p.text("#proof-claims"), "by the tables") {
			p.picture("proof-tables")
			p.says("#proof-claims", "they take over here")
			return
		}
	}
	t.Errorf("no table after 200 turns: %s", p.text("#position"))
}

// Who has one half of a draw is told of that half alone.
func TestPageSaysNoMoreThanHalfOfADraw(t *testing.T) {
	paths, err := certificates()
	if err != nil {
		t.Fatal(err)
	}
	w := walk(t, paths[0])
	if err := prepare(t, w, filepath.Join(scratch, "half")); err != nil {
		t.Fatal(err)
	}
	p := openAt(t, proofServer(t, w).URL, at("fanorona", "5x5", "start"))
	p.says("#verdict", "White does not lose: proved \u2013 White to move")
	p.says("#turns", "at least a draw")
	if said := p.text("#turns"); strings.Contains(said, "keeps the draw") {
		t.Errorf("a draw is kept that is not proved: %s", said)
	}
}

// By the keyboard alone one goes on from turn to turn: the focus goes along.
func TestAProofIsWalkedByTheKeyboard(t *testing.T) {
	p := openAt(t, proofServer(t, proven(t)).URL, at("fanorona", "5x5", "start"))
	p.says("#turns", "keeps the draw")
	for range 40 {
		p.keys(kb.Tab)
		if p.get(`document.activeElement.getAttribute('class') ?? ''`) == "keeps" {
			break
		}
	}
	for _, mover := range []string{"Black", "White", "Black"} {
		p.keys(kb.Enter)
		p.says("#verdict", "Draw: proved \u2013 "+mover+" to move")
		p.wait(`document.activeElement.className === 'keeps'`)
	}
	p.do(chromedp.Focus("#turns .turn"))
	p.keys(kb.Enter) // in the list, it stays in the list
	p.says("#verdict", "White to move")
	p.says("#turns", "keeps the draw")
	p.wait(`document.activeElement === document.querySelector('#turns .turn')`)
	p.wait(`document.querySelectorAll('#record .path').length === 4`)
}

func TestPageSaysThatAPositionIsOutsideTheProof(t *testing.T) {
	p := openAt(t, proofServer(t, proven(t)).URL, at("fanorona", "5x5", "BBBBB/BBBBB/WBWBW/.WWWW/WWWWW w"))
	p.says("#proof-claims", "This position is outside the proof. The proof may have its mirror image, which counts as another position here.")
	p.wait(`!document.querySelector('#search').hidden && !document.querySelector('#uncovered').hidden`)
	p.push("#search") // what a search finds is not proved
	p.says("#searched", "positions in")
	if said := p.text("#verdict"); said != "Black wins \u2013 White to move" {
		t.Errorf("after a search: %s", said)
	}
}

// While certificates are checked the page says so, and shows what they prove as soon as
// they are.
func TestPageShowsTheCheck(t *testing.T) {
	paths, err := certificates()
	if err != nil {
		t.Fatal(err)
	}
	w := walk(t, paths...)
	p := openAt(t, proofServer(t, w).URL, at("fanorona", "5x5", "start"))
	p.says("#proof-claims", "White does not lose: claimed, and being checked.")
	p.says("#proof-checks", filepath.Base(paths[0])+" is being checked: 0 %")
	p.says("#verdict", "White to move")
	p.picture("proof-checking")
	// What a search finds meanwhile stays, and is called proved once it is.
	p.push("#search")
	p.says("#searched", "positions in")
	p.stopClock()
	p.wait(`window.due.length === 1`)
	p.hasProgress()
	p.do(chromedp.Focus("#turns .turn"))
	p.get(`(() => {
		window.drawn = new Set();
		for (const id of ['verdict', 'proof-claims', 'turns', 'board', 'searched']) {
			new MutationObserver(() => drawn.add(id)).observe(document.getElementById(id), {childList: true, subtree: true, characterData: true});
		}
		window.bar = document.querySelector('#proof-checks progress');
		return '';
	})()`)
	for i := range 2 {
		p.wait(`window.due.length === 1`)
		p.strike()
		p.rest()
		p.says("#proof-checks", fmt.Sprintf("is being checked: %d %%", 25*(i+1)))
		if said := p.get(`[...drawn, bar.isConnected ? '' : 'bar', document.activeElement.matches('#turns .turn') ? '' : 'focus'].join('')`); said != "" {
			t.Errorf("after a look at the check these are drawn anew: %s", said)
		}
		if said := p.text("#verdict"); said != "Draw \u2013 White to move" {
			t.Errorf("after a look at the check: %s", said)
		}
	}
	// A look at the check that meets with no answer is not the last one.
	p.get(`(() => {
		const real = fetch;
		let looks = 0;
		window.fetch = (path, options) => path.includes('/proof?') && looks++ === 0 ? Promise.reject(new TypeError('no answer')) : real(path, options);
		return '';
	})()`)
	if err := prepare(t, w, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		p.wait(`window.due.length === 1`)
		p.strike()
		p.rest()
	}
	p.says("#verdict", "Draw: proved \u2013 White to move")
}

// hasProgress has the first certificate come on by a quarter with every look at its check.
func (p *page) hasProgress() {
	p.t.Helper()
	p.get(`(() => {
		const real = fetch;
		let looks = 0;
		window.fetch = async (path, options) => {
			const answer = await real(path, options);
			if (!path.includes('/proof?')) return answer;
			const read = answer.json;
			answer.json = async () => {
				const body = await read();
				if (body.certificates[0].status === 'waiting') Object.assign(body.certificates[0], {status: 'checking', doing: 'checking', progress: ++looks / 4});
				return body;
			};
			return answer;
		};
		return '';
	})()`)
}

func TestPageSaysThatACertificateProvesNothing(t *testing.T) {
	paths, err := certificates()
	if err != nil {
		t.Fatal(err)
	}
	w := walk(t, paths[0])
	if err := w.Prepare(t.Context(), catalogue.WalkOptions{Dir: t.TempDir(), Indexes: t.TempDir(), Program: "test", Workers: 1, Memory: 1 << 30}); err == nil {
		t.Fatal("a check without tables is no error")
	}
	p := openAt(t, proofServer(t, w).URL, at("fanorona", "5x5", "start"))
	p.says("#proof-claims", "proves nothing: ")
	p.do(chromedp.EmulateViewport(360, 740))
	p.wait(`document.documentElement.scrollWidth <= innerWidth`)
}

// A proof about the players is followed through the opening and behind it, where stones tell
// no more who is to move, and by an address. A position that does not tell is not called
// outside.
func TestPageFollowsAProofAboutThePlayers(t *testing.T) {
	p := openAt(t, proofServer(t, playersProof(t)).URL, at("konane", "4x4", "start"))
	proved := func() {
		t.Helper()
		p.wait(`!document.querySelector('#proof').hidden`)
		p.rest()
		if said := p.text("#proof-claims"); !strings.Contains(said, "Second wins: proved") {
			t.Fatalf("of %s: %s", p.text("#verdict"), said)
		}
	}
	for i, next := range []string{"#turns .turn", "#proof .keeps", "#turns .turn", "#proof .keeps"} {
		proved()
		p.push(next)
		p.wait(fmt.Sprintf(`document.querySelectorAll('#record .path').length === %d`, i+1))
	}
	proved()
	p.keys(kb.ArrowLeft)
	p.wait(`document.querySelectorAll('#record .path').length === 3`)
	proved()
	p.do(chromedp.Reload())
	p.settled()
	proved()
	p.visit(at("konane", "4x4", "oxox/xoxo/ox../xoxo b"))
	p.says("#proof-claims", "this position does not tell which of them is to move")
	if said := p.text("#proof-claims"); strings.Contains(said, "outside") {
		t.Error(said)
	}
}

// playersProof is a walk of a certificate that the second player wins Konane on 4x4, checked.
func playersProof(t *testing.T) catalogue.Walk {
	t.Helper()
	konane, _ := catalogue.Find("konane")
	instance, err := konane.Open("4x4", nil)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "players.proof")
	_, err = instance.Prove(t.Context(), t.TempDir(), catalogue.Start, catalogue.ProveOptions{
		Claim: "second-wins", Method: proofnumber.DFPN, Out: out, Workers: 1, Memory: 1 << 30,
	})
	if err != nil {
		t.Fatal(err)
	}
	w := walk(t, out)
	if err := prepare(t, w, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	return w
}
