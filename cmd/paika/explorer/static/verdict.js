// The headline: what the position is worth, and who is to move.

import {$} from './dom.js';
import {halfProved} from './proof.js';
import {plural} from './words.js';

function say(words, kind = '') {
  $('verdict').className = kind;
  if ($('verdict').textContent !== words) $('verdict').textContent = words; // which is read out
}

export class Verdict {
  constructor(session) {
    this.session = session;
    session.on('position', () => this.show());
    for (const event of ['hints', 'proof']) session.on(event, () => this.show());
  }

  show() {
    const {answer, trouble, hints, game, proof} = this.session;
    if (trouble) return say(trouble.message, 'trouble');
    const [mover, other] = this.session.names();
    const {value, distance, over} = answer;
    const half = hints && !value ? halfProved(proof) : '';
    if (!value || !hints && !over) return say(`${half}${mover} to move`);
    const who = {win: `${mover} wins`, loss: `${other} wins`, draw: 'Draw'}[value];
    const look = `${value} ${game.tone(value, this.session.sideOf())}`;
    if (over) return say(`The game is over: ${value === 'draw' ? 'a draw' : who}`, look);
    const when = distance === null ? '' : ` in ${plural(distance, 'turn')}`;
    const proved = proof?.told ? ': proved' : '';
    say(`${who}${when}${proved} \u2013 ${mover} to move`, look);
  }
}
