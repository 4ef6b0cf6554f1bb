// The page: its parts, and what connects them. session.js says what they listen to.

import {About} from './about.js';
import * as api from './api.js';
import {Best} from './best.js';
import {Boards} from './boards.js';
import {$, copy, on} from './dom.js';
import {Opponent} from './opponent.js';
import {Proof} from './proof.js';
import {Record} from './record.js';
import * as remark from './remark.js';
import {Search} from './search.js';
import {Session} from './session.js';
import {Setup} from './setup.js';
import * as storage from './storage.js';
import {Tables} from './tables.js';
import {TurnList} from './turns.js';
import {Verdict} from './verdict.js';
import {View} from './view.js';
import {WinInOne} from './winone.js';

async function begin() {
  const session = new Session(await remark.insist(api.games));
  new Boards(session);
  new About(session);
  new Tables(session);
  new Verdict(session);
  new remark.Remark(session);
  const view = new View(session);
  new TurnList(session, view);
  const record = new Record(session);
  const setup = new Setup(session, view);
  new WinInOne(session, view);
  new Best(session, record);
  new Search(session);
  new Proof(session);
  new Opponent(session, view, setup);
  connect(session, view);
  record.begin();
}

// connect does what is of no part alone: the text of the position, and the keys.
function connect(session, view) {
  session.on('position', () => {
    $('position').value = session.text;
    document.title = `${session.game.title} ${session.view.board} \u2013 paika explorer`;
  });
  session.hints = $('values').checked;
  on('values', 'change', () => session.showHints($('values').checked));
  on('copy', 'click', () => copy(session.text, $('copy')));
  on('text', 'submit', event => {
    event.preventDefault();
    const text = $('position').value.trim();
    if (text) session.go(text);
    else session.remark('Which position? Write one, or \u201cstart\u201d.');
  });
  $('letters').checked = storage.get('letters') ?? true;
  on('letters', 'change', () => storage.put('letters', $('letters').checked));
  addEventListener('keydown', event => key(event, view));
}

function key(event, view) {
  if (event.key === 'Escape') remark.clear();
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea')) return;
  if (event.key.length === 1 && !$('letters').checked) return; // whoever speaks or slips may not want them
  const act = {
    u: () => $('back').click(), r: () => $('forward').click(), f: () => view.flip(), Escape: () => view.cancel(),
    a: () => $('choice').querySelector('[data-way="a"]')?.click(),
    w: () => $('choice').querySelector('[data-way="w"]')?.click(),
  }[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
}

begin();
