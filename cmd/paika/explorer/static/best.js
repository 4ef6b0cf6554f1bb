// Best play from the position on.

import {$, button, on, outlasting, redraw} from './dom.js';

const listed = 24; // turns shown of a line that may be cut anywhere

export class Best {
  constructor(session, record) {
    this.session = session;
    this.record = record;
    for (const event of ['position', 'tables', 'hints']) session.on(event, () => this.show());
    on('play-best', 'click', () => {
      const best = session.best();
      if (best) session.play(best);
    });
  }

  show() {
    const {known, hints, text} = this.session;
    $('best').hidden = !known || known.over || !hints || known.line.length === 0;
    if (!known) return;
    const cut = known.distance === null && known.line.length > listed;
    const turns = cut ? known.line.slice(0, listed) : known.line;
    const steps = turns.flatMap((turn, i) => {
      const led = turns.slice(0, i + 1), step = outlasting(button(turn, () => this.record.follow(led)), `${text}: ${led}`);
      step.setAttribute('aria-label', `go on to turn ${i + 1} of the line, ${turn}`);
      return [step, document.createTextNode(' ')];
    });
    redraw($('line'), ...steps, document.createTextNode(cut ? '\u2026' : ''));
  }
}
