// What the page's address names: a game, a board, rules and a position.

// chosenRules leaves out the options that have their default.
export function chosenRules(catalogue, name, rules) {
  const options = catalogue.games.find(g => g.name === name)?.rules ?? [];
  return rules.split(',').filter(pair => pair && !options.some(o => pair === `${o.name}=${o.values[0]}`)).join(',');
}

// size reads the size of a board as people write it: 5x5, 5X5, 5 x 5.
export function size(text) {
  return text.trim().toLowerCase().replace(/^(\d+)\s*[x\u00d7]\s*(\d+)$/, '$1x$2');
}

// boardOf is the size of a board of a game, of which people may have written the name.
export function boardOf(game, text) {
  const name = text.trim().toLowerCase();
  return game.boards?.find(b => b.name === name)?.board ?? size(text);
}

// write gives the address of a position of a view.
export function write(view, text) {
  const query = new URLSearchParams({game: view.game, board: view.board});
  if (view.rules) query.set('rules', view.rules);
  if (text) query.set('p', text);
  return '?' + query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',').replaceAll('%40', '@').replaceAll('%3D', '=');
}

// read gives the view and the text of the position that the address names. What it does
// not name is that of the first page; trouble says that it names a game that there is not.
export function read(catalogue) {
  const query = new URLSearchParams(location.search), {first} = catalogue;
  const name = query.get('game') ?? first.game, game = catalogue.games.find(g => g.name === name);
  if (!game) return {...first, text: first.position, trouble: `There is no game \u201c${name}\u201d here.`};
  if (!['game', 'board', 'rules', 'p'].some(key => query.has(key))) return {...first, text: first.position};
  const asked = query.get('board') ?? (name === first.game ? first.board : game.board);
  return {
    game: name, board: boardOf(game, asked),
    rules: chosenRules(catalogue, name, query.get('rules') ?? ''), text: query.get('p') ?? 'start',
  };
}
