// The page: what is shown, what is asked, and what the controls do.

import * as api from './api.js';
import {Board, drawPiece, shape} from './board.js';
import {Game, blank, format, parse, pieceOn} from './games.js';
import {Walk} from './walk.js';

const $ = id => document.getElementById(id);

const listed = 120; // turns shown before one asks for more
const patience = 450; // milliseconds before the tables make their turn

let catalogue; // the answer of games
const games = new Map(); // the Game of each, by name
let view; // {game, board, rules}: what the address names
let server; // an api.Board for it
let game; // the view's, of games
let position; // as drawn when no turn is begun
let text; // the same as text
let answer; // of turns: {over, value, distance, turns}, or null
let trouble; // a Problem, where there is no answer
let known; // of position: what the tables say, or null
let walk = null;
let preview = null; // a turn that the list points to
let path = null; // of a win in one
let piece = 0; // of the palette; beyond the last one it is the eraser
let all = false; // the whole list of turns
let asked = new AbortController(); // what is being asked about the position
let searching = null;
let timer = 0;

// Every turn played is a state of the browser's history: its number, the turns up
// to it and the position that they began from.
let trail = {step: 0, played: []};

const board = new Board($('board'), {
  chosen: place => settingUp() ? put(place) : stepTo(place),
  grabbed: from => settingUp() || grab(from),
  dragged: (from, to) => settingUp() ? moveTo(from, to) : to && stepTo(to),
});

const settingUp = () => $('setup').getAttribute('aria-pressed') === 'true';

function press(button, on) { button.setAttribute('aria-pressed', String(on)); }

// Addresses.

// chosenRules leaves out the options that have their default.
function chosenRules(name, rules) {
  const options = catalogue.games.find(g => g.name === name)?.rules ?? [];
  return rules.split(',').filter(pair => pair && !options.some(o => pair === `${o.name}=${o.values[0]}`)).join(',');
}

function address() {
  const query = new URLSearchParams({game: view.game, board: view.board});
  if (view.rules) query.set('rules', view.rules);
  if (text) query.set('p', text);
  return '?' + query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',').replaceAll('%40', '@').replaceAll('%3D', '=');
}

function readAddress() {
  const query = new URLSearchParams(location.search);
  const first = catalogue.first, name = query.get('game');
  const found = catalogue.games.find(g => g.name === name);
  if (!found) return {...first, text: 'start'};
  return {
    game: name, board: query.get('board') ?? (name === first.game ? first.board : found.board),
    rules: chosenRules(name, query.get('rules') ?? ''), text: query.get('p') ?? 'start',
  };
}

// Going somewhere.

// open shows a position of a view. how is 'push' for one to come back from,
// 'replace', or 'keep' where the address is right already.
async function open(next, how, played) {
  clearTimeout(timer);
  asked.abort();
  asked = new AbortController();
  stopSearch();
  const {signal} = asked;
  const other = !view || ['game', 'board', 'rules'].some(k => view[k] !== next[k]);
  view = {game: next.game, board: next.board, rules: next.rules};
  server = new api.Board(view);
  game = games.get(view.game);
  if (other) showView();
  text = next.text;
  if (how === 'push') trail = {step: trail.step + 1, played: played ?? []};
  if (how === 'replace') trail = {...trail, played: played ?? []};
  walk = preview = path = null;
  all = false;
  const turns = ask('turns', signal), tables = ask('position', signal);
  known = null;
  [answer, trouble] = await turns;
  if (signal.aborted) return;
  if (answer) {
    text = answer.position;
    walk = new Walk(game, answer.turns);
  }
  const playable = !['parameter', 'not-found', 'network'].includes(trouble?.code);
  position = playable ? parse(game, text, view.board) ?? position ?? blank(view.board) : null;
  if (how !== 'keep') {
    history[how === 'push' ? 'pushState' : 'replaceState'](trail, '', address());
    if (how === 'push') sessionStorage.setItem('top', trail.step);
  }
  showAll();
  const [found, missing] = await tables;
  if (signal.aborted) return;
  known = found;
  showKnown(missing);
  tablesMayPlay();
}

// ask gives the answer about the position, or else the problem.
async function ask(what, signal) {
  try {
    return [await server.get(what, {p: text}, signal), null];
  } catch (error) {
    if (error.name !== 'AbortError' && !(error instanceof api.Problem)) throw error;
    return [null, error];
  }
}

const go = (where, how = 'push', played = []) => open({...view, text: where}, how, played);

