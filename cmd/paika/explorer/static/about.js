// What one has to know: the rules of the game with a picture, and what there is where
// no tables are.

import {drawArrow, drawPiece, shape} from './board.js';
import {$, commandWords, copy, on} from './dom.js';
import {parse, pieceOn} from './games.js';
import {cost, sign} from './words.js';

// colours are the names of those that tell the sides apart, as style.css has them.
const colours = {white: 'blue', black: 'orange'};

export class About {
  constructor(session) {
    this.session = session;
    $('about').open = matchMedia('(min-width: 52rem)').matches;
    session.on('view', () => this.show());
    session.on('hints', () => { $('legend').hidden = !session.hints; });
    session.on('catalogue', () => this.greet());
    on('copy-first', 'click', () => copy($('first-build').textContent, $('copy-first')));
    on('reload', 'click', () => location.reload());
    this.greet();
  }

  show() {
    const {game} = this.session, {rules, example} = game;
    $('about-title').textContent = `How ${game.title} is played`;
    $('about-rules').replaceChildren(...rules.map(line => Object.assign(document.createElement('li'), {textContent: line})));
    $('example').replaceChildren(picture(game, example));
    $('example-text').textContent = example.text;
    $('legend').replaceChildren(...legend(game));
  }

  // greet tells how the first tables are made.
  greet() {
    const {greeting} = this.session.catalogue;
    $('greeting').hidden = !greeting;
    if (!greeting) return;
    $('first-cost').textContent = greeting.build_cost ? ` It takes ${cost(greeting.build_cost)}.` : '';
    $('first-build').replaceChildren(...commandWords(greeting.build));
  }
}

// legend says what the signs and colours of values mean. Some tables know no distances, which leaves
// the sign alone.
function legend({sides}) {
  const [wins, draws, loses] = ['win', 'draw', 'loss'].map(value => sign({value, distance: null}));
  const colour = ({colour}) => Object.assign(document.createElement('b'), {className: `tone-${colour}`, textContent: colours[colour]});
  const [first, second] = sides;
  return [`On the board ${wins} wins, ${draws} draws and ${loses} loses, for the player to move; ${wins}5 wins in 5 turns, ${loses}4 loses in 4; \u2265 is proved to draw at least. In the list ? is not known here. What ${first.name} wins is `,
    colour(first), `, what ${second.name} wins is `, colour(second), '.'];
}

// picture draws an example: the position before a turn, and an arrow for the turn.
function picture(game, {board, position: text, turn, text: words}) {
  const position = parse(game, text, board), {width, height} = position, spacing = 10, edge = 7, margin = edge + spacing * game.margin;
  const right = (width - 1) * spacing + 2 * edge, bottom = (height - 1) * spacing + 2 * margin;
  const at = (file, rank) => [edge + spacing * file, margin + spacing * (height - 1 - rank)];
  const svg = shape('svg', {viewBox: `0 0 ${right} ${bottom}`, role: 'img', 'aria-label': words, class: 'small picture'});
  svg.append(shape('rect', {x: 0, y: 0, width: right, height: bottom, rx: 2.5, class: 'wood'}), ...game.draw(position, at, shape));
  const places = new Map(game.places(position).map(p => [p.name, p]));
  for (const {name, file, rank} of places.values()) {
    const piece = pieceOn(game, position, name);
    if (piece) svg.append(...drawPiece(piece, ...at(file, rank)));
  }
  const way = game.steps(turn).map(({place}) => at(places.get(place).file, places.get(place).rank));
  svg.append(...drawArrow(way, () => 0.4));
  return svg;
}
