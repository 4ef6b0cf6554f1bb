// Questions to the server. Paths are relative, so that the page works below any
// prefix.

// Problem is an answer that says what is wrong: the problem details that the
// server sends.
export class Problem extends Error {
  constructor(details) {
    super(details.detail);
    Object.assign(this, details);
  }
}

async function ask(path, parameters, options) {
  const query = new URLSearchParams(parameters);
  let response;
  try {
    response = await fetch(query.size ? `${path}?${query}` : path, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem({code: 'network', detail: 'The server does not answer.'});
  }
  if (response.ok) return response;
  throw new Problem(await response.json().catch(() => ({code: 'network', detail: response.statusText})));
}

export async function games() {
  return (await ask('api/v1/games')).json();
}

// Board asks about one game on one board under one set of rules.
export class Board {
  constructor({game, board, rules}) {
    this.path = `api/v1/${encodeURIComponent(game)}/${encodeURIComponent(board)}/`;
    this.name = `${this.path} ${rules}`;
    this.common = rules ? {rules} : {};
  }

  async get(what, parameters = {}, signal) {
    return (await ask(this.path + what, {...this.common, ...parameters}, {signal})).json();
  }

  async post(what, body, signal) {
    const headers = {'Content-Type': 'application/json'};
    return (await ask(this.path + what, this.common, {method: 'POST', headers, body: JSON.stringify(body), signal})).json();
  }

  // search calls progress with the nodes so far, and gives the answer at last.
  async search(position, nodes, progress, signal) {
    const response = await ask(this.path + 'search', this.common, {
      method: 'POST', signal,
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({position, nodes}),
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '', last;
    for (;;) {
      const {done, value} = await reader.read();
      if (done) break;
      const lines = (text + value).split('\n');
      text = lines.pop();
      for (const line of lines) {
        last = JSON.parse(line);
        if (!('position' in last) && !last.problem) progress(last.nodes);
      }
    }
    if (last?.problem) throw new Problem(last.problem);
    if (!last || !('position' in last)) throw new Problem({code: 'network', detail: 'The server ended the search.'});
    return last;
  }
}
