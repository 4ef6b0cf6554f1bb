// The small page for frames on other sites: a board and its turns. The address names
// the position as that of the page does, and stays as it is: a frame has no history
// of its own.

import * as address from './address.js';
import * as api from './api.js';
import {$, on} from './dom.js';
import {halfProved} from './proof.js';
import * as remark from './remark.js';
import {lack} from './search.js';
import {Session} from './session.js';
import {TurnList} from './turns.js';
import {Verdict} from './verdict.js';
import {View} from './view.js';

async function begin() {
  const session = new Session(await remark.insist(api.games));
  session.framed = true;
  new Verdict(session);
  new remark.Remark(session);
  const view = new View(session);
  new TurnList(session, view);
  session.on('position', () => {
    $('back').disabled = session.trail.played.length === 0;
    $('whole').href = `./${address.write(session.view, session.text)}`;
    document.title = `${session.game.title} ${session.view.board}`;
  });
  for (const event of ['position', 'tables', 'proof']) session.on(event, () => say(session));
  on('back', 'click', () => {
    const {played} = session.trail;
    if (played.length) session.go(played.at(-1).from, 'walk', played.slice(0, -1));
  });
  addEventListener('keydown', event => { if (event.key === 'Escape') view.cancel(); });
  await session.begin();
}

// say tells why there are no values, where there are none.
function say({known, answer, missing, proof}) {
  $('why').hidden = !missing || known || !answer || answer.value !== null || halfProved(proof) !== '';
  $('why').textContent = missing ? lack(missing.code) : '';
}

begin();