function play(turn) {
  const number = `${moverName()}: ${turn.turn}`;
  return go(turn.position, 'push', [...trail.played, {turn: turn.turn, by: number, places: game.steps(turn.turn).map(s => s.place)}]);
}

addEventListener('popstate', event => {
  trail = event.state ?? {step: 0, played: []};
  open(readAddress(), 'keep');
});

// Turns on the board.

function stepTo(place) {
  if (!walk) return placeUnlisted(place);
  const way = walk.choice.find(step => captured(step).includes(place));
  if (way) return take(way);
  const {moved, turn} = walk.go(place);
  if (turn) return play(turn);
  preview = null;
  showBoard();
  if (!moved) say(answer?.over ? 'The game is over.' : `No turn goes to ${place}.`);
}

// grab begins a turn with the piece that a drag takes, or goes on with it.
function grab(from) {
  if (!walk) return false;
  if (walk.steps.at(-1)?.place !== from) {
    if (walk.begun) return false;
    const {moved} = walk.go(from);
    if (!moved || !walk.begun) return false;
  }
  showBoard();
  return true;
}

function take(step) {
  const {turn} = walk.take(step);
  if (turn) return play(turn);
  showBoard();
}

// placeUnlisted plays where there are too many turns to list: a man placed.
function placeUnlisted(place) {
  if (trouble?.code === 'too-many-turns') return playText(place);
}

async function playText(turn) {
  const listed = answer?.turns.find(t => t.turn === turn);
  if (listed) return play(listed);
  try {
    const {after} = await server.get('play', {p: text, turn});
    return play({turn, position: after});
  } catch (error) {
    say(error.message);
  }
}

// shown is the position as it is on the board: after the steps made.
function shown() {
  const made = walk?.begun ? walk.after()?.position : null;
  const at = made && parse(game, made, view.board);
  return at ? {...at, side: position.side} : position;
}

// taken lists the places that are emptied between two positions of a turn, but
// for those where it was.
function taken(before, after, own) {
  return [...before.cells.keys()].filter(p => !after.cells.has(p) && !own.includes(p));
}

// captured lists what a step of the walk's choice takes.
function captured(step) {
  const after = parse(game, walk.after(step).position, view.board);
  return taken(shown(), after, [...walk.steps.map(s => s.place), step.place]);
}

function worthClass(turn) { return $('values').checked && turn.value ? turn.value : 'open'; }

function worth(turn) {
  if (!turn.value) return 'value not known';
  return turn.distance === null ? turn.value : `${turn.value} in ${plural(turn.distance, 'turn')}`;
}

const plural = (n, what) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;

function showBoard() {
  if (!position) return board.clear();
  const marks = new Map(), labels = new Map(), badges = new Map(), paths = [];
  const mark = (place, ...classes) => marks.set(place, [...marks.get(place) ?? [], ...classes]);
  const at = shown(), hints = $('values').checked;
  const own = walk?.steps.map(s => s.place) ?? [];
  if (!walk?.begun && trail.played.length) paths.push({places: trail.played.at(-1).places, kind: 'last'});
  if (walk?.begun) {
    mark(own.at(-1), 'held');
    for (const p of taken(position, at, own)) mark(p, 'taken');
    if (own.length > 1) paths.push({places: own, kind: 'made'});
  }
  if (walk && !settingUp()) {
    if (walk.choice.length) {
      mark(walk.choice[0].place, 'target', 'chosen');
      for (const step of walk.choice) {
        for (const p of captured(step)) {
          mark(p, 'choice', game.way(step));
          badges.set(p, step.text.at(-1));
          labels.set(p, `captured by ${game.way(step)}`);
        }
      }
    } else {
      for (const [place, turn] of walk.next()) {
        mark(place, walk.begun ? 'target' : 'movable', worthClass(turn));
        labels.set(place, (walk.begun ? 'can go here' : 'can move') + (hints && turn.value ? `, ${worth(turn)}` : ''));
      }
    }
  }
  if (preview && !walk?.begun) {
    const steps = game.steps(preview.turn).map(s => s.place);
    const after = parse(game, preview.position, view.board);
    for (const p of taken(position, after, steps)) mark(p, 'taken');
    if (steps.length === 1) mark(steps[0], 'chosen');
    paths.push({places: steps, kind: 'preview'});
  }
  if (path) paths.push({places: path, kind: 'win'});
  board.show({game, position: at, marks, labels, badges, paths});
  showChoice();
}

