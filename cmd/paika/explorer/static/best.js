// Best play from the position on.

import {$, on} from './dom.js';

const listed = 24; // turns shown of a line that may be cut anywhere

export class Best {
  constructor(session) {
    this.session = session;
    for (const event of ['tables', 'hints']) session.on(event, () => this.show());
    on('play-best', 'click', () => {
      const best = session.best();
      if (best) session.play(best);
    });
  }

  show() {
    const {known, hints} = this.session;
    $('best').hidden = !known || known.over || !hints || known.line.length === 0;
    if (!known) return;
    const cut = known.distance === null && known.line.length > listed;
    $('line').textContent = (cut ? known.line.slice(0, listed) : known.line).join(' ') + (cut ? ' \u2026' : '');
  }
}
