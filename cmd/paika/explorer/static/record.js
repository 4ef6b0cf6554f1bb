// The record of the game: every turn that was played, those that one went back on
// among them, with what each gave away; as text, and in an address.

import * as address from './address.js';
import * as api from './api.js';
import {$, button, copy, on, outlasting} from './dom.js';
import {Graph} from './graph.js';
import {pack, unpack} from './share.js';
import * as storage from './storage.js';
import {Tree, gave, made, tagsOf} from './tree.js';
import {worth} from './words.js';

const kept = 12; // records that are remembered until the window closes
const memory = 'records';

export class Record {
  constructor(session) {
    this.session = session;
    this.trees = new Trees();
    this.tree = null; // of the position that is shown
    this.at = null; // its node there
    this.aim = null; // the node that is gone to, until it is shown
    this.edited = false; // someone writes in the text of the record
    this.graph = new Graph($('graph'), node => this.walk(node));
    session.on('position', () => this.arrive());
    session.on('failed', () => { this.aim = this.graph.aim = null; });
    session.on('proof', () => { this.at.asked = session.asked; });
    session.on('hints', () => {
      this.learn();
      this.show();
    });
    on('back', 'click', () => history.back());
    on('forward', 'click', () => history.forward());
    on('start', 'click', () => session.go('start'));
    on('link', 'click', () => this.link());
    on('record-new', 'click', () => this.take(new Tree(this.tree.root.position).text(session.view)));
    on('record-copy', 'click', () => copy(this.text(), $('record-copy')));
    on('record-save', 'click', () => this.save());
    on('record-take', 'click', () => this.take($('record-text').value));
    on('record-file', 'change', async () => {
      const [file] = $('record-file').files;
      if (file) await this.take(file.text());
      $('record-file').value = '';
    });
    on('record-io', 'toggle', () => this.showText());
    on('record-text', 'input', () => { this.edited = true; });
    addEventListener('keydown', event => this.key(event));
    addEventListener('hashchange', () => this.fromAddress().catch(error => session.remark(`The record in the address was not taken in: ${error.message}`)));
  }

  // begin shows the record in the address, or else what the address names.
  async begin() {
    let broken = '';
    try {
      if (await this.fromAddress()) return;
    } catch (error) {
      broken = error.message;
    }
    await this.session.begin();
    if (broken) this.session.remark(`The record in the address was not taken in: ${broken}`);
  }

  // arrive finds the node of the position that is shown now.
  arrive() {
    const {trail, view, text} = this.session, played = trail.played[0]?.from === undefined ? [] : trail.played;
    this.tree = this.trees.find(view, played[0]?.from ?? text);
    this.at = played.reduce((node, made) => this.tree.add(node, made), this.tree.root);
    this.aim = null;
    for (let n = this.at; n.parent; n = n.parent) n.parent.last = n.parent.next.indexOf(n);
    this.learn();
    this.trees.keep(view, this.tree);
    this.show();
    reveal($('record'), $('record').querySelector('[aria-current]'));
  }

  // learn takes over what is known of the position and of its turns.
  learn() {
    const {answer} = this.session, {at} = this;
    if (!answer?.value || !at) return;
    at.here = {value: answer.value, distance: answer.distance};
    for (const next of at.next) {
      const turn = answer.turns.find(t => t.turn === next.turn);
      next.before = at.here;
      if (turn?.value) next.worth = {value: turn.value, distance: turn.distance};
    }
  }

  // go shows the position of a node. how is as Session.open has it.
  go(node, how = 'push') {
    const {session} = this;
    this.aim = node;
    const beside = node.parent === this.at ? session.answer?.turns.find(t => t.turn === node.turn)?.asked : undefined;
    return session.open({...session.view, text: node.asked ?? beside ?? node.position}, how, this.played(node));
  }

  // walk is go, but nothing to come back from: one walks on.
  walk(node) { return this.go(node, 'walk'); }

  // played is the path to a node as the session has it.
  played(node) {
    return this.tree.path(node).map(n => made(this.session.game, n));
  }

