// What the board shows of the session, and how one plays on it.

import {Board} from './board.js';
import {$, button, on, outlasting, press, redraw} from './dom.js';
import {parse} from './games.js';
import {safe} from './order.js';
import {Walk} from './walk.js';
import {sign, worth} from './words.js';

export class View {
  constructor(session) {
    this.session = session;
    this.walk = null; // the turn that is begun; there is none without a list of turns
    this.preview = null; // a turn that the list points to
    this.path = null; // places to draw a line through: a win in one
    this.editor = null; // who takes the clicks while a position is set up: {put(place), move(from, to)}
    this.board = new Board($('board'), {
      chosen: place => this.editor ? this.editor.put(place) : this.stepTo(place),
      grabbed: from => this.editor !== null || this.grab(from),
      dragged: (from, to) => this.editor ? this.editor.move(from, to) : to && this.stepTo(to),
    });
    session.on('position', () => {
      this.walk = session.answer && new Walk(session.game, session.answer.turns);
      this.preview = this.path = null;
      this.show();
    });
    session.on('failed', () => this.cancel());
    for (const event of ['tables', 'hints', 'proof']) session.on(event, () => this.show());
    on('flip', 'click', () => this.flip());
  }

  // stepTo goes on with a turn, or begins one.
  stepTo(place) {
    const {session, walk} = this;
    if (!walk) {
      if (session.crowded) session.playText(place); // too many to walk through: a man placed
      return;
    }
    const way = walk.choice.find(step => this.captured(step).includes(place));
    if (way) return this.take(way);
    const {moved, turn} = walk.go(place);
    if (turn) return session.play(turn);
    this.preview = null;
    this.show();
    session.remark(moved ? '' : session.answer?.over ? 'The game is over.' : `No turn ${walk.begun ? 'goes to' : 'begins at'} ${place}.`);
  }

  // grab begins a turn with the piece that a drag takes, or goes on with it.
  grab(from) {
    const {walk, session} = this;
    if (!walk) return false;
    if (walk.steps.at(-1)?.place !== from) {
      if (walk.begun) return false;
      const {moved} = walk.go(from);
      if (!moved || !walk.begun) return false;
      session.remark('');
    }
    this.show();
    return true;
  }

  take(step) {
    const {turn} = this.walk.take(step);
    if (turn) return this.session.play(turn);
    this.session.remark('');
    this.show();
  }

  // cancel takes the beginning of a turn back.
  cancel() {
    this.walk?.reset();
    this.preview = null;
    this.show();
  }

  // point shows a turn of the list, or none any more.
  point(turn) {
    this.preview = turn;
    this.show();
  }

  // trace draws a line through places, or none any more.
  trace(places) {
    this.path = places;
    this.show();
  }

  flip() {
    this.board.flipped = !this.board.flipped;
    press($('flip'), this.board.flipped);
    this.show();
  }

  // shown is the position as it is on the board: after the steps made.
  shown() {
    const {walk, session} = this, made = walk?.begun ? walk.after()?.position : null;
    const at = made && parse(session.game, made, session.view.board);
    return at ? {...at, side: session.position.side} : session.position;
  }

  // captured lists what a step of the walk's choice takes.
  captured(step) {
    const after = parse(this.session.game, this.walk.after(step).position, this.session.view.board);
    return taken(this.shown(), after, [...this.walk.steps.map(s => s.place), step.place]);
  }

  // valued tells whether the worth of a turn is known and to be shown.
  valued(turn) { return Boolean(this.session.hints && turn && (turn.value || safe(turn))); }

  // tone is the class of the colour of what a turn is worth, or is worth at least.
  tone(turn) { return this.session.game.tone(turn.value ?? 'draw', this.session.sideOf([turn])); }

  worthClass(turn) { return this.valued(turn) ? `${turn.value ?? 'draw'} ${this.tone(turn)}` : 'open'; }

  // withWorth adds the worth of a turn to words.
  withWorth(words, turn) { return this.valued(turn) ? `${words}, ${worth(turn)}` : words; }

  // best is the turn to recommend among those that go on from the steps made.
  best() {
    const {session, walk} = this;
    return !walk.begun && session.best() || walk.best();
  }

  show() {
    const {session, walk} = this;
    $('flip').disabled = !session.position;
    if (!session.position) return this.board.blank();
    const shown = {game: session.game, position: this.shown(), marks: new Map(), labels: new Map(), chips: new Map(), paths: []};
    this.showPast(shown);
    if (walk && !this.editor) {
      if (walk.choice.length) this.showWays(shown);
      else this.showTurns(shown);
    }
    if (this.preview && !walk?.begun) this.showPreview(shown);
    if (this.path) shown.paths.push({places: this.path, kind: 'win', tone: this.tone({value: 'win'})});
    shown.beside = this.beside(shown);
    this.board.show(shown);
    this.showChoice();
  }

