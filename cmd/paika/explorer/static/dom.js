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

export function option(value, textContent) {
  return Object.assign(document.createElement('option'), {value, textContent});
}

// copy puts words on the clipboard, and has the button that asked for it say so.
export async function copy(words, from) {
  const label = from.textContent;
  try {
    await navigator.clipboard.writeText(words);
  } catch { // no clipboard without https
    const field = Object.assign(document.createElement('textarea'), {value: words, className: 'aside'});
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
  from.textContent = 'Copied';
  setTimeout(() => { from.textContent = label; }, 1200);
}
