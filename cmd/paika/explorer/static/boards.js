// The choice of a game, a board and its rules.

import {chosenRules} from './address.js';
import {$, on, option} from './dom.js';

export class Boards {
  constructor(session) {
    this.session = session;
    $('game').replaceChildren(...session.catalogue.games.map(g => option(g.name, g.look.title)));
    session.on('view', () => this.show());
    on('game', 'change', () => this.change($('game').value, this.usual($('game').value)));
    on('board-size', 'change', () => this.change(session.view.game, $('board-size').value.trim()));
  }

  about(name) { return this.session.catalogue.games.find(g => g.name === name); }

  // usual is the largest board that has tables, else the game's own.
  usual(name) {
    const solved = this.session.catalogue.solved.filter(s => s.game === name), own = this.about(name).board;
    return solved.some(s => s.board === own) ? own : solved.at(-1)?.board ?? own;
  }

  change(name, size) {
    const {session} = this, named = (this.about(name).boards ?? []).find(b => b.name === size);
    session.open({game: name, board: named?.board ?? size, rules: name === session.view.game ? session.view.rules : '', text: 'start'}, 'push');
  }

  show() {
    const {view, catalogue} = this.session, about = this.about(view.game);
    $('game').value = view.game;
    $('board-size').value = view.board;
    const solved = catalogue.solved.filter(s => s.game === view.game);
    const sizes = new Map((about.boards ?? []).map(b => [b.board, b.name]));
    for (const b of [about.board, ...solved.map(s => s.board)]) if (!sizes.has(b)) sizes.set(b, '');
    for (const s of solved) sizes.set(s.board, `${sizes.get(s.board)} with tables`.trim());
    $('boards').replaceChildren(...[...sizes].map(([board, label]) => {
      return Object.assign(document.createElement('option'), {value: board, label: label ? `${board} ${label}` : board});
    }));
    this.showRules(about);
  }

  showRules(about) {
    const chosen = new Map(this.session.view.rules.split(',').filter(Boolean).map(pair => pair.split('=')));
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
      input.addEventListener('change', () => this.changeRules());
      label.append(input, list);
      return label;
    }));
  }

  changeRules() {
    const {session} = this, rules = [...document.querySelectorAll('[data-rule]')].map(i => `${i.dataset.rule}=${i.value.trim()}`).join(',');
    session.open({...session.view, rules: chosenRules(session.catalogue, session.view.game, rules), text: 'start'}, 'push');
  }
}
