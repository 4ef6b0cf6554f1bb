// The board on the page: draws a position with marks, and tells which places are
// clicked, dragged to or chosen by key. Coordinates are ten units a point.

import {pieceOn} from './games.js';

const namespace = 'http://www.w3.org/2000/svg';
const spacing = 10, edge = 9, stoneRadius = 3.9, reach = 4.9;

function shape(name, attributes = {}, text = '') {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

export class Board {
  // chosen(place) is called for a click or its key; dragged(from, to) where a
  // piece was dragged, to null where that is off the board; grabbed(from) as a
  // drag begins. It answers whether there is something to drag.
  constructor(parent, {chosen, dragged, grabbed}) {
    this.parent = parent;
    this.handlers = {chosen, dragged, grabbed};
    this.flipped = false;
    this.focus = null; // name of the place that the keyboard is at
    parent.addEventListener('click', event => this.click(event));
    parent.addEventListener('keydown', event => this.key(event));
    parent.addEventListener('pointerdown', event => this.press(event));
    parent.addEventListener('focusin', event => { this.focus = placeAt(event.target) ?? this.focus; });
  }

  // show draws everything anew. marks maps the names of places to a list of
  // classes; labels to what a screen reader is told besides; badges to a letter;
  // paths is a list of {places, kind}.
  show({game, position, marks = new Map(), labels = new Map(), badges = new Map(), paths = []}) {
    const had = this.parent.contains(document.activeElement);
    Object.assign(this, {game, position});
    const margin = edge + spacing * game.margin;
    const width = (position.width - 1) * spacing + 2 * edge, height = (position.height - 1) * spacing + 2 * margin;
    const at = (file, rank) => {
      const x = edge + spacing * file, y = margin + spacing * (position.height - 1 - rank);
      return this.flipped ? [width - x, height - y] : [x, y];
    };
    this.places = new Map(game.places(position).map(p => [p.name, p]));
    this.at = name => {
      const p = this.places.get(name);
      return p ? at(p.file, p.rank) : null;
    };
    const svg = shape('svg', {
      viewBox: `0 0 ${width} ${height}`, role: 'group', class: `board ${Math.max(position.width, position.height) < 7 ? 'small' : position.width > 9 ? 'large' : ''}`,
      'aria-label': `${game.title} board, ${position.width} by ${position.height}. Arrow keys go from point to point.`,
    });
    svg.append(shape('rect', {x: 0, y: 0, width, height, rx: 2.5, class: 'wood'}));
    svg.append(...game.draw(position, at, shape), ...this.coordinates(at));
    if (!this.places.has(this.focus)) this.focus = this.places.keys().next().value;
    for (const path of paths.filter(p => p.kind === 'last')) svg.append(...this.path(path));
    for (const place of this.places.values()) svg.append(this.place(place, marks.get(place.name) ?? [], labels.get(place.name), badges.get(place.name)));
    for (const path of paths.filter(p => p.kind !== 'last')) svg.append(...this.path(path));
    this.svg = svg;
    this.parent.replaceChildren(svg);
    if (had) this.element(this.focus)?.focus({preventScroll: true});
  }

  clear() { this.parent.replaceChildren(); }

  element(name) { return this.svg.querySelector(`[data-place="${CSS.escape(name)}"]`); }

  coordinates(at) {
    const {position, game} = this, all = [];
    for (let file = 0; file < position.width; file++) {
      const [x] = at(file, 0), y = Math.max(at(0, 0)[1], at(0, position.height - 1)[1]) + spacing * game.margin + 7.4;
      all.push(shape('text', {x, y, class: 'coordinate'}, game.pointName(file, 0, position.width).replace(/\d+$/, '')));
    }
    for (let rank = 0; rank < position.height; rank++) {
      const y = at(0, rank)[1], x = Math.min(at(0, 0)[0], at(position.width - 1, 0)[0]) - 6.8;
      all.push(shape('text', {x, y, class: 'coordinate'}, String(rank + 1)));
    }
    return all;
  }

  place(place, classes, label, badge) {
    const {game, position} = this, piece = pieceOn(game, position, place.name), [cx, cy] = this.at(place.name);
    const words = [place.name, piece?.name ?? (place.on ? 'vacant' : 'off the board'), game.note(place, position), label];
    const group = shape('g', {
      class: ['place', piece ? '' : 'vacant', ...classes].join(' '), 'data-place': place.name, role: 'button',
      tabindex: place.name === this.focus ? 0 : -1, 'aria-label': words.filter(Boolean).join(', '),
    });
    group.append(shape('circle', {cx, cy, r: reach, class: 'reach'}));
    if (piece) group.append(...drawPiece(piece, cx, cy));
    group.append(shape('circle', {cx, cy, r: piece ? stoneRadius + 0.1 : 1.7, class: 'mark'}));
    if (classes.includes('taken')) {
      const d = 2.6;
      group.append(shape('path', {d: `M${cx - d} ${cy - d}L${cx + d} ${cy + d}M${cx + d} ${cy - d}L${cx - d} ${cy + d}`, class: 'cross'}));
    }
    if (badge) group.append(shape('text', {x: cx, y: cy, class: 'badge'}, badge));
    group.append(shape('circle', {cx, cy, r: reach - 0.3, class: 'focus'}));
    return group;
  }

  // path is a line through places, with an arrow's head.
  path({places, kind}) {
    const spots = places.map(p => this.at(p)).filter(Boolean);
    if (spots.length < 2) return [];
    const all = [shape('polyline', {points: spots.map(p => p.join()).join(' '), class: `path ${kind}`})];
    const [[x1, y1], [x2, y2]] = spots.slice(-2), angle = Math.atan2(y2 - y1, x2 - x1);
    const corner = turn => [x2 - 4.5 * Math.cos(angle + turn), y2 - 4.5 * Math.sin(angle + turn)].join();
    all.push(shape('polygon', {points: `${x2},${y2} ${corner(0.45)} ${corner(-0.45)}`, class: `head ${kind}`}));
    return all;
  }

  click(event) {
    const place = placeAt(event.target);
    if (place) {
      this.focus = place;
      this.handlers.chosen(place);
    }
  }

  key(event) {
    const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
    const here = this.places.get(placeAt(event.target));
    if (!here || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.handlers.chosen(here.name);
    } else if (steps[event.key]) {
      event.preventDefault();
      const [file, rank] = steps[event.key].map(n => this.flipped ? -n : n);
      const next = [...this.places.values()].find(p => p.file === here.file + file && p.rank === here.rank + rank);
      if (!next) return;
      this.element(here.name).setAttribute('tabindex', -1);
      this.focus = next.name;
      const element = this.element(next.name);
      element.setAttribute('tabindex', 0);
      element.focus({preventScroll: true});
    }
  }

  press(event) {
    const from = placeAt(event.target);
    if (!from || event.button !== 0) return;
    this.drag(event, pieceOn(this.game, this.position, from), {
      grab: () => this.handlers.grabbed(from),
      drop: to => { if (to !== from) this.handlers.dragged(from, to); },
    });
  }

  // drag follows the pointer with a piece until it is let go. drop gets the place
  // there, or null.
  drag(event, piece, {grab, drop}) {
    const begin = [event.clientX, event.clientY];
    let ghost = null;
    const move = e => {
      if (!ghost) {
        if (Math.hypot(e.clientX - begin[0], e.clientY - begin[1]) < 6) return;
        if (!piece || !grab()) return end();
        ghost = shape('g', {class: 'ghost'});
        ghost.append(...drawPiece(piece, 0, 0));
        this.svg.append(ghost);
      }
      if (!ghost.isConnected) this.svg.append(ghost);
      const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      ghost.setAttribute('transform', `translate(${p.x} ${p.y})`);
    };
    const up = e => {
      if (ghost) drop(placeAt(document.elementFromPoint(e.clientX, e.clientY)) ?? null);
      end();
    };
    const end = () => {
      ghost?.remove();
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', end);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', end);
  }
}

// drawPiece draws a stone, a man or the ball.
export function drawPiece(piece, cx, cy) {
  const all = [shape('circle', {cx, cy, r: stoneRadius, class: `piece ${piece.look}`})];
  if (piece.look === 'ball') all.push(shape('circle', {cx, cy, r: 1.5, class: 'piece heart'}));
  return all;
}

export { shape };

function placeAt(element) { return element?.closest?.('[data-place]')?.dataset.place; }
