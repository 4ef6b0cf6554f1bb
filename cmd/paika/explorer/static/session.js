// The state of the page: the board that is looked at, the position on it, what is
// known of it, and the turns that led there. It knows no part of the page: what
// shows something listens.
//
// Going to a position brings these events, in this order:
//
//   leave     the position that was shown is left: what belongs to it ends
//   view      it is of another game, board or rules
//   position  the position with its turns is there, or the trouble with it
//   tables    what the tables say of it is there, or what is missing
//
// On a board that certificates are about, this comes too, at any time after position:
//
//   proof     what is proved of it is there, and stands in the values
//
// Besides there are
//
//   hints     values are to be shown from now on, or no longer
//   remark    words for the user, in detail

import * as address from './address.js';
import * as api from './api.js';
import {Game, blank, parse} from './games.js';

export class Session extends EventTarget {
  #asked = new AbortController(); // what is being asked about the position

  // catalogue is the answer of games.
  constructor(catalogue) {
    super();
    this.catalogue = catalogue;
    this.games = new Map(catalogue.games.map(about => [about.name, new Game(about.look)]));
    this.view = null; // {game, board, rules}: what the address names
    this.server = null; // an api.Board for it
    this.game = null; // the view's, of games
    this.position = null; // as drawn when no turn is begun
    this.text = ''; // the same as text
    this.answer = null; // of turns: {over, value, distance, turns}
    this.trouble = null; // a Problem, where there is no answer
    this.known = null; // of position: what the tables say
    this.missing = null; // a Problem, where they say nothing
    this.proof = null; // of proof: what certificates say of the position
    this.hints = true; // values are shown

    // Every turn played is a state of the browser's history: its number, the turns
    // up to it and the position that they began from.
    this.trail = {step: 0, played: []};
    addEventListener('popstate', event => {
      this.trail = event.state ?? {step: 0, played: []};
      this.open(address.read(this.catalogue), 'keep');
    });
  }

  on(event, act) { this.addEventListener(event, act); }

  #tell(event, detail) { this.dispatchEvent(new CustomEvent(event, {detail})); }

  remark(words) { this.#tell('remark', words); }

  showHints(wanted) {
    this.hints = wanted;
    this.#tell('hints');
  }

  // begin shows what the address names.
  begin() {
    this.trail = history.state ?? this.trail;
    if (this.trail.step === 0) sessionStorage.setItem('top', 0);
    return this.open(address.read(this.catalogue), 'replace', this.trail.played);
  }

  // open shows a position of a view. how is 'push' for one to come back from,
  // 'replace', or 'keep' where the address is right already.
  async open(next, how, played = []) {
    this.#asked.abort();
    this.#asked = new AbortController();
    const {signal} = this.#asked;
    this.#tell('leave');
    const other = !this.view || ['game', 'board', 'rules'].some(k => this.view[k] !== next[k]);
    this.view = {game: next.game, board: next.board, rules: next.rules};
    this.server = new api.Board(this.view);
    this.game = this.games.get(this.view.game);
    if (other) {
      this.position = null;
      this.#tell('view');
    }
    this.text = next.text;
    if (how === 'push') this.trail = {step: this.trail.step + 1, played};
    if (how === 'replace') this.trail = {...this.trail, played};
    const turns = this.#ask('turns', signal), tables = this.#ask('position', signal);
    this.known = this.missing = null;
    const [answer, trouble] = await turns;
    if (signal.aborted) return;
    this.answer = answer;
    this.trouble = trouble;
    if (answer) this.text = answer.position;
    const playable = !['parameter', 'not-found', 'network'].includes(trouble?.code);
    this.position = playable ? parse(this.game, this.text, this.view.board) ?? this.position ?? blank(this.view.board) : null;
    if (how !== 'keep') {
      history[how === 'push' ? 'pushState' : 'replaceState'](this.trail, '', address.write(this.view, this.text));
      if (how === 'push') sessionStorage.setItem('top', this.trail.step);
    }
    this.#tell('position');
    const [known, missing] = await tables;
    if (signal.aborted) return;
    this.known = known;
    this.missing = missing;
    this.#tell('tables');
  }

  // #ask gives the answer about the position, or else the problem.
  async #ask(what, signal) {
    try {
      return [await this.ask(what, {}, signal), null];
    } catch (error) {
      if (error.name !== 'AbortError' && !(error instanceof api.Problem)) throw error;
      return [null, error];
    }
  }

  // ask puts a question about the position. It is given up when that is left.
  ask(what, parameters = {}, signal = this.#asked.signal) {
    return this.server.get(what, {p: this.text, ...parameters}, signal);
  }

  // go shows another position on the same board.
  go(text, how = 'push', played = []) { return this.open({...this.view, text}, how, played); }

  // play makes a turn of the list.
  play(turn) {
    const made = {turn: turn.turn, by: `${this.names()[0]}: ${turn.turn}`, places: this.game.steps(turn.turn).map(s => s.place)};
    return this.go(turn.position, 'push', [...this.trail.played, made]);
  }

  // playText makes the turn that someone wrote.
  async playText(text) {
    const listed = this.answer?.turns.find(t => t.turn === text);
    if (listed) return this.play(listed);
    try {
      const {after} = await this.server.get('play', {p: this.text, turn: text});
      return this.play({turn: text, position: after});
    } catch (error) {
      this.remark(error.message);
    }
  }

  // names are those of the player to move and the other.
  names() {
    const {game, position, answer} = this;
    return answer && game.mover?.(position, answer.turns) || [game.sides[position.side].name, game.sides[1 - position.side].name];
  }

  // best is the first turn of best play, which knows the way where values alone do
  // not.
  best() {
    return this.known?.line.length ? this.answer.turns.find(t => t.turn === this.known.line[0]) : undefined;
  }

  // crowded tells whether the position has too many turns to list.
  get crowded() { return this.trouble?.code === 'too-many-turns'; }
}
