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
    const shortest = $('shortest').checked;
    try {
      const found = await session.ask('win-in-one', {shortest});
      if (passed()) return;
      $('one-answer').textContent = verdict(found, shortest, session.names()[0]);
      view.trace(found.series ? session.game.steps(found.series).map(s => s.place) : null);
    } catch (error) {
      if (error.name !== 'AbortError' && !passed()) $('one-answer').textContent = error.message;
    }
  }
}

// verdict is an answer in words. shortest tells that the series with the fewest jumps was
// asked for.
function verdict(found, shortest, mover) {
  if (found.over) return `The game is over: ${found.winner} has won.`;
  if (found.win === null) return `Not decided in the ${found.limit} allowed.`;
  if (!found.win) return `No: no series of jumps wins for ${mover}.`;
  const known = found.shortest ? ', and in no fewer'
    : shortest ? ` (no series of fewer than ${found.least} does; what lies between was not decided in the ${found.limit} allowed)` : '';
  return `Yes, in ${plural(found.jumps, 'jump')}${known}: ${found.series}`;
}
