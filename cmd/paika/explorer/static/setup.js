// Setting a position up: a palette of pieces, and the editor that the board's clicks
// go to meanwhile.

import {drawPiece, shape} from './board.js';
import {$, button, on, outlasting, press, redraw} from './dom.js';
import {format, pieceOn} from './games.js';

export class Setup extends EventTarget {
  // Its events begun and ended say that a position is set up, and that one plays again.
  constructor(session, view) {
    super();
    this.session = session;
    this.view = view;
    this.piece = 0; // of the palette; the last one is the eraser
    this.shown = null; // the edit that is shown: {position, before}, with the one that it built on
    this.asked = null; // the edit that is asked for: the same, unless another is on its way
    session.on('view', () => {
      this.piece = 0;
      this.restart();
    });
    session.on('position', () => {
      this.arrive();
      this.show();
    });
    session.on('failed', () => {
      if (!session.waiting) this.asked = this.shown; // else another is still on its way
      this.show();
    });
    on('setup', 'click', () => this.toggle());
    on('palette', 'keydown', event => this.key(event));
  }

  get at() { return this.view.editor === this; }

  toggle() {
    this.view.editor = this.at ? null : this;
    this.restart();
    press($('setup'), this.at);
    this.view.cancel();
    this.show();
    this.dispatchEvent(new Event(this.at ? 'begun' : 'ended'));
  }

  // restart leaves nothing to undo.
  restart() { this.shown = this.asked = {position: this.session.position, before: null}; }

  // arrive takes in the position that is shown now. One that was not asked for here is undone
  // like an edit.
  arrive() {
    const {shown, asked, session: {game, position}} = this;
    if (!this.at || !position || !shown.position) return this.restart();
    const other = shown === asked && format(game, position) !== format(game, shown.position);
    this.shown = this.asked = {position, before: other ? shown : asked.before};
  }

  palette() {
    return [...this.session.game.palette, {look: 'eraser', name: 'nothing: take a piece away'}];
  }

  show() {
    const {game, position} = this.session;
    $('palette').hidden = !this.at || !position;
    $('setup').disabled = !this.at && !position;
    if ($('palette').hidden) return;
    const picks = this.palette().map((p, i) => {
      const b = button('', () => this.pick(i), 'pick');
      if (i === this.piece) outlasting(b, 'chosen'); // the keyboard stays on it
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
    undo.disabled = this.asked.before === null;
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
  }

  pick(i) {
    this.piece = i;
    this.show();
  }

  // edit changes the position in place of playing a turn. It builds on edits that are
  // not answered yet.
  edit(change) {
    const {position} = this.asked, next = {...position, cells: new Map(position.cells)};
    change(next);
    this.ask({position: next, before: this.asked});
  }

  undo() { this.ask(this.asked.before); }

  // ask goes to what an edit, or an undone one, makes. Who has played comes back to that by Back.
  ask(next) {
    const {session} = this;
    this.asked = next;
    this.show();
    session.go(format(session.game, next.position), session.trail.played.length ? 'push' : 'replace');
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
