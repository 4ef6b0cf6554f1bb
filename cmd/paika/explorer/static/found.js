// What searches found, kept with the positions as long as the browser's tab is open.

import {sort} from './order.js';
import * as storage from './storage.js';

const name = 'found';

const reply = {win: 'loss', loss: 'win', draw: 'draw'};

export class Found {
  constructor() {
    try {
      this.all = new Map(storage.get(name) ?? []);
    } catch {
      this.all = new Map(); // it was of another version
    }
  }

  // of is the answer to a search of a position, if it was decided.
  of(view, position) { return this.all.get(key(view, position)); }

  keep(view, found) {
    if (!found.value) return;
    this.all.set(key(view, found.position), {value: found.value, nodes: found.nodes, seconds: found.seconds});
    storage.put(name, [...this.all]);
  }
}

function key({game, board, rules}, position) { return [game, board, rules, position].join(' '); }

// enrich adds to an answer of turns what was found of the positions after them and
// of the position itself, and what follows from that: searched tells that its value came
// so. found gives what is known of a position.
export function enrich(answer, found) {
  if (!answer || answer.over) return;
  let changed = false;
  for (const turn of answer.turns) {
    const after = turn.value ? null : found(turn.position);
    if (after) {
      turn.value = reply[after.value];
      changed = true;
    }
  }
  if (changed) sort(answer.turns);
  if (answer.value !== null) return;
  answer.value = found(answer.position)?.value ?? follows(answer.turns);
  answer.searched = answer.value !== null;
}

// follows is the value of a position by those of its turns.
function follows(turns) {
  const values = turns.map(t => t.value);
  if (values.includes('win')) return 'win';
  if (!values.length || values.includes(null)) return null;
  return values.includes('draw') ? 'draw' : 'loss';
}
