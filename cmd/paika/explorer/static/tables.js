// The tables of the board: what is in each slice, and positions of it.

import {chosenRules} from './address.js';
import {$, on, option} from './dom.js';
import {called, plural, telling} from './words.js';

export class Tables {
  constructor(session) {
    this.session = session;
    session.on('view', () => {
      $('facts-link').href = `facts?${new URLSearchParams({...session.view, kind: 'distances'})}`;
      this.load();
    });
    session.on('catalogue', () => this.load());
    on('slice', 'change', () => this.show());
    on('random', 'click', () => this.fetch('random'));
    on('longest', 'click', () => this.fetch('longest'));
  }

  async load() {
    const {session} = this, {server, view, catalogue, game} = session;
    $('slices').hidden = true;
    const served = catalogue.solved.some(s => s.game === view.game && s.board === view.board && chosenRules(catalogue, s.game, s.rules) === view.rules);
    if (!served) return;
    try {
      const stats = await server.get('stats');
      if (server.name === session.server.name) this.list(game, stats);
    } catch (error) {
      if (server.name === session.server.name) session.remark(error.message);
    }
  }

  list(game, stats) {
    const bySlice = new Map(stats.slices.map(s => [s.slice, s])); // dtw comes last
    $('slice').replaceChildren(...[...bySlice.values()].map(s => Object.assign(option(s.slice, called(game, s.slice)), {facts: s})));
    $('slice').value = telling([...bySlice.values()])?.slice;
    $('slices').hidden = false;
    this.show();
  }

  show() {
    const facts = $('slice').selectedOptions[0]?.facts;
    if (!facts) return;
    const share = n => percent(n, facts.positions);
    $('slice-facts').textContent = `${plural(facts.positions, 'position')}: ${share(facts.win)} win, ${share(facts.draw)} draw, ${share(facts.loss)} loss` +
      (facts.longest_win === null ? '' : `; longest win ${plural(facts.longest_win, 'turn')}`);
    $('slice-details').textContent = `Slice ${facts.slice}, metric ${facts.metric}, ${plural(facts.bytes, 'byte')}, fingerprint ${facts.fingerprint}.`;
    $('longest').disabled = facts.longest_win === null;
    $('longest').title = facts.longest_win !== null ? '' : facts.win ? 'This table knows no distances' : 'Nothing is won here';
  }

  // fetch shows a position of the slice.
  async fetch(what) {
    const {session} = this, {server, view} = session, slice = $('slice').value;
    try {
      await session.seek(async signal => [{...view, text: (await server.get(what, {slice}, signal)).position}, 'push']);
    } catch (error) {
      if (server === session.server && slice === $('slice').value) $('slice-facts').textContent = error.message;
    }
  }
}

// percent is a share of all. What rounds to none or all of them without being it
// says so.
function percent(n, all) {
  const share = 100 * n / all;
  if (share > 0 && share < 0.05) return '< 0.1 %';
  if (share < 100 && share >= 99.95) return '> 99.9 %';
  return `${share.toFixed(1)} %`;
}
