// How a game writes a position and a turn, and how its board is drawn, by the look
// that the server tells of it. No rules: which turns there are, and where they lead,
// is the server's to say.
//
// A position here is {width, height, side, cells, off}: cells maps the name of a
// point to its letter, where it is not vacant, and off is the name of the place
// off the board where the single piece is, if it is there. A place is
// {name, file, rank, on}, counted from 0 at the bottom left; on is false for
// those off the board.

// A Game is a look with what follows from it.
export class Game {
  constructor(look) {
    Object.assign(this, look);
    this.pieces = look.pieces.map(p => ({...p, look: p.colour}));
    this.palette = look.alternating ? [{...this.pieces[0], name: 'stone of the point\'s colour'}] : this.pieces;
    this.single = look.pieces.find(p => p.single)?.letter; // there is one
    this.margin = look.goals ? 1 : 0; // ranks off the board, above and below
  }

  pointName(file, rank, width) {
    const column = file < 0 ? '<' : file >= width ? '>' : this.files[file];
    return column + (rank + 1);
  }

  // places lists the points of a board, from the top left as it is read, and then
  // the places off it: behind goals and, where there is room beside the board, past corners.
  places({width, height}, beside = false) {
    const all = [];
    const add = (rank, on) => {
      const room = beside && !on ? 1 : 0;
      for (let file = -room; file < width + room; file++) all.push({name: this.pointName(file, rank, width), file, rank, on});
    };
    for (let rank = height - 1; rank >= 0; rank--) add(rank, true);
    if (this.goals) for (const rank of [height, -1]) add(rank, false);
    return all;
  }

  // letterAt is the letter of a piece that is set on a place.
  letterAt(piece, place) {
    return this.alternating ? this.pieces[(place.file + place.rank) % 2].letter : piece.letter;
  }

  // pastCorner tells whether a place, or one that a turn names, is past a corner.
  pastCorner(text) { return /[<>]/.test(text); }

  // steps takes a turn apart: the points that it names, each with the letter behind.
  steps(turn) {
    return [...turn.matchAll(/([A-Za-z<>]\d+)([A-Z]?)/g)].map(([text, place]) => ({text, place}));
  }

  way(step) { return this.ways[step.text.at(-1)] ?? ''; }

  // names are those of the player to move and of the other, by turns that may be made: of
  // players while stones are removed, and then of sides.
  names(position, turns) {
    const removed = position.width * position.height - position.cells.size;
    if (removed > 1 || !removals(turns).length) return [this.sides[position.side].name, this.sides[1 - position.side].name];
    return removed === 0 ? ['First player', 'Second player'] : ['Second player', 'First player'];
  }

  // sideOf is the number of the side to move, by turns that may be made: who removes a stone
  // plays its colour. It is null where that may be either.
  sideOf(position, turns) {
    const colours = new Set(removals(turns).map(t => pieceOn(this, position, t.turn.slice(1)).colour));
    if (colours.size === 0) return position.side;
    return colours.size > 1 ? null : this.sides.findIndex(s => colours.has(s.colour));
  }

  // tone is the class of what a value is to a side: the colour of who wins, or that
  // of a draw. There is none where it has no side yet.
  tone(value, side) {
    if (value === 'draw') return 'tone-even';
    return side === null ? '' : `tone-${this.sides[value === 'win' ? side : 1 - side].colour}`;
  }

  note(place, {height}) {
    if (this.board === 'diagonals' && (place.file + place.rank) % 2 === 0) return 'strong point';
    if (this.goals && place.rank >= height - 1) return `goal of ${this.sides[0].name}`;
    return this.goals && place.rank <= 0 ? `goal of ${this.sides[1].name}` : '';
  }

  draw(position, at, shape) {
    if (this.goals) return drawField(this, position, at, shape);
    return {lines: grid, diagonals: drawLines, pits: drawPits, squares: drawSquares}[this.board](position, at, shape);
  }
}

const removals = turns => turns.filter(({turn}) => turn?.startsWith('-'));

// blank is a board with no pieces.
export function blank(board) {
  const [width, height] = board.split('x').map(Number);
  return {width, height, side: 0, cells: new Map(), off: null};
}

