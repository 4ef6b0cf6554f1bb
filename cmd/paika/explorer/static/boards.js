// The choice of a game, a board and its rules.

import {boardOf, chosenRules} from './address.js';
import {$, on, option, redraw} from './dom.js';
import {piecesUpTo} from './words.js';

export class Boards {
  constructor(session) {
    this.session = session;
    $('game').replaceChildren(...session.catalogue.games.map(g => option(g.name, g.look.title)));
    for (const event of ['view', 'failed', 'catalogue']) session.on(event, () => session.view && this.show());
    on('game', 'change', () => this.changeGame($('game').value));
    on('board-size', 'change', () => this.change($('board-size').selectedOptions[0].choice));
    on('other', 'submit', event => {
      event.preventDefault();
      this.changeSize($('size').value);
    });
  }

  about(name) { return this.session.catalogue.games.find(g => g.name === name); }

  // solved lists the tables of a game, each with the rules that are not the default.
  solved(name) {
    const {catalogue} = this.session;
    return catalogue.solved.filter(s => s.game === name).map(s => ({...s, rules: chosenRules(catalogue, name, s.rules)}));
  }

  // proved lists the boards of a game that there are certificates about.
  proved(name) { return this.session.catalogue.proofs.filter(p => p.game === name); }

  // changeGame goes to the largest board that has tables, else to one with a proof, else
  // to the game's own.
  changeGame(name) {
    const most = this.solved(name).toSorted((a, b) => positions(b) - positions(a))[0] ?? this.proved(name)[0];
    this.change(most ?? {game: name, board: this.about(name).board, rules: ''});
  }

  changeSize(text) {
    const {view} = this.session, about = this.about(view.game);
    this.change({game: view.game, board: text.trim() ? boardOf(about, text) : about.board, rules: view.rules});
  }

  // change goes to the start on a board or, where tables do not reach that, to a
  // position that they know.
  async change({game, board, rules}) {
    const solved = this.solved(game).find(s => s.board === board && s.rules === rules);
    const find = signal => solved && !solved.start ? this.session.longest({game, board, rules}, signal) : 'start';
    await this.session.seek(async signal => [{game, board, rules, text: await find(signal)}, 'push']);
  }

  show() {
    const {view} = this.session, about = this.about(view.game), solved = this.solved(view.game);
    $('game').value = view.game;
    $('size').value = '';
    const names = new Map((about.boards ?? []).map(b => [b.board, b.name])), seen = new Set();
    const list = (label, choices, words) => {
      const group = Object.assign(document.createElement('optgroup'), {label});
      for (const {board, rules, ...more} of choices) {
        const value = [board, rules].filter(Boolean).join(' ');
        if (seen.has(value)) continue;
        seen.add(value);
        group.append(Object.assign(option(value, [value, words({board, ...more})].filter(Boolean).join(', ')), {choice: {game: view.game, board, rules}}));
      }
      return group.children.length ? [group] : [];
    };
    const others = [...names.keys(), about.board].map(board => ({board, rules: ''}));
    $('board-size').replaceChildren(
      ...list('With tables', solved, s => s.error ? 'cannot be read' : s.start ? 'the whole game' : piecesUpTo(about.look, s)),
      ...list('With a proof', this.proved(view.game), ({board}) => names.get(board)),
      ...list('Without tables', [...others, view], ({board}) => names.get(board)),
    );
    $('board-size').value = [view.board, view.rules].filter(Boolean).join(' ');
    this.showRules(about);
  }

  showRules(about) {
    const chosen = new Map(this.session.view.rules.split(',').filter(Boolean).map(pair => pair.split('=')));
    $('rules').hidden = about.rules.length === 0;
    redraw($('rule-options'), ...about.rules.map(rule => {
      const label = document.createElement('label'), id = `rule-${rule.name}`;
      const input = document.createElement('input'), list = document.createElement('datalist');
      label.textContent = `${rule.name} `;
      label.title = rule.text;
      Object.assign(input, {id, defaultValue: chosen.get(rule.name) ?? rule.values[0], size: 16, spellcheck: false});
      list.id = `${id}-values`;
      input.setAttribute('list', list.id);
      input.dataset.rule = rule.name;
      list.append(...rule.values.filter(v => !v.includes('<')).map(value => Object.assign(document.createElement('option'), {value})));
      input.addEventListener('change', () => this.changeRules());
      label.append(input, list);
      return label;
    }));
  }

  // changeRules keeps the position. What was written is replaced then by the rules that there
  // are.
  changeRules() {
    const {session} = this, inputs = [...document.querySelectorAll('[data-rule]')];
    const rules = inputs.map(i => `${i.dataset.rule}=${i.value.trim()}`).join(',');
    for (const input of inputs) input.defaultValue = input.value;
    session.open({...session.view, rules: chosenRules(session.catalogue, session.view.game, rules), text: session.text}, 'push');
  }
}

export const positions = ({totals}) => Math.max(0, ...totals.map(t => t.positions));
