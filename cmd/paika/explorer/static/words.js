// Numbers and values in words.

import {safe} from './order.js';

const irregular = {man: 'men'};

export const plural = (n, what) => `${n.toLocaleString('en')} ${n === 1 ? what : irregular[what] ?? `${what}s`}`;

// piecesOf is a number of pieces of a game: stones, pawns or men.
export const piecesOf = ({pieces: [{name}]}, n) => plural(n, name.split(' ').at(-1));

// piecesUpTo says with how many pieces tables have positions: all up to complete, and some up to stones.
export function piecesUpTo(look, {complete, stones}) {
  if (complete === 0) return `partly up to ${piecesOf(look, stones)}`;
  return `up to ${piecesOf(look, complete)}` + (complete < stones ? `, partly ${stones.toLocaleString('en')}` : '');
}

// called is what a slice of a game is called: pieces, where its name counts them.
export function called(game, slice) {
  const [, own, other] = slice.match(/^(\d+)v(\d+)$/) ?? [];
  if (own) return `${piecesOf(game, Number(own))} to move against ${other}`;
  return slice === 'all' ? 'any pieces' : slice;
}

// telling is the slice that tells most: the largest with distances, else the largest.
export function telling(slices) {
  return slices.toSorted((a, b) => (b.longest_win !== null) - (a.longest_win !== null) || b.positions - a.positions)[0];
}

// duration is a number of seconds in words, as exact as a guess is.
export function duration(seconds) {
  for (const [unit, length] of [['day', 86400], ['hour', 3600], ['minute', 60]]) {
    if (seconds >= 1.5 * length) return plural(Math.round(seconds / length), unit);
  }
  return plural(Math.max(1, Math.round(seconds)), 'second');
}

export function bytes(n) {
  for (const [unit, length] of [['GiB', 2 ** 30], ['MiB', 2 ** 20]]) {
    if (n >= length) return `${(n / length).toLocaleString('en', {maximumFractionDigits: n < 10 * length ? 1 : 0})} ${unit}`;
  }
  return 'less than 1 MiB';
}

// cost is what a build takes.
export function cost({seconds, memory, disk}) {
  return `about ${duration(seconds)}, ${bytes(memory)} of memory and ${bytes(disk)} on disk`;
}

// worth is what a turn of the list is worth to the player who makes it.
export function worth(turn) {
  if (!turn.value) return safe(turn) ? 'at least a draw' : 'value not known';
  return turn.distance === null ? turn.value : `${turn.value} in ${plural(turn.distance, 'turn')}`;
}

// sign is the same in a few characters: + for a win, \u2212 for a loss, = for a draw, and
// the turns that it takes; \u2265 for what is at least a draw.
export function sign({value, distance}) {
  if (!value) return '\u2265';
  return {win: '+', draw: '=', loss: '\u2212'}[value] + (value === 'draw' ? '' : distance ?? '');
}
