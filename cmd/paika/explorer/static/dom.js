// Pieces of the document, for all parts of the page.

export const $ = id => document.getElementById(id);

export function on(id, event, act) { $(id).addEventListener(event, act); }

export function press(button, on) { button.setAttribute('aria-pressed', String(on)); }

export function button(label, act, ...classes) {
  const b = document.createElement('button');
  b.textContent = label;
  b.className = classes.join(' ');
  b.addEventListener('click', act);
  return b;
}

const meanings = new WeakMap(); // of buttons that are drawn anew now and then
let pressed = null; // the button that the mouse's is held down on

// outlasting has a click on a button count though it is drawn anew before the mouse's is
// let go: the browser tells nothing of that. The button at the place must then mean the
// same, an object or a text.
export function outlasting(button, meaning) {
  meanings.set(button, meaning);
  return button;
}

addEventListener('mousedown', event => { pressed = event.button === 0 ? event.target.closest?.('button') : null; }, true);
addEventListener('mouseup', event => {
  const was = pressed, meaning = meanings.get(was), now = event.target.closest?.('button');
  pressed = null;
  if (event.button !== 0 || !meaning || was.isConnected || meanings.get(now) !== meaning) return;
  now.dispatchEvent(new MouseEvent('click', {bubbles: true, detail: event.detail}));
}, true);

// redraw replaces what is in an element. What is drawn alike and means the same stays, so
// that nobody is read it out again. The keyboard stays on what means the same or is called
// so, else on the first that there is, and half-written text stays in its field; redraw is
// false where nothing is left that the keyboard could be on.
export function redraw(parent, ...children) {
  const drawn = [...parent.childNodes], had = parent.contains(document.activeElement) ? document.activeElement : null;
  if (drawn.length === children.length && children.every((c, i) => alike(c, drawn[i]))) return true;
  parent.replaceChildren(...children);
  if (!had) return true;
  const left = controls(parent), meaning = meanings.get(had);
  const now = left.find(c => meaning && meanings.get(c) === meaning) ?? left.find(c => called(c) === called(had)) ?? left[0];
  now?.focus({preventScroll: true});
  if (had.matches('input') && had.value !== had.defaultValue && now?.id === had.id) {
    now.value = had.value;
    now.setSelectionRange(had.selectionStart, had.selectionEnd);
  }
  return now !== undefined;
}

const controls = parent => [...parent.querySelectorAll('button:enabled, input:enabled')];

const called = control => control.id || control.getAttribute('aria-label') || control.textContent;

// alike tells whether one cannot tell a node from another, nor what its buttons do.
function alike(a, b) {
  if (!a.isEqualNode(b)) return false;
  if (a.nodeType !== Node.ELEMENT_NODE) return true;
  const all = node => [node, ...node.querySelectorAll('button')].map(n => meanings.get(n)), others = all(b);
  return all(a).every((meaning, i) => meaning === others[i]);
}

// commandWords are those of a command, for a code element: no line ends within one, such as --db, that is no
// longer than a line.
export function commandWords(command) {
  return command.split(' ').flatMap(word => [' ', Object.assign(document.createElement('span'), {className: 'word', textContent: word})]).slice(1);
}

export function option(value, textContent) {
  return Object.assign(document.createElement('option'), {value, textContent});
}

const saying = new Map(); // buttons that say for a moment what they did, with {label, end}

// copy puts words on the clipboard, and has the button that asked for it say whether it did.
export async function copy(words, from) {
  const said = await toClipboard(words) ? 'Copied' : 'Not copied', {label, end} = saying.get(from) ?? {label: from.textContent};
  clearTimeout(end);
  from.textContent = said;
  saying.set(from, {label, end: setTimeout(() => {
    saying.delete(from);
    from.textContent = label;
  }, 1200)});
}

// toClipboard tells whether the words are on the clipboard.
async function toClipboard(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch { // no clipboard without https
    const field = Object.assign(document.createElement('textarea'), {value: words, className: 'aside'}), had = document.activeElement;
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    had?.focus({preventScroll: true});
    return copied;
  }
}
