// The question whether one turn wins, where the game has an answer of its own.

import {$, on} from './dom.js';
import {plural} from './words.js';

export class WinInOne {
  constructor(session, view) {
    this.session = session;
    this.view = view;
    this.asked = 0; // questions so far
    session.on('position', () => this.offer());
    on('win-in-one', 'click', () => this.look());
  }

  offer() {
    const {game, answer, crowded} = this.session;
    $('one').hidden = !game.win_in_one || !answer && !crowded;
    $('one-answer').textContent = '';
  }

  async look() {
    const {session, view} = this, about = session.text, question = ++this.asked;
    const passed = () => about !== session.text || question !== this.asked;
    $('one-answer').textContent = 'Looking\u2026';
    try {
      const found = await session.ask('win-in-one', {shortest: $('shortest').checked});
      if (passed()) return;
      $('one-answer').textContent = found.win ? `Yes, in ${plural(found.jumps, 'jump')}: ${found.series}`
        : found.win === false ? `No: no series of jumps wins for ${session.names()[0]}.` : 'Not decided in the time allowed.';
      view.trace(found.series ? session.game.steps(found.series).map(s => s.place) : null);
    } catch (error) {
      if (error.name !== 'AbortError' && !passed()) $('one-answer').textContent = error.message;
    }
  }
}
