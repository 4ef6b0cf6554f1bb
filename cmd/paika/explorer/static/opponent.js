// The opponent: the tables make the turns of a side.

import {$, on, option} from './dom.js';

const patience = 450; // milliseconds before the tables make their turn

export class Opponent {
  constructor(session, view, setup) {
    this.session = session;
    this.view = view;
    this.timer = 0;
    session.on('leave', () => clearTimeout(this.timer));
    session.on('view', () => {
      $('opponent').replaceChildren(option('', 'neither side'), ...session.game.sides.map((s, i) => option(String(i), s.name)));
    });
    session.on('tables', () => this.mayPlay());
    setup.addEventListener('ended', () => this.mayPlay());
    on('opponent', 'change', () => this.mayPlay());
  }

  mayPlay() {
    const {session} = this, side = $('opponent').value;
    if (side === '' || !session.answer || Number(side) !== session.position.side || session.answer.over || this.view.editor) return;
    const best = session.best();
    if (best) this.timer = setTimeout(() => session.play(best), patience);
  }
}
