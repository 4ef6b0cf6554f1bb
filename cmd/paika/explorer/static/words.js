// Numbers and values in words.

export const plural = (n, what) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;

// worth is what a turn of the list is worth to the player who makes it.
export function worth(turn) {
  if (!turn.value) return 'value not known';
  return turn.distance === null ? turn.value : `${turn.value} in ${plural(turn.distance, 'turn')}`;
}
