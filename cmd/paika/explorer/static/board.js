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
  // classes; labels to what a screen reader is told besides; chips to {text, tone,
  // tag}: a few characters on a ground of a tone's colour, and perhaps a letter at
  // its corner; paths is a list of {places, kind, tone}. A tone is a class, or none.
  // beside asks for the places past the corners.
  show({game, position, marks = new Map(), labels = new Map(), chips = new Map(), paths = [], beside = false}) {
    const had = this.parent.contains(document.activeElement);
    Object.assign(this, {game, position});
    const margin = edge + spacing * game.margin;
    const side = edge + (beside ? spacing : 0);
    const width = (position.width - 1) * spacing + 2 * side, height = (position.height - 1) * spacing + 2 * margin;
    const at = (file, rank) => {
      const x = side + spacing * file, y = margin + spacing * (position.height - 1 - rank);
      return this.flipped ? [width - x, height - y] : [x, y];
    };
    this.places = new Map(game.places(position, beside).map(p => [p.name, p]));
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
    const past = ['last', 'made'];
    for (const path of paths.filter(p => past.includes(p.kind))) svg.append(...this.path(path));
    for (const place of this.places.values()) svg.append(this.place(place, marks.get(place.name) ?? [], labels.get(place.name)));
    for (const path of paths.filter(p => !past.includes(p.kind))) svg.append(this.arrow(path, chips));
    for (const [place, chip] of chips) svg.append(...this.chip(place, chip));
    this.svg = svg;
    this.parent.replaceChildren(svg);
    if (had) this.element(this.focus)?.focus({preventScroll: true});
  }

  blank() { this.parent.replaceChildren(); }

  element(name) { return this.svg.querySelector(`[data-place="${CSS.escape(name)}"]`); }

  coordinates(at) {
    const {position, game} = this, all = [];
    for (let file = 0; file < position.width; file++) {
      const [x] = at(file, 0), y = Math.max(at(0, 0)[1], at(0, position.height - 1)[1]) + spacing * game.margin + 6.9;
      all.push(shape('text', {x, y, class: 'coordinate'}, game.pointName(file, 0, position.width).replace(/\d+$/, '')));
    }
    for (let rank = 0; rank < position.height; rank++) {
      const y = at(0, rank)[1], x = Math.min(at(0, 0)[0], at(position.width - 1, 0)[0]) - 6.8;
      all.push(shape('text', {x, y, class: 'coordinate'}, String(rank + 1)));
    }
    return all;
  }

  place(place, classes, label) {
    const {game, position} = this, piece = pieceOn(game, position, place.name), [cx, cy] = this.at(place.name);
    const words = [place.name, piece?.name ?? (place.on ? 'vacant' : 'off the board'), game.note(place, position), label];
    const group = shape('g', {
      class: ['place', piece ? '' : 'vacant', ...classes].join(' '), 'data-place': place.name, role: 'button',
      tabindex: place.name === this.focus ? 0 : -1, 'aria-label': words.filter(Boolean).join(', '),
    });
    group.append(shape('circle', {cx, cy, r: reach, class: 'reach'}));
    if (piece) group.append(...drawPiece(piece, cx, cy));
    const ring = piece || classes.includes('chosen') || classes.includes('best');
    group.append(shape('circle', {cx, cy, r: ring ? stoneRadius + 0.5 : classes.includes('target') ? 2.1 : 0.6, class: 'mark'}));
    if (classes.includes('taken')) group.append(...cased(`M${cx - 2} ${cy - 2}l4 4m0-4l-4 4`, 'cross'));
    group.append(shape('circle', {cx, cy, r: reach - 0.3, class: 'focus'}));
    return group;
  }

  // path is a line through places that lies below the pieces, and a ring where it began.
  path({places, kind}) {
    const spots = places.map(p => this.at(p)).filter(Boolean), [cx, cy] = spots[0] ?? [];
    if (spots.length < 2) return [];
    return [shape('path', {d: `M${spots.map(p => p.join(' ')).join('L')}`, class: `path ${kind}`}), shape('circle', {cx, cy, r: 2, class: `path ${kind}`})];
  }

  // arrow is a line through places with a head, which ends before a chip.
  arrow({places, kind, tone = ''}, chips) {
    const spots = places.map(p => this.at(p)).filter(Boolean), group = shape('g', {class: `arrow ${kind} ${tone}`});
    if (spots.length < 2) return group;
    const chip = chips.get(places.at(-1));
    group.append(...drawArrow(spots, angle => chip ? this.extent(chip, angle) : 0.4));
    return group;
  }

  // chip is a few characters on a ground. Few characters are large ones; a stone, or
  // the way to the next point, has room for four. A large board in a narrow window
  // has room for one (board.css), the sign.
  chip(place, {text, tone = '', tag}) {
    if (!this.places.has(place)) return [];
    const [cx, cy] = this.at(place), group = shape('g', {class: `chip ${tone}`, 'aria-hidden': true});
    for (const [kind, words] of [['full', text], ['brief', text[0]]]) {
      const {size, width, height} = this.measure(words);
      group.append(shape('rect', {x: cx - width / 2, y: cy - height / 2, width, height, rx: height / 2, class: kind}));
      group.append(shape('text', {x: cx, y: cy, 'font-size': size, class: kind}, words));
    }
    if (tag) {
      const x = cx - 3.1, y = cy - 3.1;
      group.append(shape('circle', {cx: x, cy: y, r: 1.7, class: 'tag'}), shape('text', {x, y, 'font-size': 2.5, class: 'tag'}, tag));
    }
    return [group];
  }

  // measure gives the size of a chip's letters, and of the chip.
  measure(text) {
    const {width: files, height: ranks} = this.position, scale = files > 9 ? 1.15 : Math.max(files, ranks) < 7 ? 0.9 : 1;
    const size = scale * ([4, 3.4, 2.9, 2.4][text.length - 1] ?? 2);
    return {size, width: Math.max(size * (0.68 * text.length + 0.5), 1.35 * size), height: 1.35 * size};
  }

  // extent is how far from the middle of a chip one is out of it, at an angle.
  extent({text}, angle) {
    const {width, height} = this.measure(text);
    return Math.min(width / 2 / Math.abs(Math.cos(angle)), height / 2 / Math.abs(Math.sin(angle))) + 0.5;
  }

  click(event) { this.choose(placeAt(event.target)); }

  choose(place) {
    if (!place) return;
    this.focus = place;
    this.handlers.chosen(place);
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

  // press begins a drag, or a click. Of a mouse's click the browser tells nothing where
  // what was pressed is drawn anew before the button is let go.
  press(event) {
    const from = placeAt(event.target);
    if (!from || event.button !== 0) return;
    this.drag(event, pieceOn(this.game, this.position, from), {
      grab: () => this.handlers.grabbed(from),
      drop: to => { if (to !== from) this.handlers.dragged(from, to); },
      stay: to => { if (to === from && event.pointerType === 'mouse' && !event.target.isConnected) this.choose(from); },
    });
  }

  // drag follows the pointer with a piece until it is let go. drop gets the place
  // there, or null; stay does where nothing was dragged.
  drag(event, piece, {grab, drop, stay = () => {}}) {
    const begin = [event.clientX, event.clientY];
    let ghost = null;
    const move = e => {
      if (!ghost) {
        if (Math.hypot(e.clientX - begin[0], e.clientY - begin[1]) < 6) return;
        if (!piece || !grab()) return removeEventListener('pointermove', move);
        ghost = shape('g', {class: 'ghost'});
        ghost.append(...drawPiece(piece, 0, 0));
        this.svg.append(ghost);
      }
      if (!ghost.isConnected) this.svg.append(ghost);
      const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      ghost.setAttribute('transform', `translate(${p.x} ${p.y})`);
    };
    const up = e => {
      const act = ghost ? drop : stay;
      act(placeAt(document.elementFromPoint(e.clientX, e.clientY)) ?? null);
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

// drawArrow is a line through spots with a head. short gives how far before the last spot it ends,
// by the angle at which it comes there.
export function drawArrow(spots, short) {
  const [[x1, y1], [x2, y2]] = spots.slice(-2), angle = Math.atan2(y2 - y1, x2 - x1);
  const before = ([x, y], far, turn) => [x - far * Math.cos(angle + turn), y - far * Math.sin(angle + turn)];
  const tip = before([x2, y2], short(angle), 0), barb = turn => before(tip, 2.6, turn).join(' ');
  const line = [...spots.slice(0, -1), tip].map(p => p.join(' ')).join('L');
  return cased(`M${line}M${barb(0.6)}L${tip.join(' ')}L${barb(-0.6)}`, 'path');
}

// cased is a path twice: a broad one below, that shows it on wood and on every stone.
function cased(d, name) { return ['under', ''].map(layer => shape('path', {d, class: `${name} ${layer}`.trim()})); }

export { shape };

function placeAt(element) { return element?.closest?.('[data-place]')?.dataset.place; }
