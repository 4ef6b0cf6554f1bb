// What the board shows of the session, and how one plays on it.

import {Board} from './board.js';
import {$, button, on, press} from './dom.js';
import {parse} from './games.js';
import {Walk} from './walk.js';
import {worth} from './words.js';

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
    session.on('leave', () => { this.walk = this.preview = this.path = null; });
    session.on('position', () => {
      if (session.answer) this.walk = new Walk(session.game, session.answer.turns);
      this.show();
    });
    for (const event of ['hints', 'proof']) session.on(event, () => this.show());
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
    if (!moved) session.remark(session.answer?.over ? 'The game is over.' : `No turn goes to ${place}.`);
  }

  // grab begins a turn with the piece that a drag takes, or goes on with it.
  grab(from) {
    const {walk} = this;
    if (!walk) return false;
    if (walk.steps.at(-1)?.place !== from) {
      if (walk.begun) return false;
      const {moved} = walk.go(from);
      if (!moved || !walk.begun) return false;
    }
    this.show();
    return true;
  }

  take(step) {
    const {turn} = this.walk.take(step);
    if (turn) return this.session.play(turn);
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

  worthClass(turn) { return this.session.hints && turn.value ? turn.value : 'open'; }

  show() {
    const {session, walk, preview, path} = this, {game, position, hints, trail} = session;
    if (!position) return this.board.clear();
    const marks = new Map(), labels = new Map(), badges = new Map(), paths = [];
    const mark = (place, ...classes) => marks.set(place, [...marks.get(place) ?? [], ...classes]);
    const at = this.shown();
    const own = walk?.steps.map(s => s.place) ?? [];
    if (!walk?.begun && trail.played.length) paths.push({places: trail.played.at(-1).places, kind: 'last'});
    if (walk?.begun) {
      mark(own.at(-1), 'held');
      for (const p of taken(position, at, own)) mark(p, 'taken');
      if (own.length > 1) paths.push({places: own, kind: 'made'});
    }
    if (walk && !this.editor) {
      if (walk.choice.length) {
        mark(walk.choice[0].place, 'target', 'chosen');
        for (const step of walk.choice) {
          for (const p of this.captured(step)) {
            mark(p, 'choice', game.way(step));
            badges.set(p, step.text.at(-1));
            labels.set(p, `captured by ${game.way(step)}`);
          }
        }
      } else {
        for (const [place, turn] of walk.next()) {
          mark(place, walk.begun ? 'target' : 'movable', this.worthClass(turn));
          labels.set(place, (walk.begun ? 'can go here' : 'can move') + (hints && turn.value ? `, ${worth(turn)}` : ''));
        }
      }
    }
    if (preview && !walk?.begun) {
      const steps = game.steps(preview.turn).map(s => s.place);
      const after = parse(game, preview.position, session.view.board);
      for (const p of taken(position, after, steps)) mark(p, 'taken');
      if (steps.length === 1) mark(steps[0], 'chosen');
      paths.push({places: steps, kind: 'preview'});
    }
    if (path) paths.push({places: path, kind: 'win'});
    this.board.show({game, position: at, marks, labels, badges, paths});
    this.showChoice();
  }

  // showChoice offers what can be done with a turn that is begun.
  showChoice() {
    const {walk, session} = this, buttons = [];
    if (walk?.choice.length) {
      for (const step of walk.choice) {
        const b = button(`By ${session.game.way(step)}: ${this.captured(step).join(', ')}`, () => this.take(step), 'way');
        b.dataset.way = step.text.at(-1).toLowerCase();
        buttons.push(b);
      }
    }
    const whole = walk?.begun && !walk.choice.length && walk.whole();
    if (whole) buttons.push(button(`Stop here: ${whole.turn}`, () => session.play(whole), 'stop'));
    if (walk?.begun) buttons.push(button('Take back', () => this.cancel()));
    $('choice').replaceChildren(...buttons);
  }
}

// taken lists the places that are emptied between two positions of a turn, but
// for those where it was.
function taken(before, after, own) {
  return [...before.cells.keys()].filter(p => !after.cells.has(p) && !own.includes(p));
}