function button(label, act, ...classes) {
  const b = document.createElement('button');
  b.textContent = label;
  b.className = classes.join(' ');
  b.addEventListener('click', act);
  return b;
}

// showChoice offers what can be done with a turn that is begun.
function showChoice() {
  const buttons = [];
  if (walk?.choice.length) {
    for (const step of walk.choice) {
      const b = button(`By ${game.way(step)}: ${captured(step).join(', ')}`, () => take(step), 'way');
      b.dataset.way = step.text.at(-1).toLowerCase();
      buttons.push(b);
    }
  }
  const whole = walk?.begun && !walk.choice.length && walk.whole();
  if (whole) {
    const b = button(`Stop here: ${whole.turn}`, () => play(whole), 'stop');
    buttons.push(b);
  }
  if (walk?.begun) buttons.push(button('Take back', cancel));
  $('choice').replaceChildren(...buttons);
}

function cancel() {
  walk?.reset();
  preview = null;
  showBoard();
}

// What is known of the position.

function names() {
  const opening = answer && game.mover?.(position, answer.turns);
  if (opening) return opening;
  const mover = game.sides[position.side].name, other = game.sides[1 - position.side].name;
  return [mover, other];
}

function moverName() { return names()[0]; }

function say(words, kind = '') {
  $('verdict').className = kind;
  $('verdict').textContent = words;
}

function showVerdict() {
  if (trouble) return say(trouble.message, 'trouble');
  const [mover, other] = names();
  const {value, distance, over} = answer;
  if (!value || !$('values').checked && !over) return say(`${mover} to move`);
  const who = {win: `${mover} wins`, loss: `${other} wins`, draw: 'Draw'}[value];
  if (over) return say(`The game is over: ${value === 'draw' ? 'a draw' : who}`, value);
  const when = distance === null ? '' : ` in ${plural(distance, 'turn')}`;
  say(`${who}${when} \u2013 ${mover} to move`, value);
}

function showTurns() {
  const turns = answer?.turns ?? [];
  $('turns-title').textContent = answer ? `Turns (${turns.length.toLocaleString('en')})` : 'Turns';
  const cut = all ? turns : turns.slice(0, listed);
  const hints = $('values').checked;
  $('turns').replaceChildren(...cut.map(turn => {
    const item = document.createElement('li'), b = button('', () => play(turn), 'turn', worthClass(turn));
    for (const [name, words] of [['name', turn.turn], ['value', hints ? turn.value ?? '?' : ''], ['distance', hints ? turn.distance ?? '' : '']]) {
      const span = document.createElement('span');
      span.className = name;
      span.textContent = words;
      b.append(span);
    }
    b.setAttribute('aria-label', hints ? `${turn.turn}, ${worth(turn)}` : turn.turn);
    const point = on => () => {
      preview = on ? turn : null;
      showBoard();
    };
    for (const event of ['mouseenter', 'focus']) b.addEventListener(event, point(true));
    for (const event of ['mouseleave', 'blur']) b.addEventListener(event, point(false));
    item.append(b);
    return item;
  }));
  $('more').hidden = cut.length === turns.length;
  $('more').textContent = `Show all ${turns.length.toLocaleString('en')}`;
  $('typed').hidden = !answer?.turns.length && trouble?.code !== 'too-many-turns';
}

function showRecord() {
  $('record').replaceChildren(...trail.played.map((made, i) => {
    const item = document.createElement('li');
    item.append(button(made.turn, () => history.go(i + 1 - trail.played.length)));
    item.firstChild.setAttribute('aria-label', `turn ${i + 1}, ${made.by}`);
    if (i === trail.played.length - 1) item.firstChild.setAttribute('aria-current', 'true');
    return item;
  }));
  $('record').lastChild?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  $('back').disabled = trail.step === 0;
  $('forward').disabled = trail.step >= Number(sessionStorage.getItem('top') ?? 0);
}

function showAll() {
  showVerdict();
  showBoard();
  showTurns();
  showRecord();
  showPalette();
  $('position').value = text;
  $('turn').value = '';
  $('one').hidden = !game.win_in_one || !answer && trouble?.code !== 'too-many-turns';
  $('one-answer').textContent = '';
  document.title = `${game.title} ${view.board} \u2013 paika explorer`;
}

