// The walk through a proof: what certificates say of the position, which turn keeps
// what they prove, and where the other side's turns lead. Values that they prove stand
// in the list and on the board where the tables have none.

import {$, button, commandWords, outlasting, redraw} from './dom.js';
import {plural} from './words.js';

const again = 1000; // milliseconds until one asks how a check goes

const named = side => side[0].toUpperCase() + side.slice(1);

// claimed is a claim in words.
function claimed({side, claim}) {
  return `${named(side)} ${claim.endsWith('-wins') ? 'wins' : 'does not lose'}`;
}

// mark says what is proved behind a turn of the list, for the player who makes it;
// nothing where no certificate leads on.
export function mark(proof, turn, mover) {
  const found = proof?.turns.find(t => t.turn === turn.turn);
  if (!found || proof.claims.every(c => c.place === 'tables' || c.place === 'over')) return '';
  const held = found.claims.filter(c => c.holds);
  if (!held.length) return proof.claims.some(c => c.place === 'certificate') ? 'not in the proof' : '';
  const place = {tables: ', then the tables', over: ', ends the game', beyond: ', beyond the extract'}[held[0].place] ?? '';
  const value = found.value ?? proof.value; // half of a draw tells none
  if (value && held.some(c => c.keeps)) return `keeps the ${value}${place}`;
  if (found.value) return `proved${place}`;
  const {side} = proof.claims.find(c => c.claim === held[0].claim);
  return (mover.toLowerCase().startsWith(side) ? 'at least a draw' : 'at most a draw') + place;
}

// halfProved is the beginning of a headline where the value is not known, but a side
// is known not to lose.
export function halfProved(proof) {
  const [claim] = (proof?.claims ?? []).filter(c => c.status === 'proved');
  return claim ? `${claimed(claim)}: proved \u2013 ` : '';
}

export class Proof {
  #timer = 0;

