// Positions without tables: how to come by some, and the search in their place.

import {$, copy, on, option} from './dom.js';
import {plural} from './words.js';

export class Search {
  constructor(session) {
    this.session = session;
    this.running = null; // what stops the search that runs
    const most = session.catalogue.limits.search_nodes;
    $('nodes').replaceChildren(...[most / 50, most / 10, most].map(Math.floor).map(n => option(n, n.toLocaleString('en'))));
    $('nodes').selectedIndex = 1;
    session.on('leave', () => this.stop());
    session.on('tables', () => this.offer());
    on('search', 'click', () => this.search());
    on('stop', 'click', () => this.stop());
    on('copy-build', 'click', () => copy($('build').textContent, $('copy-build')));
  }

  // offer shows the way to a value where there is none.
  offer() {
    const {known, answer, missing} = this.session;
    const uncovered = !known && answer && missing?.code !== undefined;
    $('uncovered').hidden = !uncovered;
    $('searched').textContent = '';
    if (!uncovered) return;
    $('why').textContent = missing.build ? `No table here covers this position: ${missing.message}. This builds one:` : `No table covers this position: ${missing.message}.`;
    $('command').hidden = !missing.build;
    $('build').textContent = missing.build ?? '';
  }

  async search() {
    const {session} = this, {server, text} = session;
    const nodes = Number($('nodes').value), signal = (this.running = new AbortController()).signal;
    this.showRunning(true);
    $('searched').textContent = 'Searching\u2026';
    let sofar = 0;
    try {
      const found = await server.search(text, nodes, n => {
        sofar = n;
        $('searched').textContent = `Searching: ${plural(n, 'node')}`;
      }, signal);
      if (signal.aborted || text !== session.text) return;
      const work = `${plural(found.nodes, 'node')} in ${found.seconds.toFixed(1)} s`;
      const [mover, other] = session.names();
      const said = {win: `${mover} wins`, loss: `${other} wins`, draw: 'It is a draw'}[found.value];
      $('searched').textContent = said ? `${said} (${work})` : `Not decided after ${work}.`;
    } catch (error) {
      if (text !== session.text) return;
      $('searched').textContent = signal.aborted ? `Stopped after about ${plural(sofar, 'node')}.` : error.message;
    } finally {
      if (this.running?.signal === signal) {
        this.running = null;
        this.showRunning(false);
      }
    }
  }

  stop() { this.running?.abort(); }

  showRunning(on) {
    $('search').hidden = on;
    $('stop').hidden = !on;
  }
}