// showKnown shows what the tables say, or how to come by some.
function showKnown(missing) {
  const hints = $('values').checked;
  $('best').hidden = !known || known.over || !hints || known.line.length === 0;
  if (known) {
    const cut = known.distance === null && known.line.length > 24;
    $('line').textContent = (cut ? known.line.slice(0, 24) : known.line).join(' ') + (cut ? ' \u2026' : '');
  }
  const uncovered = !known && answer && missing?.code !== undefined;
  $('uncovered').hidden = !uncovered;
  $('searched').textContent = '';
  if (!uncovered) return;
  $('why').textContent = missing.build ? `No table here covers this position: ${missing.message}. This builds one:` : `No table covers this position: ${missing.message}.`;
  $('command').hidden = !missing.build;
  $('build').textContent = missing.build ?? '';
}

// Search.

async function search() {
  const nodes = Number($('nodes').value), signal = (searching = new AbortController()).signal;
  const about = text;
  running(true);
  $('searched').textContent = 'Searching\u2026';
  let sofar = 0;
  try {
    const found = await server.search(about, nodes, n => {
      sofar = n;
      $('searched').textContent = `Searching: ${plural(n, 'node')}`;
    }, signal);
    if (signal.aborted || about !== text) return;
    const work = `${plural(found.nodes, 'node')} in ${found.seconds.toFixed(1)} s`;
    const [mover, other] = names();
    const said = {win: `${mover} wins`, loss: `${other} wins`, draw: 'It is a draw'}[found.value];
    $('searched').textContent = said ? `${said} (${work})` : `Not decided after ${work}.`;
  } catch (error) {
    if (about !== text) return;
    $('searched').textContent = signal.aborted ? `Stopped after about ${plural(sofar, 'node')}.` : error.message;
  } finally {
    if (searching?.signal === signal) {
      searching = null;
      running(false);
    }
  }
}

function running(on) {
  $('search').hidden = on;
  $('stop').hidden = !on;
}

function stopSearch() { searching?.abort(); }

async function winInOne() {
  const about = text;
  $('one-answer').textContent = 'Looking\u2026';
  try {
    const found = await server.get('win-in-one', {p: text, shortest: $('shortest').checked}, asked.signal);
    if (about !== text) return;
    path = found.series ? game.steps(found.series).map(s => s.place) : null;
    $('one-answer').textContent = found.win ? `Yes, in ${plural(found.jumps, 'jump')}: ${found.series}`
      : found.win === false ? `No: no series of jumps wins for ${moverName()}.` : 'Not decided in the time allowed.';
    showBoard();
  } catch (error) {
    if (error.name !== 'AbortError') $('one-answer').textContent = error.message;
  }
}

// Play against the tables.

function tablesMayPlay() {
  const side = $('opponent').value;
  if (side === '' || !answer || Number(side) !== position.side || answer.over || settingUp()) return;
  const best = bestTurn();
  if (best) timer = setTimeout(() => play(best), patience);
}

// bestTurn is the first of best play, which knows the way where values alone do
// not.
function bestTurn() {
  return known?.line.length ? answer.turns.find(t => t.turn === known.line[0]) : undefined;
}

// Setting up.

function palette() {
  return [...game.palette, {look: 'eraser', name: 'nothing: take a piece away'}];
}

function showPalette() {
  $('palette').hidden = !settingUp() || !position;
  if ($('palette').hidden) return;
  const picks = palette().map((p, i) => {
    const b = button('', () => { piece = i; showPalette(); }, 'pick');
    b.setAttribute('role', 'radio');
    b.setAttribute('aria-checked', String(i === piece));
    b.setAttribute('aria-label', p.name);
    b.title = p.name;
    const svg = shape('svg', {viewBox: '-5 -5 10 10'});
    svg.append(...p.look === 'eraser' ? [shape('path', {d: 'M-3-3 3 3M3-3-3 3', class: 'erase'})] : drawPiece(p, 0, 0));
    b.append(svg);
    b.addEventListener('pointerdown', event => board.drag(event, p.look === 'eraser' ? null : p, {
      grab: () => true, drop: to => { piece = i; if (to) put(to); },
    }));
    return b;
  });
  const sides = game.sides.map((s, i) => {
    const b = button(`${s.name} to move`, () => edit(p => { p.side = i; }));
    press(b, position.side === i);
    return b;
  });
  $('palette').replaceChildren(...picks, ...sides, button('Clear', () => edit(p => { p.cells.clear(); p.off = null; })));
}

// edit changes the position in place of playing a turn.
function edit(change) {
  const next = {...position, cells: new Map(position.cells)};
  change(next);
  position = next;
  go(format(game, next), trail.played.length ? 'push' : 'replace');
}

