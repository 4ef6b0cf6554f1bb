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

// ask gives what read makes of an answer. What breaks off, or cannot be read, is no answer.
// heard is told of every answer, of problems too.
async function ask(path, parameters, {heard, ...options} = {}, read = response => response.json()) {
  const query = new URLSearchParams(parameters);
  try {
    const response = await fetch(query.size ? `${path}?${query}` : path, options);
    heard?.(response);
    if (response.ok) return await read(response);
    throw new Problem(await refusal(response));
  } catch (error) {
    if (error.name === 'AbortError' || error instanceof Problem) throw error;
    throw new Problem({code: 'network', detail: 'The server does not answer.'});
  }
}

// refusal is what an answer says is wrong. Others than the server may say it in words of
// their own.
async function refusal(response) {
  const details = await response.json().catch(() => null);
  return details?.code ? details : {code: 'network', detail: response.statusText || `The answer has status ${response.status}.`};
}

export async function games() {
  return ask('api/v1/games');
}

// Board asks about one game on one board under one set of rules.
export class Board {
  constructor({game, board, rules}) {
    this.path = `api/v1/${encodeURIComponent(game)}/${encodeURIComponent(board)}/`;
    this.name = `${this.path} ${rules}`;
    this.common = rules ? {rules} : {};
    this.view = {game, board, rules}; // as the server spells it, once it has answered
  }

  async get(what, parameters = {}, signal) {
    const heard = ({headers}) => {
      const [game, board, rules = ''] = headers.get('Paika-Board')?.split(' ') ?? [];
      if (board) this.view = {game, board, rules};
    };
    return ask(this.path + what, {...this.common, ...parameters}, {signal, heard});
  }

  async post(what, body, signal) {
    const headers = {'Content-Type': 'application/json'};
    return ask(this.path + what, this.common, {method: 'POST', headers, body: JSON.stringify(body), signal});
  }

  // search calls progress with the nodes so far, and gives the answer at last.
  async search(position, nodes, progress, signal) {
    const last = await ask(this.path + 'search', this.common, {
      method: 'POST', signal,
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({position, nodes}),
    }, response => lastLine(response, line => {
      if (!('position' in line) && !line.problem) progress(line.nodes);
    }));
    if (last?.problem) throw new Problem(last.problem);
    if (!last || !('position' in last)) throw new Problem({code: 'network', detail: 'The server ended the search.'});
    return last;
  }
}

// lastLine calls each with every line of an answer, a JSON value a line, and gives the last one.
async function lastLine(response, each) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '', last;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return last;
    const lines = (text + value).split('\n');
    text = lines.pop();
    for (const line of lines) each(last = JSON.parse(line));
  }
}
