// The state of the page: the board that is looked at, the position on it, what is
// known of it, and the turns that led there. It knows no part of the page: what
// shows something listens.
//
// Going to a position brings these events, in this order:
//
//   leave     another position is asked for: what is at work for this one ends
//   view      it is of another game, board or rules
//   position  the position with its turns is there, or the trouble with it
//   tables    what the tables say of it is there, or what is missing
//
// Nothing changes before the answer is there. Where there is none, the position that
// is shown stays, and instead of the last three comes
//
//   failed    detail is {problem, again}; again, unless null, tries once more
//
// On a board that certificates are about, this comes too, at any time after position:
//
//   proof     what is proved of it is there, and stands in the values
//
// Besides there are
//
//   seek      a position is being asked for, which may not be found
//   hints     values are shown otherwise: wanted or not, or more of them known
//   catalogue what is served was asked for anew
//   remark    words for the user, in detail; none take away those before

import * as address from './address.js';
import * as api from './api.js';
import {Found, enrich} from './found.js';
import {Game, blank, parse} from './games.js';
import {sort} from './order.js';
import * as storage from './storage.js';
import {made} from './tree.js';
import {telling} from './words.js';

// Problems with the position itself. All others are with the question, or pass.
const ofPosition = ['position', 'too-many-turns'];

// Problems that say why tables do not have a position.
const ofTables = [...ofPosition, 'not-stored', 'out-of-reach'];

// Problems that may be gone when one tries again.
const passing = ['network', 'internal', 'busy', 'time', 'stopped'];

export class Session extends EventTarget {
  #asked = new AbortController(); // what is being asked about the position
  #coming = new AbortController(); // what is being asked about another, until that is shown
  #sought = new AbortController(); // what is being asked to find another, for seek
  #waiting = false; // for another position
  #found = new Found(); // by searches

  // catalogue is the answer of games.
  constructor(catalogue) {
    super();
    this.catalogue = catalogue;
    this.games = new Map(catalogue.games.map(about => [about.name, new Game(about.look)]));
    this.view = null; // {game, board, rules}: what the address names, as the server spells it
    this.server = null; // an api.Board for it
    this.game = null; // the view's, of games
    this.position = null; // as drawn when no turn is begun
    this.text = ''; // the same as text
    this.asked = ''; // the same as it was asked for, or as a proof writes it: perhaps with the player to move behind it
    this.answer = null; // of turns: {over, value, distance, turns}
    this.trouble = null; // a Problem, where there is no answer
    this.known = null; // of position: what the tables say
    this.missing = null; // a Problem, where they say nothing
    this.proof = null; // of proof: what certificates say of the position
    this.proving = null; // settles once they have been asked
    this.hints = true; // values are shown
    this.framed = false; // the page is a frame, which leaves the browser's history alone
    this.came = ''; // how the position was come to, as open has it

    // Every turn played is a state of the browser's history: its number, the turns
    // up to it and the position that they began from.
    this.trail = history.state ?? {step: 0, played: []};
    if (this.trail.step === 0) storage.put('top', 0);
    addEventListener('popstate', () => {
      this.open(address.read(this.catalogue), 'keep');
    });
  }

  on(event, act) { this.addEventListener(event, act); }

  #tell(event, detail) { this.dispatchEvent(new CustomEvent(event, {detail})); }

  // renew takes a new answer of games.
  renew(catalogue) {
    this.catalogue = catalogue;
    this.#tell('catalogue');
  }