function put(place) {
  const p = palette()[piece];
  edit(next => {
    const spot = board.places.get(place);
    const had = pieceOn(game, next, place);
    lift(next, place);
    if (p.look === 'eraser' || had?.letter === game.letterAt(p, spot)) return;
    lay(next, spot, game.letterAt(p, spot));
  });
}

function moveTo(from, to) {
  edit(next => {
    const moved = pieceOn(game, next, from);
    lift(next, from);
    if (to) lay(next, board.places.get(to), game.letterAt(moved, board.places.get(to)));
  });
}

function lift(next, place) {
  next.cells.delete(place);
  if (next.off === place) next.off = null;
}

function lay(next, spot, letter) {
  if (letter === game.single) {
    for (const [place, l] of next.cells) if (l === letter) next.cells.delete(place);
    next.off = spot.on ? null : spot.name;
  }
  if (spot.on) next.cells.set(spot.name, letter);
}

// The view: game, board, rules, slices.

function showView() {
  position = null;
  piece = 0;
  $('game').value = view.game;
  $('board-size').value = view.board;
  const about = catalogue.games.find(g => g.name === view.game);
  const solved = catalogue.solved.filter(s => s.game === view.game);
  const sizes = new Map(about.boards.map(b => [b.board, b.name]));
  for (const b of [about.board, ...solved.map(s => s.board)]) if (!sizes.has(b)) sizes.set(b, '');
  for (const s of solved) sizes.set(s.board, `${sizes.get(s.board)} with tables`.trim());
  $('boards').replaceChildren(...[...sizes].map(([board, label]) => {
    const option = document.createElement('option');
    Object.assign(option, {value: board, label: label ? `${board} ${label}` : board});
    return option;
  }));
  showRules(about);
  $('opponent').replaceChildren(...[['', 'neither side'], ...game.sides.map((s, i) => [String(i), s.name])].map(([value, label]) => {
    const option = document.createElement('option');
    Object.assign(option, {value, textContent: label});
    return option;
  }));
  showSlices();
}

function showRules(about) {
  const chosen = new Map(view.rules.split(',').filter(Boolean).map(pair => pair.split('=')));
  $('rules').hidden = about.rules.length === 0;
  $('rule-options').replaceChildren(...about.rules.map(rule => {
    const label = document.createElement('label'), id = `rule-${rule.name}`;
    const input = document.createElement('input'), list = document.createElement('datalist');
    label.textContent = `${rule.name} `;
    label.title = rule.text;
    Object.assign(input, {id, value: chosen.get(rule.name) ?? rule.values[0], size: 16, spellcheck: false});
    list.id = `${id}-values`;
    input.setAttribute('list', list.id);
    input.dataset.rule = rule.name;
    list.append(...rule.values.filter(v => !v.includes('<')).map(value => Object.assign(document.createElement('option'), {value})));
    input.addEventListener('change', changeRules);
    label.append(input, list);
    return label;
  }));
}

function changeRules() {
  const rules = [...document.querySelectorAll('[data-rule]')].map(i => `${i.dataset.rule}=${i.value.trim()}`).join(',');
  trail = {...trail, played: []};
  open({...view, rules: chosenRules(view.game, rules), text: 'start'}, 'push');
}

async function showSlices() {
  $('slices').hidden = true;
  const about = server, served = catalogue.solved.some(s => s.game === view.game && s.board === view.board && chosenRules(s.game, s.rules) === view.rules);
  if (!served) return;
  const stats = await server.get('stats');
  if (about !== server && about.path !== server.path) return;
  const bySlice = new Map(stats.slices.map(s => [s.slice, s])); // dtw comes last
  $('slice').replaceChildren(...[...bySlice.values()].map(s => {
    const option = Object.assign(document.createElement('option'), {value: s.slice, textContent: s.slice});
    option.facts = s;
    return option;
  }));
  const won = [...bySlice.values()].findLastIndex(s => s.longest_win !== null);
  $('slice').selectedIndex = won < 0 ? bySlice.size - 1 : won;
  $('slices').hidden = false;
  showSliceFacts();
}

function showSliceFacts() {
  const facts = $('slice').selectedOptions[0]?.facts;
  if (!facts) return;
  // What rounds to none or all of them without being it says so.
  const share = n => {
    const percent = 100 * n / facts.positions;
    if (percent > 0 && percent < 0.05) return '< 0.1 %';
    if (percent < 100 && percent >= 99.95) return '> 99.9 %';
    return `${percent.toFixed(1)} %`;
  };
  $('slice-facts').textContent = `${plural(facts.positions, 'position')}: ${share(facts.win)} win, ${share(facts.draw)} draw, ${share(facts.loss)} loss` +
    (facts.longest_win === null ? '' : `; longest win ${plural(facts.longest_win, 'turn')}`);
  $('longest').disabled = facts.longest_win === null;
}

