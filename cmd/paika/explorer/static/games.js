// How each game writes a position and a turn, and how its board is drawn. No
// rules: which turns there are, and where they lead, is the server's to say.
//
// A position here is {width, height, side, cells, off}: cells maps the name of a
// point to its letter, where it is not vacant, and off is the name of the place
// off the board where Phutball's ball is, if it is there. A place is
// {name, file, rank, on}, counted from 0 at the bottom left; on is false for
// those off the board.

const smallLetters = 'abcdefghijklmnopqrstuvwxyz';
const columnLetters = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';

function pointNamer(letters) {
  return (file, rank, width) => {
    const column = file < 0 ? '<' : file >= width ? '>' : letters[file];
    return column + (rank + 1);
  };
}

// points lists the points of a board, from the top left as it is read.
function points(game, {width, height}) {
  const all = [];
  for (let rank = height - 1; rank >= 0; rank--) {
    for (let file = 0; file < width; file++) all.push({name: game.pointName(file, rank, width), file, rank, on: true});
  }
  return all;
}

const stone = (letter, look, name) => ({letter, look, name});

export const games = {
  fanorona: {
    title: 'Fanorona',
    sides: [{word: 'w', name: 'White'}, {word: 'b', name: 'Black'}],
    pieces: [stone('W', 'white', 'white stone'), stone('B', 'black', 'black stone')],
    pointName: pointNamer(smallLetters),
    places(position) { return points(this, position); },
    letterAt: piece => piece.letter,
    steps: turn => turn.split('-').map(text => ({text, place: text.replace(/[AW]$/, '')})),
    way: step => ({A: 'approach', W: 'withdrawal'})[step.text.at(-1)] ?? '',
    note: place => (place.file + place.rank) % 2 === 0 ? 'strong point' : '',
    draw: drawLines,
  },
  konane: {
    title: 'Konane',
    sides: [{word: 'b', name: 'Black'}, {word: 'w', name: 'White'}],
    pieces: [stone('x', 'black', 'black stone'), stone('o', 'white', 'white stone')],
    palette: [stone('x', 'black', 'stone of the point\'s colour')],
    pointName: pointNamer(smallLetters),
    places(position) { return points(this, position); },
    letterAt: (piece, place) => (place.file + place.rank) % 2 === 0 ? 'x' : 'o',
    steps: turn => turn.startsWith('-') ? [{text: turn, place: turn.slice(1)}] : turn.split('-').map(place => ({text: place, place})),
    // Before two stones are gone the players have no colour.
    mover(position, turns) {
      if (!turns.some(t => t.turn.startsWith('-'))) return null;
      const full = position.cells.size === position.width * position.height;
      return full ? ['First player', 'Second player'] : ['Second player', 'First player'];
    },
    way: () => '',
    note: () => '',
    draw: drawPits,
  },
  phutball: {
    title: 'Phutball',
    sides: [{word: 'ohs', name: 'Ohs'}, {word: 'eks', name: 'Eks'}],
    pieces: [stone('*', 'man', 'man'), stone('@', 'ball', 'ball')],
    single: '@', // there is one
    pointName: pointNamer(columnLetters),
    places(position) {
      const {width, height} = position, all = points(this, position);
      for (const rank of [height, -1]) {
        for (let file = 0; file < width; file++) all.push({name: this.pointName(file, rank, width), file, rank, on: false});
      }
      return all;
    },
    letterAt: piece => piece.letter,
    steps: turn => turn.split('-').map(place => ({text: place, place})),
    way: () => '',
    note(place, {height}) {
      if (place.rank >= height - 1) return 'goal of Ohs';
      return place.rank <= 0 ? 'goal of Eks' : '';
    },
    draw: drawField,
    winInOne: true,
    margin: 1,
  },
};

// blank is a board with no pieces.
export function blank(board) {
  const [width, height] = board.split('x').map(Number);
  return {width, height, side: 0, cells: new Map(), off: null};
}

// parse reads a position as the server writes it.
export function parse(game, text, board) {
  const position = blank(board);
  const words = text.trim().split(' ');
  if (words.length === 3 && words[0].startsWith('@')) position.off = words.shift().slice(1);
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
  const off = position.off ? `@${position.off} ` : '';
  return `${off}${rows.join('/')} ${game.sides[position.side].word}`;
}

// pieceOn is the piece on a place, if there is one.
export function pieceOn(game, position, place) {
  const letter = position.off === place ? '@' : position.cells.get(place);
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

function drawField(position, at, shape) {
  const {width, height} = position, all = [];
  for (const [rank, off, owner] of [[height - 1, height, 'ohs'], [0, -1, 'eks']]) {
    const [x1, y1] = at(0, rank), [x2, y2] = at(width - 1, off);
    const [top, bottom] = y2 < y1 ? [y2 - 4, y1] : [y1, y2 + 4];
    all.push(shape('rect', {x: Math.min(x1, x2) - 5, y: top, width: Math.abs(x1 - x2) + 10, height: bottom - top, class: `goal ${owner}`}));
  }
  all.push(...grid(position, at, shape));
  for (const [rank, owner] of [[height - 1, 'ohs'], [0, 'eks']]) {
    all.push(line(at, shape, `goal-line ${owner}`, [0, rank], [width - 1, rank]));
  }
  const [x, top] = at((width - 1) / 2, height), [, bottom] = at((width - 1) / 2, -1);
  all.push(shape('text', {x, y: top, class: 'goal-name'}, 'Ohs scores here'));
  all.push(shape('text', {x, y: bottom, class: 'goal-name'}, 'Eks scores here'));
  return all;
}
