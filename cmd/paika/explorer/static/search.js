// Positions without tables: how to come by some, and the search in their place.

import * as api from './api.js';
import {$, commandWords, copy, on, option} from './dom.js';
import {cost, plural} from './words.js';

export class Search {
  constructor(session) {
    this.session = session;
    this.running = null; // what stops the search that runs
    const most = session.catalogue.limits.search_nodes;
    $('nodes').replaceChildren(...[most / 50, most / 10, most].map(Math.floor).map(n => option(n, n.toLocaleString('en'))));
    $('nodes').selectedIndex = 1;
    session.on('leave', () => this.stop());
    session.on('position', () => { $('uncovered').hidden = true; }); // until the tables have been asked
    session.on('tables', () => this.offer());
    on('search', 'click', () => this.search());
    on('stop', 'click', () => this.stop());
    on('look-again', 'click', () => this.lookAgain());
    on('copy-build', 'click', () => copy($('build').textContent, $('copy-build')));
  }

  // lookAgain asks for what is served now before it asks about the position: of two
  // questions at once, one may be answered before new tables are found.
  async lookAgain() {
    const {session} = this, {view, text, trail} = session;
    try {
      await session.seek(async () => {
        const catalogue = await api.games();
        session.renew(catalogue);
        return [{...view, text}, 'replace', trail.played];
      });
    } catch (error) {
      session.remark(error.message);
    }
  }

  // offer shows the way to a value where there is none.
  offer() {
    const {known, answer, missing, found} = this.session;
    const uncovered = !known && answer && missing?.code !== undefined;
    $('uncovered').hidden = !uncovered;
    $('searched').textContent = found ? this.decided(found) : '';
    if (!uncovered) return;
    $('why').textContent = why(missing);
    $('after').textContent = missing.served ? 'Stop this server before you build, and start it again afterwards.' : 'This server finds the new tables by itself.';
    $('details').textContent = `No table ${missing.build ? 'here ' : ''}covers this position: ${missing.message}.`;
    $('command').hidden = $('after').hidden = !missing.build;
    $('look-again').hidden = !missing.build || missing.served === true;
    $('build').replaceChildren(...commandWords(missing.build ?? ''));
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
        if (!signal.aborted) $('sofar').textContent = plural(n, 'position'); // beside what is read out
      }, signal);
      if (signal.aborted || text !== session.text) return;
      $('searched').textContent = found.value ? this.decided(found) : `Not decided after ${work(found)}.`;
      session.learn(found);
    } catch (error) {
      if (text !== session.text) return;
      $('searched').textContent = signal.aborted ? `Stopped after about ${plural(sofar, 'position')}.` : error.message;
    } finally {
      if (this.running?.signal === signal) {
        this.running = null;
        this.showRunning(false);
      }
    }
  }

  // decided says what a search found.
  decided(found) {
    const [mover, other] = this.session.names();
    const said = {win: `${mover} wins`, loss: `${other} wins`, draw: 'It is a draw'}[found.value];
    return `${said} (${work(found)})`;
  }

  stop() { this.running?.abort(); }

  showRunning(on) {
    $('sofar').textContent = '';
    $('search').hidden = on;
    $('stop').hidden = !on;
  }
}

// why says in words of people why there is no value.
function why({code, build, build_cost: takes, too_much: much}) {
  if (much) return `There is no table for this position, and to make one is too much for this machine: ${much}.`;
  if (build) return `There is no table for this position yet. This command makes one${takes ? `, in ${cost(takes)}` : ''}:`;
  return lack(code);
}

// lack says the same where nothing can be done about it.
export function lack(code) {
  return code === 'out-of-reach' ? 'No table can be made for this position: it would be too large.' : 'There is no table for this position.';
}

function work({nodes, seconds}) {
  return `${plural(nodes, 'position')} in ${seconds < 0.1 ? 'less than 0.1' : seconds.toFixed(1)} s`;
}
