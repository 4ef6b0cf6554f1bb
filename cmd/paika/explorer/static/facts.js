// What the tables know of all their positions: how many are won and lost in how many
// turns, the hardest wins, zugzwangs, and endings that have names. The address names
// the tables and the kind of fact: each is a page of its own.

import * as address from './address.js';
import * as api from './api.js';
import {shape} from './board.js';
import {positions} from './boards.js';
import {$, commandWords, on, option} from './dom.js';
import {pack} from './share.js';
import {called, cost, plural, telling} from './words.js';

const kinds = [
  {name: 'distances', label: 'How long wins take', words: 'How many positions are won, and how many lost, in how many turns, by best play of both sides.', show: showDistances},
  {name: 'hardest', label: 'Hardest wins', words: 'The win that takes longest, for each number of pieces. To play it out, have the computer play the other side.', show: showHardest},
  {name: 'zugzwangs', label: 'Zugzwangs', words: 'Positions in which it is worse to be the one to move: the side to move would do better if it were the other\'s turn.', show: showZugzwangs},
];

const query = new URLSearchParams(location.search);
let catalogue, view, server, slices;
let unserved; // the problem with the tables that are asked for, where they are not there

async function begin() {
  let asked;
  try {
    catalogue = await api.games();
    asked = await named();
  } catch (error) {
    return fail(error);
  }
  const solved = catalogue.solved.map(s => ({...s, view: {game: s.game, board: s.board, rules: address.chosenRules(catalogue, s.game, s.rules)}}));
  view = chosen(solved.filter(s => Object.entries(asked).every(([k, v]) => s.view[k] === v)))?.view;
  const endings = catalogue.games.flatMap(g => (g.look.endgames ?? []).map(e => ({game: g.name, ending: e, name: e.name, label: e.name, words: e.text, show: showEnding})));
  const all = [...view ? kinds : [], ...endings];
  const kind = query.has('kind') || asked.game ? [...kinds, ...endings].find(k => k.name === (query.get('kind') ?? kinds[0].name)) : all[0];
  $('tables').replaceChildren(...solved.map((s, i) => option(String(i), titleOf(s.view))));
  $('tables').disabled = solved.length === 0;
  $('tables').selectedIndex = solved.findIndex(s => s.view === view);
  on('tables', 'change', () => location.assign(at(solved[Number($('tables').value)].view, kind?.name)));
  $('kinds').replaceChildren(...all.map(k => {
    const link = Object.assign(document.createElement('a'), {href: at(view, k.name), textContent: k.label});
    if (k === kind) link.setAttribute('aria-current', 'page');
    return link;
  }));
  if (view ?? asked.board) $('play').href = `./${address.write(view ?? asked, '')}`;
  const lacking = missing(asked, kind);
  if (lacking) {
    if (unserved?.build) $('content').replaceChildren(...command('This command makes some.', unserved));
    if (unserved?.too_much) $('content').replaceChildren(paragraph(`None can be made here: ${unserved.too_much}.`));
    return fail(new Error(lacking));
  }
  $('title').textContent = kind.ending ? kind.label : `${kind.label}: ${titleOf(view)}`;
  $('words').textContent = kind.words;
  document.title = `${$('title').textContent} \u2013 paika`;
  try {
    await kind.show(kind);
  } catch (error) {
    fail(error);
  }
}

// chosen is what is shown of several tables: some with distances, if there are any; those of the
// first page among them, else the largest.
function chosen(tables) {
  const whole = tables.filter(s => !s.error).toSorted((a, b) => positions(b) - positions(a)), dated = whole.filter(s => s.totals.some(t => t.longest_win !== null));
  const among = dated.length ? dated : whole;
  return among.find(s => same(s.view, catalogue.first)) ?? among[0] ?? tables[0];
}

// named is what the address names of the tables that are asked for: nothing, a game, or all.
async function named() {
  if (!['game', 'board', 'rules'].some(k => query.has(k))) return {};
  const game = query.get('game') ?? catalogue.first.game, about = catalogue.games.find(g => g.name === game);
  if (!about || !query.has('board') && !query.has('rules')) return {game};
  const board = address.boardOf(about, query.get('board') ?? about.board), rules = address.chosenRules(catalogue, game, query.get('rules') ?? '');
  const asked = new api.Board({game, board, rules});
  try {
    await asked.get('stats'); // which tells how the server spells it
  } catch (error) {
    if (error.code === 'network') throw error;
    unserved = error;
  }
  return asked.view;
}

