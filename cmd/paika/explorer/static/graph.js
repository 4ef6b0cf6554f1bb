// The value of the position through the game, drawn as a line: the higher, the
// sooner the first side of the game wins. It is one control: arrow keys and clicks go
// from turn to turn, and what a point means is said in words.

import {shape} from './board.js';
import {parse} from './games.js';
import {gave, stand} from './tree.js';
import {plural} from './words.js';

const width = 320, height = 96, left = 6, right = 6, half = 36, middle = height / 2;

export class Graph {
  // go(node) is called for the point that one goes to.
  constructor(parent, go) {
    this.parent = parent;
    this.go = go;
    this.aim = null; // the index of the point that a key went to, until it is shown
    parent.addEventListener('keydown', event => this.key(event));
    parent.addEventListener('click', event => this.click(event));
  }

  // show draws a line of nodes of a game on a board, one of them the current.
  show(line, current, game, board) {
    this.line = line;
    this.at = line.indexOf(current);
    this.aim = null;
    const {sides} = game, positions = line.map(n => parse(game, n.position, board));
    const levels = scores(line, i => game.sideOf(positions[i], line.slice(i + 1, i + 2))), known = levels.filter(s => s !== null).length;
    this.parent.hidden = known < 2;
    if (this.parent.hidden) return this.parent.replaceChildren();
    const had = this.parent.contains(document.activeElement);
    const x = i => left + (width - left - right) * (line.length === 1 ? 0 : i / (line.length - 1));
    this.x = x;
    const names = game.names(positions[this.at], [current, ...current.next]); // a removal leads to another
    const svg = shape('svg', {
      viewBox: `0 0 ${width} ${height}`, class: 'graph', tabindex: 0, role: 'slider', 'aria-label': 'Value through the game',
      'aria-valuemin': 0, 'aria-valuemax': line.length - 1, 'aria-valuenow': this.at, 'aria-valuetext': words(current, this.at, names),
    });
    svg.append(shape('rect', {x: 0, y: 0, width, height, class: 'ground'}), shape('line', {x1: 0, y1: middle, x2: width, y2: middle, class: 'level'}));
    [8, height - 4].forEach((y, i) => svg.append(shape('text', {x: 4, y, class: `side tone-${sides[i].colour}`}, `${sides[i].name} wins`)));
    for (const run of runs(levels)) svg.append(shape('polyline', {points: run.map(i => `${x(i)},${middle - half * levels[i]}`).join(' '), class: 'course'}));
    const small = line.length > 60;
    levels.forEach((level, i) => {
      const cy = middle - half * (level ?? 0), lost = gave(line[i]);
      if (lost === 'value') svg.append(shape('path', {d: `M${x(i)} ${cy - 4}l4 7h-8z`, class: 'slip'}));
      else if (!small || i === this.at) svg.append(shape('circle', {cx: x(i), cy, r: 2, class: level === null ? 'point unknown' : 'point'}));
    });
    svg.append(shape('line', {x1: x(this.at), y1: middle - half - 1, x2: x(this.at), y2: middle + half + 1, class: 'now'}));
    this.parent.replaceChildren(svg);
    if (had) svg.focus({preventScroll: true});
  }

  key(event) {
    const at = this.aim ?? this.at, next = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: this.line.length - 1}[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.line[next] || next === at) return;
    this.aim = next;
    this.go(this.line[next]);
  }

  click(event) {
    const box = this.parent.firstElementChild.getBoundingClientRect(), at = (event.clientX - box.left) * width / box.width;
    const distance = i => Math.abs(this.x(i) - at);
    const nearest = this.line.keys().reduce((a, b) => distance(b) < distance(a) ? b : a, 0);
    this.go(this.line[nearest]);
  }
}

// scores are from 1, where the first side of the game has won, to -1; null where nothing is
// known. sideOf(i) is the number of the side to move at a node, which the turn made there tells
// where nobody has a colour before it. A win without distance stands where one of middling
// distance would.
function scores(line, sideOf) {
  const far = Math.max(1, ...line.map(n => stand(n)?.distance ?? 0));
  return line.map((n, i) => {
    const at = stand(n);
    if (!at) return null;
    if (at.value === 'draw') return 0;
    const size = 1 - 0.6 * (at.distance === null ? 0.5 : at.distance / far);
    return (at.value === 'win') === (sideOf(i) === 0) ? size : -size;
  });
}

// runs are the indices of scores that are known one after the other.
function runs(levels) {
  const all = [[]];
  levels.forEach((level, i) => level === null ? all.push([]) : all.at(-1).push(i));
  return all.filter(run => run.length > 1);
}

// words say what a point is; the names are those of who moves there and the other.
function words(node, i, [mover, other]) {
  const at = stand(node), turn = node.parent ? `turn ${i}, ${node.mover}: ${node.turn}` : 'the beginning';
  if (!at) return `${turn}, value not known`;
  if (at.value === 'draw') return `${turn}, draw`;
  return `${turn}, ${at.value === 'win' ? mover : other} wins` + (at.distance === null ? '' : ` in ${plural(at.distance, 'turn')}`);
}
