// Setting a position up: a palette of pieces, and the editor that the board's clicks
// go to meanwhile.

import {drawPiece, shape} from './board.js';
import {$, button, on, press, redraw} from './dom.js';
import {format, pieceOn} from './games.js';

export class Setup extends EventTarget {
  // Its events begun and ended say that a position is set up, and that one plays again.
  constructor(session, view) {
    super();
    this.session = session;
    this.view = view;
    this.piece = 0; // of the palette; the last one is the eraser
    this.draft = null; // the position as it is asked for
    this.past = []; // texts of positions before each edit
    session.on('view', () => {
      this.piece = 0;
      this.past = [];
    });
    for (const event of ['position', 'failed']) {
      session.on(event, () => {
        this.draft = null;
        this.show();
      });
    }
    on('setup', 'click', () => this.toggle());
    on('palette', 'keydown', event => this.key(event));
  }

  get at() { return this.view.editor === this; }

  toggle() {
    this.view.editor = this.at ? null : this;
    this.past = [];
    press($('setup'), this.at);
    this.view.cancel();
    this.show();
    this.dispatchEvent(new Event(this.at ? 'begun' : 'ended'));
  }

  palette() {
    return [...this.session.game.palette, {look: 'eraser', name: 'nothing: take a piece away'}];
  }

  show() {
    const {game, position} = this.session;
    $('palette').hidden = !this.at || !position;
    if ($('palette').hidden) return;
    const picks = this.palette().map((p, i) => {
      const b = button('', () => this.pick(i), 'pick');
      b.setAttribute('role', 'radio');
      b.setAttribute('aria-checked', String(i === this.piece));
      b.tabIndex = i === this.piece ? 0 : -1;
      b.setAttribute('aria-label', p.name);
      b.title = p.name;
      const svg = shape('svg', {viewBox: '-5 -5 10 10'});
      svg.append(...p.look === 'eraser' ? [shape('path', {d: 'M-3-3 3 3M3-3-3 3', class: 'erase'})] : drawPiece(p, 0, 0));
      b.append(svg);
      b.addEventListener('pointerdown', event => this.view.board.drag(event, p.look === 'eraser' ? null : p, {
        grab: () => true, drop: to => { this.piece = i; if (to) this.put(to); },
      }));
      return b;
    });
    const sides = game.sides.map((s, i) => {
      const b = button(`${s.name} to move`, () => this.edit(p => { p.side = i; }));
      press(b, position.side === i);
      return b;
    });
    const undo = button('Undo', () => this.undo(), 'undo');
    undo.disabled = this.past.length === 0;
    const clear = button('Clear', () => this.edit(p => { p.cells.clear(); p.off = null; }), 'clear');
    redraw($('palette'), ...picks, ...sides, clear, undo);
  }

  // key goes from piece to piece, as among radio buttons.
  key(event) {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    if (!step || event.target.getAttribute('role') !== 'radio' || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const pieces = this.palette().length;
    this.pick((this.piece + step + pieces) % pieces);
    $('palette').querySelector('[aria-checked=true]').focus();
  }

  pick(i) {
    this.piece = i;
    this.show();
  }

  // edit changes the position in place of playing a turn. It builds on edits that are
  // not answered yet.
  edit(change) {
    const {session} = this, before = this.draft ?? session.position;
    const next = {...before, cells: new Map(before.cells)};
    change(next);
    this.past.push(format(session.game, before));
    this.draft = next;
    session.go(format(session.game, next), session.trail.played.length ? 'push' : 'replace');
  }

  undo() {
    const text = this.past.pop();
    this.draft = null;
    this.session.go(text, 'replace');
  }

  // put sets the chosen piece on a place, or takes it away where it is already.
  put(place) {
    const {game} = this.session, p = this.palette()[this.piece];
    this.edit(next => {
      const spot = this.view.board.places.get(place);
      const had = pieceOn(game, next, place);
      lift(next, place);
      if (p.look === 'eraser' || had?.letter === game.letterAt(p, spot)) return;
      lay(game, next, spot, game.letterAt(p, spot));
    });
  }

  // move takes what is on a place to another, or away.
  move(from, to) {
    const {game} = this.session, {places} = this.view.board;
    this.edit(next => {
      const moved = pieceOn(game, next, from);
      if (!moved) return; // an edit before this one has just taken it away
      lift(next, from);
      if (to) lay(game, next, places.get(to), game.letterAt(moved, places.get(to)));
    });
  }
}

function lift(next, place) {
  next.cells.delete(place);
  if (next.off === place) next.off = null;
}

function lay(game, next, spot, letter) {
  if (letter === game.single) {
    for (const [place, l] of next.cells) if (l === letter) next.cells.delete(place);
    next.off = spot.on ? null : spot.name;
  }
  if (spot.on) next.cells.set(spot.name, letter);
}
