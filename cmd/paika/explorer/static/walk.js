// A walk goes through the legal turns of a position point by point, as a player
// does who takes a stone and puts it down. It needs the notation alone: the
// beginning of a turn that may stop there is a turn of the list itself.

import {better} from './order.js';

export class Walk {
  constructor(game, turns) {
    this.entries = turns.map(turn => ({turn, steps: game.steps(turn.turn)}));
    this.reset();
  }

  reset() {
    this.steps = []; // made so far
    this.choice = []; // ways to make the next step, where there are two
  }

  get begun() { return this.steps.length > 0; }

  // rest is the turns that begin with the steps made.
  rest() {
    return this.entries.filter(e => this.steps.every((s, i) => e.steps[i]?.text === s.text));
  }

  // whole is the turn that the steps made are, if they are one.
  whole() {
    return this.rest().find(e => e.steps.length === this.steps.length)?.turn;
  }

  // after is the turn that the steps made and perhaps one more are.
  after(...more) {
    const texts = [...this.steps, ...more].map(s => s.text);
    return this.entries.find(e => e.steps.length === texts.length && texts.every((t, i) => e.steps[i].text === t))?.turn;
  }

  // best is the best turn that begins with the steps made and perhaps one more.
  best(...more) {
    const n = this.steps.length;
    return this.rest().filter(e => more.every((s, i) => e.steps[n + i]?.text === s.text)).map(e => e.turn)
      .reduce((best, turn) => best && !better(turn, best) ? best : turn, undefined);
  }

  // next maps the places where the walk can go to the best turn that goes there.
  next() {
    const best = new Map(), n = this.steps.length;
    for (const e of this.rest()) {
      const step = e.steps[n];
      if (!step) continue;
      const known = best.get(step.place);
      if (!known || better(e.turn, known)) best.set(step.place, e.turn);
    }
    return best;
  }

  // go steps to a place. It gives the turn where that ends one, and tells by
  // moved whether it went anywhere.
  go(place) {
    this.choice = [];
    const n = this.steps.length, ways = new Map();
    for (const e of this.rest()) {
      const step = e.steps[n];
      if (step?.place === place) ways.set(step.text, step);
    }
    if (ways.size > 1) {
      this.choice = [...ways.values()];
      return {moved: true};
    }
    if (ways.size === 1) return this.take([...ways.values()][0]);
    if (n > 0 && this.steps[n - 1].place === place) {
      const turn = this.whole();
      if (!turn) this.reset();
      return {moved: true, turn};
    }
    if (n === 1) { // another stone instead
      this.reset();
      const went = this.go(place);
      return went.moved ? went : {moved: true};
    }
    return {moved: false};
  }

  // take makes a step, one of a choice or the only one.
  take(step) {
    this.choice = [];
    this.steps.push(step);
    const rest = this.rest();
    const turn = rest.length === 1 && rest[0].steps.length === this.steps.length ? rest[0].turn : undefined;
    return {moved: true, turn};
  }
}