  key(event) {
    const at = this.aim ?? this.at;
    if (!at || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest('input, select, textarea, #board, [role=radiogroup]')) return;
    const beside = step => {
      const all = at.parent?.next ?? [];
      return event.target.closest('#record, #graph') && all[all.indexOf(at) + step];
    };
    const to = {ArrowLeft: () => at.parent, ArrowRight: () => at.next[at.last ?? 0], ArrowUp: () => beside(-1), ArrowDown: () => beside(1)}[event.key]?.();
    if (!to) return;
    event.preventDefault();
    this.walk(to);
  }

  // follow plays a line of turns from the position that is shown.
  async follow(turns) {
    const {session} = this, {server, game, view, text, trail} = session;
    try {
      await session.seek(async signal => {
        const record = await server.post('annotate', {record: `[Position "${text}"]\n${turns.join(' ')}`}, signal);
        const tree = Tree.judged(record, by => named(game, by));
        const line = tree.line(tree.root).slice(1).map(n => made(game, n));
        return [{...view, text: line.at(-1).position}, 'push', [...trail.played, ...line]];
      });
    } catch (error) {
      session.remark(error.message);
    }
  }

  show() {
    const {session, tree, at} = this, {hints, trail} = session;
    if (!tree) return;
    const had = $('record').contains(document.activeElement);
    this.led = new Set(tree.path(at)); // the turns that led here
    const items = this.items(tree.root, 1, hints);
    if (tree.root.comment) items.unshift(Object.assign(document.createElement('li'), {textContent: tree.root.comment, className: 'comment'}));
    $('record').replaceChildren(...items);
    const now = $('record').querySelector('[aria-current]');
    if (had) (now ?? $('record').querySelector('button'))?.focus({preventScroll: true});
    if (hints) this.graph.show(tree.line(at), at, session.game, session.view.board);
    $('graph').hidden ||= !hints;
    $('record-io').hidden = false;
    this.showText();
    $('back').disabled = trail.step === 0;
    $('forward').disabled = trail.step >= Number(storage.get('top') ?? 0);
  }

  // showText shows the record as text, unless someone has written in its place.
  showText() {
    if (this.tree && $('record-io').open && !this.edited) $('record-text').value = this.text();
  }

  // items lists what follows a node: turns, each with variations behind.
  items(before, number, hints) {
    const all = [];
    for (; before.next.length; before = before.next[0], number++) {
      const [main, ...others] = before.next, item = this.item(main, number, hints);
      for (const other of others) {
        const list = Object.assign(document.createElement('ol'), {className: 'variation'});
        list.setAttribute('aria-label', `instead of turn ${number}, ${main.turn}`);
        list.append(this.item(other, number, hints), ...this.items(other, number + 1, hints));
        item.append(list);
      }
      all.push(item);
    }
    return all;
  }

  item(node, number, hints) {
    const item = document.createElement('li'), b = outlasting(button(node.turn, () => this.go(node)), node), lost = hints ? gave(node) : null;
    const change = lost === 'value' || lost === 'distance' ? `${worth(node.before)} to ${worth(node.worth)}` : '';
    b.setAttribute('aria-label', `turn ${number}, ${node.mover}: ${node.turn}${change && `, gave away: ${change}`}`);
    item.classList.toggle('path', this.led.has(node));
    if (node === this.at) b.setAttribute('aria-current', 'true');
    item.append(Object.assign(document.createElement('span'), {textContent: `${number}.`, className: 'number', ariaHidden: 'true'}), b);
    if (change) item.append(Object.assign(document.createElement('span'), {textContent: brief(node), title: `gave away: ${change}`, className: `gave ${lost}`}));
    if (node.comment) item.append(Object.assign(document.createElement('span'), {textContent: node.comment, className: 'comment'}));
    return item;
  }

  text() {
    return this.tree.text(this.session.view);
  }

  // link copies an address: with the record, if there is one.
  async link() {
    const plain = new URL(location.href);
    plain.hash = this.tree?.turns ? await pack(this.text(), this.tree.nodes().indexOf(this.at)) ?? '' : '';
    if (this.tree?.turns && !plain.hash) this.session.remark('The record is too long for an address, which leads to the position alone: copy the record as text.');
    await copy(plain.href, $('link'));
  }

