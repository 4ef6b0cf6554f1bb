// A record in the address of the page, behind the "#": compressed, and written in
// letters, digits, - and _. Nothing of it goes to the server before the page asks.

const longest = 8000; // characters that a link's record may have
const largest = 1 << 18; // characters of a record that is unpacked
const mark = '#record=';

// pack gives the part of an address for a record and the number of a turn in it, or
// null where it would be too long.
export async function pack(text, at) {
  const packed = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer());
  const letters = btoa(Array.from(packed, b => String.fromCharCode(b)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return letters.length > longest ? null : `${mark}${letters}.${at}`;
}

// unpack gives {text, at} of an address, or null where it has no record. It throws
// where the record is broken.
export async function unpack(hash) {
  if (!hash.startsWith(mark)) return null;
  const [letters, at = '0'] = hash.slice(mark.length).split('.');
  try {
    return {text: await expand(letters), at: Number(at) || 0};
  } catch {
    throw new RangeError('it is broken, or too long.');
  }
}

async function expand(letters) {
  if (letters.length > longest) throw new RangeError();
  const packed = Uint8Array.from(atob(letters.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > largest) throw new RangeError();
  }
}