  // beside tells whether the board needs room for the places past its corners. It goes by
  // all turns, so that the board stays as it is while one is made.
  beside({game, position, paths}) {
    const turns = this.session.answer?.turns ?? [];
    return game.pastCorner(position.off ?? '') || turns.some(t => game.pastCorner(t.turn)) || paths.some(p => p.places.some(game.pastCorner));
  }

  // showPast shows the last turn, or the steps made of this one.
  showPast({position, marks, paths}) {
    const {session, walk} = this, {played} = session.trail;
    if (!walk?.begun) {
      if (played.length) paths.push({places: played.at(-1).places, kind: 'last'});
      return;
    }
    const own = walk.steps.map(s => s.place);
    mark(marks, own.at(-1), 'held');
    for (const p of taken(session.position, position, own)) mark(marks, p, 'taken');
    if (own.length > 1) paths.push({places: own, kind: 'made'});
  }

  // showWays shows what each way to make a step takes, and what it is worth.
  showWays({marks, labels, chips}) {
    const {walk, session: {game}} = this;
    mark(marks, walk.choice[0].place, 'target', 'chosen');
    for (const step of walk.choice) {
      const turn = walk.best(step), letter = step.text.at(-1);
      for (const p of this.captured(step)) {
        mark(marks, p, 'choice', game.way(step));
        labels.set(p, this.withWorth(`captured by ${game.way(step)}`, turn));
        chips.set(p, this.valued(turn) ? {text: sign(turn), tone: this.tone(turn), tag: letter} : {text: letter});
      }
    }
  }

  // showTurns shows the places to begin at or to go on to, what each is worth, and
  // the way of the best turn.
  showTurns({marks, labels, chips, paths}) {
    const {walk, session: {game}} = this;
    const chip = (place, turn) => { if (this.valued(turn)) chips.set(place, {text: sign(turn), tone: this.tone(turn)}); };
    for (const [place, turn] of walk.next()) {
      mark(marks, place, walk.begun ? 'target' : 'movable', this.worthClass(turn));
      labels.set(place, this.withWorth(walk.begun ? 'can go here' : 'can move', turn));
      chip(place, turn);
    }
    const stop = walk.begun && walk.whole();
    if (stop) {
      labels.set(walk.steps.at(-1).place, this.withWorth('can stop here', stop));
      chip(walk.steps.at(-1).place, stop);
    }
    const best = this.best();
    if (!this.valued(best) || this.preview) return;
    const places = game.steps(best.turn).slice(Math.max(0, walk.steps.length - 1)).map(s => s.place);
    if (places.length > 1) paths.push({places, kind: 'best', tone: this.tone(best)});
    else mark(marks, places[0], 'best', this.tone(best));
  }

  // showPreview shows a turn that the list points to.
  showPreview({marks, paths}) {
    const {preview, session} = this, {game, position} = session;
    const steps = game.steps(preview.turn).map(s => s.place);
    const after = parse(game, preview.position, session.view.board);
    for (const p of taken(position, after, steps)) mark(marks, p, 'taken');
    if (steps.length === 1) mark(marks, steps[0], 'chosen');
    else paths.push({places: steps, kind: 'preview', tone: this.valued(preview) ? this.tone(preview) : ''});
  }

  // showChoice offers what can be done with a turn that is begun.
  showChoice() {
    const {walk, session} = this, buttons = [];
    if (walk?.choice.length) {
      for (const step of walk.choice) {
        const turn = walk.best(step), words = `By ${session.game.way(step)}: ${this.captured(step).join(', ')}`;
        const b = button(this.withWorth(words, turn), () => this.take(step), 'way', this.worthClass(turn));
        b.dataset.way = step.text.at(-1).toLowerCase();
        buttons.push(outlasting(b, step));
      }
    }
    const whole = walk?.begun && !walk.choice.length && walk.whole();
    if (whole) {
      const words = this.withWorth(`Stop here: ${whole.turn}`, whole);
      buttons.push(outlasting(button(words, () => session.play(whole), 'stop', this.worthClass(whole)), whole));
    }
    if (walk?.begun) buttons.push(outlasting(button('Take back', () => this.cancel()), walk));
    if (!redraw($('choice'), ...buttons)) this.board.element(this.board.focus)?.focus({preventScroll: true});
  }
}

// mark adds classes to a place.
function mark(marks, place, ...classes) { marks.set(place, [...marks.get(place) ?? [], ...classes]); }

// taken lists the places that are emptied between two positions of a turn, but
// for those where it was.
function taken(before, after, own) {
  return [...before.cells.keys()].filter(p => !after.cells.has(p) && !own.includes(p));
}
