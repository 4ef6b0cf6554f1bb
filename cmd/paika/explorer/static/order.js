// How turns rank for the player who makes them. A turn is kept where a proof's claim of that
// player names it, and safe where a proof says no more than that the player does not lose.

export const safe = turn => turn.value === null && turn.safe === true;

// order is a number that is lower for a better turn. What is proved to be at least a draw comes
// before a draw, and what a proof names before what is worth as much.
export function order(turn) {
  if (turn.kept) return turn.value === 'win' ? 0 : 2;
  return {win: 1, draw: 4, loss: 6}[turn.value] ?? (safe(turn) ? 3 : 5);
}

// better tells whether the first of two turns is worth more: a quicker win, a
// draw, what is not known, a slower loss. A distance that is not known is a long one.
export function better(a, b) {
  if (order(a) !== order(b)) return order(a) < order(b);
  const long = turn => turn.distance ?? Infinity;
  return a.value === 'win' ? long(a) < long(b) : a.value === 'loss' && long(a) > long(b);
}

export function sort(turns) { turns.sort((a, b) => order(a) - order(b)); }
