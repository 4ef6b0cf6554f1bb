// Words for the user that do not concern the position: what went wrong, and a way to
// try again. They go away by Escape, by the next step of a turn, and when another
// position is shown.

import {$, button} from './dom.js';

export class Remark {
  constructor(session) {
    session.on('remark', event => event.detail ? show(event.detail) : clear());
    session.on('failed', event => show(event.detail.problem.message, event.detail.again));
    for (const event of ['leave', 'position']) session.on(event, clear);
  }
}

// show says something; again, if given, is offered as a button.
export function show(words, again = null) {
  const said = document.createElement('span'), close = button('\u00d7', clear, 'close');
  said.textContent = words;
  close.setAttribute('aria-label', 'Take the message away');
  $('remark').replaceChildren(said, ...again ? [button('Try again', again, 'again')] : [], close);
  $('remark').hidden = false;
}

// insist asks until there is an answer: what goes wrong is said, and asked again by
// whoever reads that.
export function insist(ask) {
  return new Promise(answer => {
    const once = async () => {
      clear();
      try {
        answer(await ask());
      } catch (error) {
        show(error.message, once);
      }
    };
    once();
  });
}

export function clear() {
  $('remark').hidden = true;
  $('remark').replaceChildren();
}