  // remark has words shown, or none any more.
  remark(words) { this.#tell('remark', words); }

  showHints(wanted) {
    this.hints = wanted;
    this.#tell('hints');
  }

  // begin shows what the address names.
  async begin() {
    const named = address.read(this.catalogue);
    await this.open(named, 'replace', this.trail.played);
    if (named.trouble) this.remark(named.trouble);
  }

  // open shows a position of a view. how is 'push' for one to come back from,
  // 'replace', 'walk' for replacing it on a walk through turns that were played
  // before, or 'keep' where the address is right already.
  async open(next, how, played = []) {
    this.#sought.abort();
    this.#coming.abort();
    const coming = this.#coming = new AbortController(), {signal} = coming, again = () => this.open(next, how, played);
    this.#waiting = true;
    this.#tell('leave');
    const server = new api.Board(next);
    const turns = ask(server, 'turns', next.text, signal), tables = ask(server, 'position', next.text, signal);
    const [answer, trouble] = await turns;
    if (signal.aborted) return;
    const {view} = server; // however the rules were spelled
    this.#waiting = false;
    const position = this.#drawn(view, answer?.position ?? next.text, trouble);
    if (!position && this.view) return this.#fail(trouble ?? undrawn(answer), again);
    this.#asked.abort();
    this.#asked = coming;
    this.#coming = new AbortController();
    const other = !this.view || ['game', 'board', 'rules'].some(k => this.view[k] !== view[k]);
    Object.assign(this, {view, server, game: this.games.get(view.game), position, answer, trouble, known: null, missing: null, proof: null, came: how, asked: next.text});
    this.text = answer?.position ?? next.text;
    if (other) this.#tell('view');
    if (this.framed && how === 'push') how = 'walk';
    const entry = history.state ?? {step: 0, played: []}; // of the browser, which may have left the position shown
    this.trail = how === 'keep' ? entry : {step: entry.step + (how === 'push' ? 1 : 0), played};
    enrich(answer, at => this.#found.of(view, at));
    if (how !== 'keep') {
      history[how === 'push' ? 'pushState' : 'replaceState'](this.trail, '', address.write(view, this.text));
      if (how === 'push') storage.put('top', this.trail.step);
    }
    this.proving = this.prove();
    this.#tell('position');
    if (!position && passing.includes(trouble.code)) this.#fail(trouble, again); // others the headline says
    if (!position) return;
    const [known, missing] = await tables;
    if (signal.aborted) return;
    if (missing && !ofTables.includes(missing.code)) this.#fail(missing, again);
    this.known = known;
    this.missing = missing;
    this.#tell('tables');
  }

  // seek goes to a position that has to be asked for first: find gives what open takes,
  // and is told by a signal when it is in vain. Whoever goes elsewhere meanwhile stays
  // there. It tells whether it went, and throws what find throws.
  async seek(find) {
    this.#sought.abort();
    const {signal} = this.#sought = new AbortController();
    this.#tell('seek');
    try {
      const to = await find(signal);
      if (signal.aborted) return false;
      await this.open(...to);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  // #drawn is the position of a text, as far as it can be drawn. A board without a
  // start position is drawn empty, to be set up.
  #drawn(view, text, trouble) {
    if (trouble && !ofPosition.includes(trouble.code)) return null;
    const position = parse(this.games.get(view.game), text, view.board);
    return position ?? (text === 'start' || !this.view ? blank(view.board) : null);
  }

  #fail(problem, again) {
    this.#tell('failed', {problem, again: passing.includes(problem.code) ? again : null});
  }

  // ask puts a question about the position. It is given up when that is left.
  ask(what, parameters = {}) {
    return this.server.get(what, {p: this.text, ...parameters}, this.#asked.signal);
  }

  // longest is the position with the longest win of the largest tables of a view, or
  // the start where they do not tell one.
  async longest(view, signal) {
    const server = new api.Board(view);
    try {
      const {slices} = await server.get('stats', {}, signal);
      const most = telling(slices);
      return typeof most?.longest_win === 'number' ? (await server.get('longest', {slice: most.slice}, signal)).position : 'start';
    } catch (error) {
      if (!(error instanceof api.Problem)) throw error;
      return 'start';
    }
  }

  // go shows another position on the same board, once there is one.
  go(text, how = 'push', played = []) { return this.view && this.open({...this.view, text}, how, played); }

  // play makes a turn of the list. The list is of no use any more once another
  // position is asked for.
  play(turn) {
    if (this.#waiting) return;
    const {turn: text, position, value = null, distance = null} = turn, {value: before = null, distance: left = null} = this.answer ?? {};
    const played = made(this.game, {
      turn: text, mover: this.names()[0], parent: {position: this.text}, position,
      before: before && {value: before, distance: left}, worth: value && {value, distance},
    });
    return this.go(turn.asked ?? position, 'push', [...this.trail.played, played]);
  }

  // playText makes the turn that someone wrote.
  async playText(text) {
    if (this.#waiting) return;
    const listed = this.answer?.turns.find(t => t.turn === text);
    if (listed) return this.play(listed);
    const {signal} = this.#asked;
    try {
      const {after} = await this.ask('play', {turn: text});
      if (!signal.aborted) return this.play({turn: text, position: after});
    } catch (error) {
      if (!signal.aborted) this.remark(error.message);
    }
  }

  // names are those of the player to move and the other.
  names() {
    return this.game.names(this.position, this.answer?.turns ?? []);
  }

  // sideOf is the number of the side to move, where one of the turns that there are is made, or
  // any of them; null where it has no colour yet.
  sideOf(turns = this.answer?.turns ?? []) { return this.game.sideOf(this.position, turns); }

  // best is the first turn of best play, which knows the way where values alone do
  // not; undefined where the tables do not know the position.
  best() {
    return this.known?.line.length ? this.answer.turns.find(t => t.turn === this.known.line[0]) : undefined;
  }

  // proofs tells whether there are certificates about the board.
  get proofs() {
    return this.catalogue.proofs.some(p => ['game', 'board', 'rules'].every(k => p[k] === this.view[k]));
  }

  // prove asks what certificates prove of the position, and tells whether they answered.
  async prove() {
    const {text, answer} = this;
    if (!answer || !this.proofs) return false;
    let found;
    try {
      found = await this.ask('proof', {p: this.asked});
    } catch {
      return false; // the turns have told what is wrong, or the next look shows how the check goes
    }
    if (text !== this.text || !this.answer) return false;
    this.#accept(found);
    return true;
  }

  // #accept has the values that are proved stand where the tables have none, and before what
  // a search found.
  #accept(found) {
    const {answer} = this;
    found.told = found.value !== null && (answer.value === null || answer.searched === true || this.proof?.told === true);
    if (found.told) Object.assign(answer, {value: found.value, searched: false});
    const turns = new Map(found.turns.map(t => [t.turn, t])), own = this.#claims(found);
    for (const turn of answer.turns) {
      const proved = turns.get(turn.turn);
      turn.value ??= proved?.value ?? null;
      turn.asked = proved?.position;
      turn.kept = own.some(c => c.status === 'proved' && c.turn === turn.turn);
      turn.safe = turn.kept || (proved?.claims ?? []).some(c => c.holds && own.some(o => o.claim === c.claim));
    }
    sort(answer.turns);
    const news = !this.proof || told(this.proof) !== told(found);
    this.proof = found;
    this.name(found.position);
    if (news) this.#tell('proof'); // else only a check has come on
  }

  // #claims lists those of the player to move.
  #claims({claims}) {
    return claims.filter(c => this.names()[0].toLowerCase().startsWith(c.side));
  }

  // name takes the position as a proof writes it: where that is about players, the text tells
  // who is to move, and so does the address.
  name(text) {
    this.asked = text;
    if (text === this.text || this.#waiting) return;
    history.replaceState(history.state, '', address.write(this.view, text) + location.hash);
  }

  // learn keeps what a search found of a position of the view.
  learn(found) {
    this.#found.keep(this.view, found);
    enrich(this.answer, at => this.#found.of(this.view, at));
    this.#tell('hints');
  }

  // found is what a search found of the position, if one was made.
  get found() { return this.#found.of(this.view, this.text); }

  // waiting tells whether another position is on its way.
  get waiting() { return this.#waiting; }

  // crowded tells whether the position has too many turns to list.
  get crowded() { return this.trouble?.code === 'too-many-turns'; }
}

// told is what an answer says of the position.
const told = ({claims, turns}) => JSON.stringify([claims, turns]);

// undrawn is the problem with an answer that the page cannot draw.
function undrawn({position}) {
  return new api.Problem({code: 'position', detail: `The position \u201c${position}\u201d cannot be drawn on this board.`});
}

// ask gives the answer about a position, or else the problem.
async function ask(server, what, text, signal) {
  try {
    return [await server.get(what, {p: text}, signal), null];
  } catch (error) {
    if (error.name !== 'AbortError' && !(error instanceof api.Problem)) throw error;
    return [null, error];
  }
}