// missing says why what the address asks for is not there; empty where it is.
function missing(asked, kind) {
  if (asked.game && !catalogue.games.some(g => g.name === asked.game)) return `There is no game \u201c${asked.game}\u201d here.`;
  if (!kind) return query.has('kind') ? `There are no facts called \u201c${query.get('kind')}\u201d.` : 'No tables are served here.';
  if (view || kind.ending) return '';
  return asked.game ? `No tables of ${titleOf(asked)} are served here.` : 'No tables are served here.';
}

const titleOf = ({game, board, rules}) => [title(game), board].filter(Boolean).join(' ') + (rules ? `, ${rules}` : '');

const same = (a, b) => ['game', 'board', 'rules'].every(k => a[k] === b[k]);

const lookOf = name => catalogue.games.find(g => g.name === name).look;

const title = name => lookOf(name).title;

const at = (about, kind) => `facts?${new URLSearchParams({...about, kind})}`;

function fail(error) {
  $('trouble').textContent = error.message;
  $('trouble').hidden = false;
}

async function load() {
  server = new api.Board(view);
  const stats = await server.get('stats');
  slices = [...new Map(stats.slices.map(s => [s.slice, s])).values()]; // dtw comes last
  if (!slices.length) throw new Error('These tables have no slices.');
}

// pickSlice shows what is found of the slice that is chosen.
async function pickSlice(show) {
  await load();
  const asked = query.get('slice');
  $('slice').replaceChildren(...slices.map(s => option(s.slice, called(lookOf(view.game), s.slice))));
  $('slice').value = asked ?? telling(slices).slice;
  $('pick').hidden = false;
  const look = async () => {
    const slice = $('slice').value, left = () => slice !== $('slice').value;
    $('trouble').hidden = true;
    $('content').textContent = 'Looking at all positions\u2026';
    try {
      const found = await server.get('survey', {slice});
      const shown = await show(found);
      if (!left()) $('content').replaceChildren(...shown);
    } catch (error) {
      if (left()) return;
      $('content').replaceChildren();
      fail(error);
    }
  };
  on('slice', 'change', look);
  if (asked && !$('slice').value) throw new Error(`These tables have no slice \u201c${asked}\u201d.`);
  await look();
}

function showDistances() {
  return pickSlice(async found => {
    const total = `${plural(found.positions, 'position')}: ${found.win.toLocaleString('en')} won, ${found.draw.toLocaleString('en')} drawn, ${found.loss.toLocaleString('en')} lost for the side to move.`;
    if (!found.distances?.length) return [paragraph(total), ...await undated(found.slice)];
    const rows = found.distances.map(d => [plural(d.turns, 'turn'), d.win, d.loss]);
    const details = document.createElement('details'), wide = Object.assign(document.createElement('div'), {className: 'wide'});
    wide.append(table(['In', 'Won', 'Lost'], rows));
    details.append(Object.assign(document.createElement('summary'), {textContent: 'In figures'}), wide);
    return [paragraph(total), legend(), bars(found.distances), details];
  });
}

// undated says that the table of a slice knows no distances, and which command makes one that
// does.
async function undated(slice) {
  const words = 'These tables know no distances.';
  try {
    await server.get('longest', {slice});
  } catch (error) {
    if (error.build) return command(`${words} This command makes some that do.`, error);
  }
  return [paragraph(words)];
}

// command shows the one of a problem that makes tables, behind words that say what it is for.
function command(words, {build, build_cost: takes, served}) {
  if (takes) words += ` It takes ${cost(takes)}.`;
  const after = served ? 'Stop this server before, and start it again afterwards:' : 'This server finds the new tables by itself:';
  const line = paragraph(''), code = document.createElement('code');
  code.append(...commandWords(build));
  line.append(code);
  return [paragraph(`${words} ${after}`), line];
}

function legend() {
  const p = document.createElement('p');
  p.append(Object.assign(document.createElement('span'), {className: 'key win', textContent: 'won (up)'}), ' \u00a0 ',
    Object.assign(document.createElement('span'), {className: 'key loss', textContent: 'lost (down)'}), ' \u00a0 each line stands for ten times as many positions as the one before');
  return p;
}

