// The turns played, and the way back and forth among them.

import {$, button, on} from './dom.js';

export class Record {
  constructor(session) {
    this.session = session;
    session.on('position', () => this.show());
    on('back', 'click', () => history.back());
    on('forward', 'click', () => history.forward());
    on('start', 'click', () => session.go('start'));
  }

  show() {
    const {step, played} = this.session.trail;
    $('record').replaceChildren(...played.map((made, i) => {
      const item = document.createElement('li');
      item.append(button(made.turn, () => history.go(i + 1 - played.length)));
      item.firstChild.setAttribute('aria-label', `turn ${i + 1}, ${made.by}`);
      if (i === played.length - 1) item.firstChild.setAttribute('aria-current', 'true');
      return item;
    }));
    $('record').lastChild?.scrollIntoView({block: 'nearest', inline: 'nearest'});
    $('back').disabled = step === 0;
    $('forward').disabled = step >= Number(sessionStorage.getItem('top') ?? 0);
  }
}