// parse reads a position as the server writes it.
export function parse(game, text, board) {
  const position = blank(board);
  const words = text.trim().split(' ');
  if (words.length === 3 && game.single && words[0].startsWith(game.single)) position.off = words.shift().slice(1);
  const rows = (words[0] ?? '').split('/');
  const side = game.sides.findIndex(s => s.word === words[1]);
  if (words.length !== 2 || side < 0 || rows.length !== position.height) return null;
  position.side = side;
  for (const [i, row] of rows.entries()) {
    if (row.length !== position.width) return null;
    for (const [file, letter] of [...row].entries()) {
      if (letter === '.') continue;
      if (!game.pieces.some(p => p.letter === letter)) return null;
      position.cells.set(game.pointName(file, position.height - 1 - i, position.width), letter);
    }
  }
  return position;
}

// format writes a position as the server reads it.
export function format(game, position) {
  const rows = [];
  for (let rank = position.height - 1; rank >= 0; rank--) {
    let row = '';
    for (let file = 0; file < position.width; file++) row += position.cells.get(game.pointName(file, rank, position.width)) ?? '.';
    rows.push(row);
  }
  const off = position.off ? `${game.single}${position.off} ` : '';
  return `${off}${rows.join('/')} ${game.sides[position.side].word}`;
}

// pieceOn is the piece on a place, if there is one.
export function pieceOn(game, position, place) {
  const letter = position.off === place ? game.single : position.cells.get(place);
  return game.pieces.find(p => p.letter === letter);
}

// The boards. at(file, rank) gives the coordinates of a point, ten units apart;
// shape(name, attributes) makes an SVG element.

function line(at, shape, className, from, to) {
  const [x1, y1] = at(...from), [x2, y2] = at(...to);
  return shape('line', {x1, y1, x2, y2, class: className});
}

function grid({width, height}, at, shape) {
  const all = [];
  for (let file = 0; file < width; file++) all.push(line(at, shape, 'line', [file, 0], [file, height - 1]));
  for (let rank = 0; rank < height; rank++) all.push(line(at, shape, 'line', [0, rank], [width - 1, rank]));
  return all;
}

function drawLines(position, at, shape) {
  const all = grid(position, at, shape), {width, height} = position;
  for (let file = 0; file < width; file++) {
    for (let rank = 0; rank < height; rank++) {
      if ((file + rank) % 2) continue;
      for (const step of [-1, 1]) {
        if (rank + 1 < height && file + step >= 0 && file + step < width) {
          all.push(line(at, shape, 'line', [file, rank], [file + step, rank + 1]));
        }
      }
    }
  }
  for (let file = 0; file < width; file++) {
    for (let rank = 0; rank < height; rank++) {
      const [cx, cy] = at(file, rank), strong = (file + rank) % 2 === 0;
      if (strong) all.push(shape('circle', {cx, cy, r: 1.1, class: 'strong'}));
    }
  }
  return all;
}

function drawPits(position, at, shape) {
  const all = [];
  for (let file = 0; file < position.width; file++) {
    for (let rank = 0; rank < position.height; rank++) {
      const [cx, cy] = at(file, rank), dark = (file + rank) % 2 === 0;
      all.push(shape('circle', {cx, cy, r: 1.8, class: dark ? 'pit dark' : 'pit'}));
    }
  }
  return all;
}

function drawSquares(position, at, shape) {
  const all = [];
  for (let file = 0; file < position.width; file++) {
    for (let rank = 0; rank < position.height; rank++) {
      const [x, y] = at(file, rank), dark = (file + rank) % 2 === 0;
      all.push(shape('rect', {x: x - 5, y: y - 5, width: 10, height: 10, class: dark ? 'square dark' : 'square'}));
    }
  }
  return all;
}

// drawField draws goals behind the ranks that the sides play to.
function drawField({sides}, position, at, shape) {
  const {width, height} = position, all = [], [first, second] = sides;
  for (const [rank, off] of [[height - 1, height], [0, -1]]) {
    const [x1, y1] = at(0, rank), [x2, y2] = at(width - 1, off);
    const [top, bottom] = y2 < y1 ? [y2 - 4, y1] : [y1, y2 + 4];
    all.push(shape('rect', {x: Math.min(x1, x2) - 5, y: top, width: Math.abs(x1 - x2) + 10, height: bottom - top, class: 'goal'}));
  }
  all.push(...grid(position, at, shape));
  for (const [rank, owner] of [[height - 1, first], [0, second]]) {
    all.push(line(at, shape, `goal-line tone-${owner.colour}`, [0, rank], [width - 1, rank]));
  }
  const [x, top] = at((width - 1) / 2, height), [, bottom] = at((width - 1) / 2, -1);
  all.push(shape('text', {x, y: top, class: 'goal-name'}, `${first.name} scores here`));
  all.push(shape('text', {x, y: bottom, class: 'goal-name'}, `${second.name} scores here`));
  return all;
}
