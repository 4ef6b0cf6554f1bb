// Numbers and values in words.

export const plural = (n, what) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;

// worth is what a turn of the list is worth to the player who makes it.
export function worth(turn) {
  if (!turn.value) return 'value not known';
  return turn.distance === null ? turn.value : `${turn.value} in ${plural(turn.distance, 'turn')}`;
}

// sign is the same in a few characters: + for a win, \u2212 for a loss, = for a draw, and
// the turns that it takes.
export function sign({value, distance}) {
  return {win: '+', draw: '=', loss: '\u2212'}[value] + (value === 'draw' ? '' : distance ?? '');
}
