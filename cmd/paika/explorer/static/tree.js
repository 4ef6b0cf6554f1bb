// A game with its variations, as a tree: a node is a turn and the position after it,
// and the root the position that play began from. The first that follows a node is
// the game's own, the others are variations.
//
// A node is {turn, mover, position, before, worth, here, comment, next, parent}, and
// has asked, the position as a proof writes it, once one has.
// before is what there was to be had, worth what the turn kept, both {value,
// distance} for the mover, here what the position is worth to who moves then; each
// is null while it is not known.

const rank = {win: 0, draw: 1, loss: 2};

// gave tells what a turn gave away: nothing, distance or value; null while that is
// not known.
export function gave({before, worth}) {
  if (!before || !worth) return null;
  if (rank[worth.value] !== rank[before.value]) return rank[worth.value] > rank[before.value] ? 'value' : 'nothing';
  if (before.distance === null || worth.distance === null || worth.value === 'draw') return 'nothing';
  const lost = worth.value === 'win' ? worth.distance - before.distance : before.distance - worth.distance;
  return lost > 0 ? 'distance' : 'nothing';
}

// reply is what a turn leaves to the other side.
function reply({value, distance}) {
  return {value: {win: 'loss', loss: 'win', draw: 'draw'}[value], distance: distance === null ? null : distance - 1};
}

// stand is what the position of a node is worth to who moves there.
export function stand(node) {
  return node.here ?? (node.worth ? reply(node.worth) : node.next[0]?.before ?? null);
}

// made is a node as the session has a turn that was played: with all that it takes
// to make the node again.
export function made(game, {turn, mover, parent, position, before, worth}) {
  return {turn, mover, by: `${mover}: ${turn}`, places: game.steps(turn).map(s => s.place), from: parent.position, position, before, worth};
}

export class Tree {
  constructor(position) {
    this.root = node(null, {position});
    this.tags = []; // {name, text}: White, Event and the like
  }

  // add gives the node of a turn that is made after another, a new one if need be.
  add(parent, made) {
    const had = parent.next.find(n => n.turn === made.turn);
    if (had) return had;
    const added = node(parent, made);
    parent.next.push(added);
    return added;
  }

  // path lists the turns that lead to a node, the first one first.
  path(at) {
    const all = [];
    for (; at.parent; at = at.parent) all.unshift(at);
    return all;
  }

  // line is the path to a node and the game from there on.
  line(at) {
    const all = [this.root, ...this.path(at)];
    while (all.at(-1).next.length) all.push(all.at(-1).next[0]);
    return all;
  }

  // nodes lists all, the root first, each behind its parent.
  nodes() {
    const all = [], open = [this.root];
    while (open.length) {
      const at = open.pop();
      all.push(at);
      open.push(...at.next.toReversed());
    }
    return all;
  }

  // bare tells that there is nothing but the position.
  get bare() { return !this.root.next.length && !this.root.comment && !this.tags.length; }

  get turns() { return this.nodes().length - 1; }

  // save is the tree as JSON takes it, restore the tree again.
  save() {
    const nodes = this.nodes(), numbers = new Map(nodes.map((n, i) => [n, i]));
    return {tags: this.tags, nodes: nodes.map(({next, parent, ...rest}) => ({...rest, parent: numbers.get(parent) ?? -1}))};
  }

  static restore({tags, nodes}) {
    const tree = new Tree(nodes[0].position), all = [];
    tree.tags = tags;
    for (const {parent, ...rest} of nodes) {
      const made = Object.assign(node(all[parent] ?? null, rest), rest);
      if (all[parent]) all[parent].next.push(made);
      else tree.root = made;
      all.push(made);
    }
    return tree;
  }

  // judged is the tree of a record that the server has annotated; named gives the
  // name of a mover.
  static judged(record, named) {
    const tree = new Tree(record.position);
    tree.root.comment = record.comment ?? '';
    tree.tags = record.tags;
    const add = (parent, turns) => {
      for (const {turn, by, position, value, distance, before, comment = '', variations = []} of turns) {
        const worth = value ? {value, distance} : null;
        const made = tree.add(parent, {turn, mover: named(by), position, before, worth});
        made.comment ||= comment;
        for (const other of variations) add(parent, other);
        parent = made;
      }
    };
    add(tree.root, record.turns);
    return tree;
  }

  // recall takes over the values that another tree from the same position knows of turns that are
  // in both.
  recall(other) {
    const open = [[this.root, other.root]];
    for (const [here, there] of open) {
      for (const known of ['here', 'before', 'worth']) here[known] ??= there[known];
      for (const next of here.next) {
        const same = there.next.find(n => n.turn === next.turn);
        if (same) open.push([next, same]);
      }
    }
  }

  // text writes the tree as a game record. view names game, board and rules.
  text(view) {
    const tags = [{name: 'Game', text: view.game}, {name: 'Board', text: view.board}];
    if (view.rules) tags.push({name: 'Rules', text: view.rules});
    tags.push({name: 'Position', text: this.root.position});
    const head = [...tags, ...this.tags].map(t => `[${t.name} "${t.text.replaceAll(/["\\]/g, '\\$&')}"]\n`).join('');
    const words = comment(this.root);
    write(this.root, 1, words);
    return `${head}\n${wrap(words)}\n`;
  }
}

function node(parent, {turn = '', mover = '', position, before = null, worth = null}) {
  return {turn, mover, position, before, worth, here: null, comment: '', next: [], parent};
}

function comment({comment: text}) { return text ? `{${text.replaceAll(/[}\\]/g, '\\$&')}}`.split(' ') : []; }

// write appends the words of all that follows a node.
function write(before, number, words) {
  while (before.next.length) {
    const [main, ...others] = before.next;
    words.push(`${number}.`, main.turn, ...comment(main));
    for (const other of others) {
      const inner = [`${number}.`, other.turn, ...comment(other)];
      write(other, number + 1, inner);
      inner[0] = `(${inner[0]}`;
      inner[inner.length - 1] += ')';
      words.push(...inner);
    }
    before = main;
    number++;
  }
}

function wrap(words) {
  let text = '', column = 0;
  for (const word of words) {
    const breaks = column > 0 && column + 1 + word.length > 79;
    text += (column === 0 ? '' : breaks ? '\n' : ' ') + word;
    column = breaks || column === 0 ? word.length : column + 1 + word.length;
  }
  return text;
}

// tagsOf reads the tags at the head of a record that say which game it is of. What
// else is in it, and whether it is right, is the server's to say.
export function tagsOf(text) {
  const tags = {};
  for (const [, name, value] of text.matchAll(/^\s*\[\s*(Game|Board|Rules)\s*"((?:[^"\\\n]|\\.)*)"\s*\]/gm)) tags[name] ??= value.replaceAll(/\\(.)/g, '$1');
  return tags;
}
