// The opponent: the computer makes the turns of a side. It goes by the tables, then by what is
// proved, and where neither knows the position it searches for some seconds.

import {$, on, option} from './dom.js';
import {better, safe} from './order.js';

const patience = 450; // milliseconds before a turn of the tables, or of a proof, is made
const thinking = 6000; // milliseconds that a turn is searched for
const busy = 300; // milliseconds until one asks again for a place to search

export class Opponent {
  constructor(session, view, setup) {
    this.session = session;
    this.view = view;
    this.atWork = new AbortController(); // on a turn
    for (const event of ['leave', 'position']) session.on(event, () => this.rest());
    for (const event of ['seek', 'failed']) session.on(event, () => this.offer());
    session.on('view', () => {
      $('opponent').replaceChildren(option('', 'neither side'), ...session.game.sides.map((s, i) => option(String(i), s.name)));
    });
    session.on('tables', () => this.mayMove());
    setup.addEventListener('begun', () => this.rest());
    setup.addEventListener('ended', () => this.move());
    on('opponent', 'change', () => this.move());
    on('resume', 'click', () => this.move());
  }

  // rest ends what is at work.
  rest() {
    this.atWork.abort();
    $('resume').hidden = true;
    $('thinking').textContent = '';
  }

  // due tells whether the computer's side is to move. Where nobody has a colour yet, that is the
  // side that the position names.
  get due() {
    const {session} = this, {answer, position} = session, side = $('opponent').value;
    return side !== '' && !session.waiting && answer && !answer.over && Number(side) === (session.sideOf() ?? position.side) && !this.view.editor;
  }

  // turns lists those that the computer may make, best first: a stone that it removes is of its
  // side.
  get turns() {
    const {session} = this;
    return session.answer.turns.filter(t => session.sideOf([t]) === Number($('opponent').value));
  }

  // mayMove makes a turn, unless one has gone back to where it is due: then one may
  // want to go back further.
  mayMove() {
    return ['keep', 'walk'].includes(this.session.came) ? this.offer() : this.move();
  }

  // offer rests, and has a button for going on where a turn is due.
  offer() {
    this.rest();
    if (!this.due) return;
    $('resume').textContent = `Let ${this.session.names()[0]} move`;
    $('resume').hidden = false;
  }

  async move() {
    this.rest();
    if (!this.due) return;
    const {session} = this, {signal} = this.atWork = new AbortController();
    await session.proving;
    if (signal.aborted) return;
    const best = session.best() ?? this.turns.slice(0, 1).find(t => t.kept);
    if (best) {
      await pause(patience);
      if (!signal.aborted) session.play(this.turns.includes(best) ? best : this.turns[0]);
      return;
    }
    $('thinking').textContent = `${session.names()[0]} is thinking\u2026`;
    const turn = await this.think(signal);
    if (signal.aborted || !turn) return;
    const undecided = turn.value || safe(turn) ? '' : `Not decided: ${session.names()[0]} played the first turn whose value is not known.`;
    await session.play(turn);
    if (session.text === turn.position) $('thinking').textContent = undecided;
  }

  // think searches the positions after each turn, as many as there is time for, until
  // one wins. It gives the best turn as far as is known then.
  async think(signal) {
    const {session} = this, {server} = session;
    const nodes = Math.floor(session.catalogue.limits.search_nodes / 50);
    const end = AbortSignal.timeout(thinking), either = AbortSignal.any([signal, end]);
    try {
      for (const turn of this.turns) {
        if (this.turns[0].value === 'win') break;
        if (!turn.value) await this.search(server, turn.position, nodes, either);
        if (either.aborted) break;
      }
    } catch (error) {
      if (!either.aborted) {
        session.remark(error.message);
        return null;
      }
    }
    if (signal.aborted) return null;
    return this.turns.reduce((best, turn) => better(turn, best) ? turn : best);
  }

  async search(server, position, nodes, signal) {
    for (;;) {
      try {
        const found = await server.search(position, nodes, () => {}, signal);
        if (!signal.aborted) this.session.learn(found);
        return;
      } catch (error) {
        if (error.code !== 'busy' || signal.aborted) throw error;
        await pause(busy);
      }
    }
  }
}

const pause = time => new Promise(done => setTimeout(done, time));
