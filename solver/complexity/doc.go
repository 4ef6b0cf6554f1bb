// Package complexity measures how large a game is, in the two numbers that the
// literature compares games by (L. V. Allis, "Searching for Solutions in Games
// and Artificial Intelligence", 1994): the state space, which is the number of
// positions, and the game tree, which is the number of leaves of the full search
// tree of the start position.
//
// Positions are counted in two ways. A formula of the game's tells how many can be
// set up (States of bitboard.Evaluator). And those that play can reach from the
// start are counted one by one, as long as there are few ([Reachable]).
//
// Nobody can count a game tree. The usual guess is b^d, from the mean number of
// turns b and the mean length d of games between players who are not blind.
// [Play] plays such games: the first plies at random, so that the games differ,
// the others by alpha-beta search to a fixed depth. Every player is a function of
// the position alone, so that a position that comes again would come for ever:
// the game ends there, as a draw. No other limit is needed.
//
// Both keep to the memory that they are given: games that cannot fit are refused,
// and the count of positions stops.
//
// Game number i draws its random numbers from the seed and i, and results are
// added up in the order of the games: the same seed gives the same result with
// any number of workers.
package complexity