  save() {
    const href = URL.createObjectURL(new Blob([this.text()], {type: 'text/plain'}));
    Object.assign(document.createElement('a'), {href, download: `${this.session.view.game}-${this.session.view.board}.txt`}).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }

  // fromAddress takes the record in that the address has, and tells whether it has
  // one. It throws where that cannot be read.
  async fromAddress() {
    const found = await unpack(location.hash);
    if (found) await this.open(found.text, found.at);
    return found !== null;
  }

  // take takes in the record that someone wrote, or says what is wrong with it. The
  // text may be the promise of one.
  async take(text) {
    $('record-trouble').textContent = '';
    try {
      if (!await this.open(await text, 0)) return;
      this.edited = false;
      this.showText();
    } catch (error) {
      $('record-trouble').textContent = error.message;
    }
  }

  // open takes in a record in place of the one from the same position, and shows a turn of it by its number among all. It tells
  // whether it did: not where someone has gone elsewhere meanwhile. It throws where the
  // rules do not allow the record.
  open(text, at) {
    const {session} = this, tags = tagsOf(text), now = session.view ?? session.catalogue.first;
    const game = tags.Game ?? now.game, own = session.catalogue.games.find(g => g.name === game)?.board;
    const board = tags.Board ?? (game === now.game ? now.board : own ?? now.board);
    const rules = tags.Rules ?? (game === now.game ? now.rules : '');
    return session.seek(async signal => {
      const record = await new api.Board({game, board, rules}).post('annotate', {record: text}, signal).catch(error => {
        if (!tags.Game && error.line) error.message = `Read as ${session.games.get(game).title} ${board}, since no [Game "\u2026"] names another: ${error.message}`;
        throw error;
      });
      const view = {game: record.game, board: record.board, rules: address.chosenRules(session.catalogue, record.game, record.rules)};
      const about = session.games.get(view.game), tree = Tree.judged(record, by => named(about, by));
      const node = tree.nodes()[at] ?? tree.root;
      tree.recall(this.trees.find(view, tree.root.position));
      this.trees.keep(view, tree);
      return [{...view, text: node.position}, session.view ? 'push' : 'replace', tree.path(node).map(n => made(about, n))];
    });
  }
}

// reveal scrolls a list, and not the page, as far as it takes to see one of its items.
function reveal(list, item) {
  if (!item) return;
  const box = list.getBoundingClientRect(), at = item.getBoundingClientRect();
  list.scrollTop += Math.min(0, at.top - box.top) || Math.max(0, at.bottom - box.bottom);
}

// named is the name of a player by the server's word for it.
function named({removals, sides}, by) {
  const name = by[0].toUpperCase() + by.slice(1);
  return removals && !sides.some(s => s.name === name) ? `${name} player` : name;
}

// brief says what a turn gave away in few signs.
function brief({before, worth: after}) {
  if (before.value !== after.value) return `${before.value}\u2192${after.value}`;
  return `${before.value} ${before.distance}\u2192${after.distance}`;
}

// Trees are the records of this window, by where they began. They outlive a reload.
class Trees {
  constructor() {
    this.all = new Map(); // the last used last
    this.starts = new Set();
    try {
      for (const [key, saved] of storage.get(memory) ?? []) this.all.set(key, Tree.restore(saved));
    } catch {
      this.all.clear(); // of another version
    }
  }

  find(view, position) { return this.all.get(key(view, position)) ?? new Tree(position); }

  // keep has a tree in place of the one from the same position.
  keep(view, tree) {
    const name = key(view, tree.root.position);
    this.all.delete(name);
    if (!tree.bare) this.all.set(name, tree);
    if (this.all.size > kept) this.all.delete(this.all.keys().next().value);
    storage.put(memory, [...this.all].map(([name, tree]) => [name, tree.save()]));
  }
}

function key(view, position) { return [view.game, view.board, view.rules, position].join('|'); }