async function fromSlice(what) {
  try {
    const found = await server.get(what, {slice: $('slice').value});
    go(found.position);
  } catch (error) {
    $('slice-facts').textContent = error.message;
  }
}

async function copy(words, from) {
  const label = from.textContent;
  try {
    await navigator.clipboard.writeText(words);
  } catch { // no clipboard without https
    const field = Object.assign(document.createElement('textarea'), {value: words, className: 'aside'});
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
  from.textContent = 'Copied';
  setTimeout(() => { from.textContent = label; }, 1200);
}

// Controls.

function changeView(name, size) {
  const about = catalogue.games.find(g => g.name === name), named = about.boards.find(b => b.name === size);
  trail = {...trail, played: []};
  open({game: name, board: named?.board ?? size, rules: name === view.game ? view.rules : '', text: 'start'}, 'push');
}

// usualBoard is the largest that has tables, else the game's own.
function usualBoard(name) {
  const solved = catalogue.solved.filter(s => s.game === name);
  const own = catalogue.games.find(g => g.name === name).board;
  return solved.some(s => s.board === own) ? own : solved.at(-1)?.board ?? own;
}

function connect() {
  const on = (id, event, act) => $(id).addEventListener(event, act);
  on('game', 'change', () => changeView($('game').value, usualBoard($('game').value)));
  on('board-size', 'change', () => changeView(view.game, $('board-size').value.trim()));
  on('back', 'click', () => history.back());
  on('forward', 'click', () => history.forward());
  on('start', 'click', () => go('start'));
  on('flip', 'click', flip);
  on('setup', 'click', () => {
    press($('setup'), !settingUp());
    cancel();
    showPalette();
    tablesMayPlay();
  });
  on('copy', 'click', () => copy(text, $('copy')));
  on('link', 'click', () => copy(location.href, $('link')));
  on('copy-build', 'click', () => copy($('build').textContent, $('copy-build')));
  on('text', 'submit', event => {
    event.preventDefault();
    go($('position').value.trim());
  });
  on('typed', 'submit', event => {
    event.preventDefault();
    if ($('turn').value.trim()) playText($('turn').value.trim());
  });
  on('values', 'change', () => {
    showVerdict();
    showBoard();
    showTurns();
    $('best').hidden = !known || known.over || !$('values').checked || known.line.length === 0;
  });
  on('opponent', 'change', tablesMayPlay);
  on('search', 'click', search);
  on('stop', 'click', stopSearch);
  on('win-in-one', 'click', winInOne);
  on('more', 'click', () => { all = true; showTurns(); });
  on('play-best', 'click', () => { const best = bestTurn(); if (best) play(best); });
  on('slice', 'change', showSliceFacts);
  on('random', 'click', () => fromSlice('random'));
  on('longest', 'click', () => fromSlice('longest'));
  addEventListener('keydown', key);
}

function flip() {
  board.flipped = !board.flipped;
  press($('flip'), board.flipped);
  showBoard();
}

function key(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea')) return;
  const act = {
    u: () => $('back').click(), r: () => $('forward').click(), f: flip, Escape: cancel,
    a: () => $('choice').querySelector('[data-way="a"]')?.click(),
    w: () => $('choice').querySelector('[data-way="w"]')?.click(),
  }[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
}

async function begin() {
  try {
    catalogue = await api.games();
    for (const about of catalogue.games) {
      about.boards ??= [];
      games.set(about.name, new Game(about.look));
    }
  } catch (error) {
    return say(error.message, 'trouble');
  }
  $('game').replaceChildren(...catalogue.games.map(g => {
    return Object.assign(document.createElement('option'), {value: g.name, textContent: g.look.title});
  }));
  const most = catalogue.limits.search_nodes;
  $('nodes').replaceChildren(...[most / 50, most / 10, most].map(Math.floor).map(n => {
    return Object.assign(document.createElement('option'), {value: n, textContent: n.toLocaleString('en')});
  }));
  $('nodes').selectedIndex = 1;
  connect();
  trail = history.state ?? trail;
  if (trail.step === 0) sessionStorage.setItem('top', 0);
  open(readAddress(), 'replace', trail.played);
}

begin();