// bars draws wins upwards and losses downwards, by the logarithm of their number, as wide as
// the page is, so that what is written keeps its size.
function bars(distances) {
  const longest = distances.at(-1).turns, width = Math.min(600, $('content').clientWidth), height = 244, middle = 118;
  const most = Math.max(...distances.flatMap(d => [d.win, d.loss])), size = n => 105 * Math.log10(1 + n) / Math.log10(1 + most);
  const scale = n => n.toLocaleString('en'), left = 8 + 6 * Math.max('turns'.length, scale(most).length), step = (width - left) / (longest + 1);
  const svg = shape('svg', {viewBox: `0 0 ${width} ${height}`, class: 'bars', role: 'img',
    'aria-label': `Positions by distance, up to ${plural(longest, 'turn')}; the figures are below.`});
  for (let n = 10; n <= most; n *= 10) {
    for (const side of [-1, 1]) {
      const y = middle + side * size(n);
      svg.append(shape('line', {x1: left, y1: y, x2: width, y2: y}), shape('text', {x: left - 4, y: y + 3, class: 'scale'}, scale(n)));
    }
  }
  for (const d of distances) {
    for (const side of ['win', 'loss']) {
      if (!d[side]) continue;
      const high = size(d[side]), bar = shape('rect', {x: left + d.turns * step + step * 0.1, width: step * 0.8, y: side === 'win' ? middle - high : middle, height: high, class: side});
      bar.append(shape('title', {}, `${plural(d[side], 'position')} ${side === 'win' ? 'won' : 'lost'} in ${plural(d.turns, 'turn')}`));
      svg.append(bar);
    }
  }
  svg.append(shape('line', {x1: left, y1: middle, x2: width, y2: middle, class: 'zero'}));
  const every = Math.max(1, Math.ceil(longest / 12));
  svg.append(shape('text', {x: left - 4, y: height - 4, class: 'scale'}, 'turns'));
  for (let n = 0; n <= longest; n += every) svg.append(shape('text', {x: left + (n + 0.5) * step, y: height - 4}, String(n)));
  return svg;
}

async function showHardest() {
  await load();
  const won = slices.filter(s => s.longest_win !== null).toSorted((a, b) => b.longest_win - a.longest_win);
  if (!won.length) return $('content').replaceChildren(...await undated(telling(slices).slice));
  $('content').replaceChildren(table(['Positions with', 'Turns', 'Try'], won.map(s => {
    const play = Object.assign(document.createElement('button'), {textContent: 'Play it'});
    play.setAttribute('aria-label', `Play it: the hardest win with ${called(lookOf(view.game), s.slice)}`);
    play.addEventListener('click', async () => {
      try {
        const found = await server.get('longest', {slice: s.slice});
        location.assign(`./${address.write(view, found.position)}`);
      } catch (error) {
        fail(error);
      }
    });
    return [called(lookOf(view.game), s.slice), s.longest_win, play];
  })));
}

function showZugzwangs() {
  const words = {loss_for_win: 'Whoever is to move loses', loss_for_draw: 'Lost; a draw, were the other to move', draw_for_win: 'A draw; won, were the other to move'};
  return pickSlice(found => {
    const zugzwang = found.zugzwang;
    if (!zugzwang) return [paragraph('The tables of the positions with the other side to move are not here.')];
    if (!zugzwang.positions) return [paragraph('There are none.')];
    return [table(['Kind', 'Positions', 'Example'], Object.entries(words).map(([kind, label]) => {
      const one = zugzwang.examples?.find(e => e.kind === kind);
      const link = one ? Object.assign(document.createElement('a'), {href: `./${address.write(view, one.position)}`, textContent: 'Look at one'}) : '';
      if (one) link.setAttribute('aria-label', `Look at one: ${label}`);
      return [label, zugzwang[kind], link];
    }))];
  });
}

// showEnding leads to the hardest win of an ending, with best play as its record.
async function showEnding({game, ending}) {
  const about = {game, board: ending.board, rules: ''};
  const play = Object.assign(document.createElement('a'), {textContent: `Play the hardest win: ${plural(ending.turns, 'turn')}`});
  play.href = `./${address.write(about, '')}${await pack(ending.record, 0) ?? ''}`;
  const served = catalogue.solved.some(s => same({...s, rules: address.chosenRules(catalogue, s.game, s.rules)}, about));
  const rows = served ? (await new api.Board(about).get('stats')).slices.filter(s => ending.slices.includes(s.slice)) : [];
  const figures = rows.length ? [table(['Positions with', 'Won', 'Drawn', 'Lost', 'Longest win'], rows.map(s => [called(lookOf(game), s.slice), s.win, s.draw, s.loss, s.longest_win ?? '\u2013']))]
    : [paragraph('The tables of this ending are not served here: the record of best play is shown without values.')];
  const p = paragraph('');
  p.append(play);
  $('content').replaceChildren(p, ...figures);
}

function paragraph(textContent) { return Object.assign(document.createElement('p'), {textContent}); }

// table makes one of rows of numbers, texts and elements.
function table(heads, rows) {
  const all = document.createElement('table'), head = all.createTHead().insertRow(), body = all.createTBody();
  for (const text of heads) head.append(Object.assign(document.createElement('th'), {textContent: text, scope: 'col'}));
  for (const row of rows) {
    const line = body.insertRow();
    for (const cell of row) line.insertCell().append(typeof cell === 'number' ? cell.toLocaleString('en') : cell);
  }
  return all;
}

begin();
