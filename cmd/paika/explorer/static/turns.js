// The list of turns.

import {$, button, on, outlasting} from './dom.js';
import {mark} from './proof.js';

const listed = 120; // turns shown before one asks for more

export class TurnList {
  constructor(session, view) {
    this.session = session;
    this.view = view;
    this.all = false; // the whole list is shown
    session.on('position', () => {
      this.all = false;
      $('turn').value = '';
      this.show(0);
    });
    for (const event of ['hints', 'proof']) session.on(event, () => this.show());
    on('more', 'click', () => {
      this.all = true;
      this.show();
    });
    on('typed', 'submit', event => {
      event.preventDefault();
      if ($('turn').value.trim()) session.playText($('turn').value.trim());
    });
  }

  // show keeps the focus of the keyboard in the list: on the turn that had it or, where
  // another position is shown, on one by its number.
  show(next) {
    const {answer, crowded} = this.session, turns = answer?.turns ?? [], had = $('turns').querySelector('.turn:focus-visible');
    const focused = had && (next ?? [...$('turns').children].indexOf(had.parentElement));
    $('turns-title').textContent = answer ? `Turns (${turns.length.toLocaleString('en')})` : 'Turns';
    const cut = this.all ? turns : turns.slice(0, listed);
    $('turns').replaceChildren(...cut.map(turn => this.item(turn)));
    if (had) $('turns').children[focused]?.firstElementChild.focus();
    $('more').hidden = cut.length === turns.length;
    $('more').textContent = `Show all ${turns.length.toLocaleString('en')}`;
    $('typed').hidden = !turns.length && !crowded;
  }

  item(turn) {
    const {session, view} = this, {hints} = session;
    const item = document.createElement('li');
    // The second click of a double one meets the list of the next position.
    const b = outlasting(button('', event => event.detail < 2 && session.play(turn), 'turn', view.worthClass(turn)), turn);
    for (const [name, words] of [['name', turn.turn], ['value', hints ? turn.value ?? '?' : ''], ['distance', hints ? turn.distance ?? '' : '']]) {
      const span = document.createElement('span');
      span.className = name;
      span.textContent = words;
      b.append(span);
    }
    const proved = hints ? mark(session.proof, turn, session.names()[0]) : '';
    if (proved) b.append(Object.assign(document.createElement('span'), {className: 'proved', textContent: proved}));
    for (const event of ['mouseenter', 'focus']) b.addEventListener(event, () => view.point(turn));
    for (const event of ['mouseleave', 'blur']) b.addEventListener(event, () => view.point(null));
    item.append(b);
    return item;
  }
}
