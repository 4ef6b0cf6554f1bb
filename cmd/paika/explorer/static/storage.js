// What outlives a reload, as long as the browser's tab is open. A browser may deny that, or have no
// room: then it is kept until the page is left.

const here = new Map();

// get is what was put under a name; null where that is nothing, or nothing that can be read.
export function get(name) {
  if (here.has(name)) return here.get(name);
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

export function put(name, object) {
  here.set(name, object);
  try {
    sessionStorage.setItem(name, JSON.stringify(object));
  } catch { // denied, or no room
  }
}