  constructor(session) {
    this.session = session;
    this.walks = false; // by the keyboard: the focus goes along
    this.checks = ''; // the certificates of which the page says how far their check has come
    session.on('leave', () => clearTimeout(this.#timer));
    session.on('position', () => this.arrive());
    session.on('failed', () => this.watch());
    session.on('tables', () => this.cover());
    session.on('hints', () => this.show());
  }

  arrive() {
    this.walks = $('proof-claims').querySelector(':focus-visible') !== null;
    $('proof').hidden = true;
    this.follow(this.session.proving);
  }

  // follow shows what has been asked, once it is there.
  async follow(proving) {
    if (await proving) this.take();
    this.watch();
  }

  // watch asks again in a moment, while a certificate is being checked.
  watch() {
    clearTimeout(this.#timer);
    if (this.session.proof?.certificates.some(unchecked)) this.#timer = setTimeout(() => this.follow(this.session.prove()), again);
  }

  // take shows what has come of a proof.
  take() {
    this.cover();
    this.show();
    if (this.walks) ($('proof-claims').querySelector('.keeps') ?? $('turns').querySelector('.turn'))?.focus();
    this.walks = false;
  }

  // cover leaves out the offer of a search where the value is proved.
  cover() {
    if (this.session.proof?.value) $('uncovered').hidden = true;
  }

  show() {
    const {proof, hints} = this.session;
    $('proof').hidden = !proof || !hints;
    if (!proof) return;
    const lines = [...proof.claims.map(claim => this.claimLine(claim)), ...this.unnamed(), ...this.outside()];
    lines.push(...proof.certificates.filter(c => c.status === 'failed').map(failure));
    const extracts = proof.certificates.filter(c => c.status === 'extract');
    if (extracts.length) {
      const line = document.createElement('p');
      const shows = c => proof.claims.filter(claim => claim.claim === c.claim).map(claimed).join();
      line.textContent = `This is an extract: ${extracts.map(c => `the first ${plural(c.plies, 'turn')} of the proof that ${shows(c)}`).join(', and ')}.`;
      lines.push(line);
    }
    redraw($('proof-claims'), ...lines);
    redraw($('proof-rests'), ...proof.certificates.map(rests));
    this.showChecks();
  }

  // showChecks says how far checks have come, where nobody is read out what changes by the
  // second, and changes no more than that.
  showChecks() {
    const checks = this.session.proof.certificates.filter(unchecked), parent = $('proof-checks');
    if (checks.map(c => c.certificate).join() !== this.checks) {
      this.checks = checks.map(c => c.certificate).join();
      parent.replaceChildren(...checks.map(checkLine));
    }
    checks.forEach(({progress, certificate}, i) => {
      const [said, bar] = parent.children[i].children;
      said.textContent = `${certificate} is being checked: ${Math.floor(100 * progress)} %`;
      bar.value = progress;
    });
  }

  claimLine(claim) {
    const line = document.createElement('p'), {session} = this;
    line.className = `claim ${claim.status}`;
    const said = {
      proved: 'proved', checking: 'claimed, and being checked', failed: 'claimed, and not proved', open: 'not proved here',
    }[claim.status];
    line.append(`${claimed(claim)}: ${said}`);
    const turn = claim.turn && session.answer.turns.find(t => t.turn === claim.turn);
    if (turn) {
      line.append(', by ', outlasting(button(turn.turn, () => session.play(turn), 'keeps'), turn));
    } else if (claim.status === 'proved') {
      line.append({
        tables: ', by the tables: they take over here', over: ': the game is over',
        certificate: session.proof.over ? '' : `, whatever ${session.names()[0]} plays`,
      }[claim.place] ?? '');
    } else if (claim.status === 'open' && claim.place === 'tables') {
      line.append(', but a table that the proof rests on has the position', claim.reason && `: ${claim.reason}`);
    }
    line.append('.', claim.condition && ` That holds ${claim.condition}.`);
    return line;
  }

  // unnamed says that a claim is about the players, and the position does not tell who of
  // them is to move.
  unnamed() {
    const {claims, certificates} = this.session.proof;
    if (certificates.every(c => claims.some(claim => claim.claim === c.claim))) return [];
    const line = document.createElement('p');
    line.textContent = 'The proof is about the first and the second player, and this position does not tell which of them is to move: one of these words behind it does.';
    return [line];
  }

  // outside says that no certificate has the position.
  outside() {
    const {claims} = this.session.proof;
    if (!claims.length || claims.some(c => c.status !== 'open' || c.place !== 'outside')) return [];
    const line = document.createElement('p'), extract = claims.some(c => c.extract);
    line.textContent = extract
      ? 'The extract of the proof does not have this position. The whole proof may; a search may tell.'
      : 'This position is outside the proof. The proof may have its mirror image, which counts as another position here. A search may tell its value.';
    return [line];
  }

}

const unchecked = ({status}) => status === 'waiting' || status === 'checking';

// checkLine is the place for how far a check has come.
function checkLine({certificate}) {
  const line = document.createElement('p'), bar = Object.assign(document.createElement('progress'), {max: 1});
  bar.setAttribute('aria-label', `Check of ${certificate}`);
  line.append(document.createElement('span'), ' ', bar);
  return line;
}

// failure says that a certificate proves nothing.
function failure({certificate, reason}) {
  return Object.assign(document.createElement('p'), {className: 'trouble', textContent: `${certificate} proves nothing: ${reason}.`});
}

// rests says what a certificate is, and what the proof rests on.
function rests(c) {
  const part = document.createElement('div'), text = document.createElement('p'), check = document.createElement('p');
  const whole = `${c.certificate} (${c.bytes.toLocaleString('en')} bytes, checksum ${c.checksum})`;
  const checked = c.checked ? `: ${plural(c.positions, 'position')}, found valid on ${c.checked}` : '';
  text.textContent = `${whole}${checked}. It shows ${c.claim} from ${c.root}` +
    (c.plies ? `. At hand are its first ${plural(c.plies, 'turn')}; the program's makers checked the whole` : '') +
    (c.tables.length ? `. It rests on the tables of ${plural(c.tables.length, 'slice')}, by their fingerprints:` : ', and rests on the rules alone.');
  const list = Object.assign(document.createElement('ul'), {tabIndex: 0, ariaLabel: `Tables that ${c.certificate} rests on`});
  list.append(...c.tables.map(t => {
    const item = document.createElement('li');
    item.textContent = `${t.slice} ${t.metric} ${t.checksum.slice(0, 16)}`;
    item.title = t.checksum;
    return item;
  }));
  const code = document.createElement('code');
  code.append(...commandWords(c.command));
  check.append('This checks the whole of it: ', code);
  part.append(text, list, check);
  return part;
}
