// A model behind the OpenAI-compatible wire that does what the test says, on this machine only.
//
// The test speaks to it over /control: POST sets the next answer and after how many pieces it stops
// until POST /go; GET tells what has happened. So nothing in a test depends on time. Each may name, as its
// query, words that a request must hold to be answered so: requests that run at once are told apart by them.
//
// A piece is text, or {reasoning}, or {tool, arguments}, which ends its answer: the next request goes on behind it;
// {end} ends it too; {fault} is an answer of that HTTP status.

import http from 'node:http';

/** `port` 0 takes any that is free. With a `key` it answers nobody who has not got it. */
export async function startModel(port = 0, { key, models = ['qwen3:8b'] } = {}) {
  const lanes = new Map();
  const lane = (words) => {
    if (!lanes.has(words)) lanes.set(words, { plan: { pieces: [], hold: 0 }, state: begun(), go: () => undefined, at: 0 });
    return lanes.get(words);
  };

  const server = http.createServer((request, response) => {
    const { pathname, search } = new URL(request.url, 'http://127.0.0.1');
    const named = () => lane(decodeURIComponent(search.slice(1)));
    if (pathname === '/control' && request.method === 'GET') return json(response, named().state);
    if (key && !['/control', '/go'].includes(pathname) && request.headers.authorization !== `Bearer ${key}`) {
      response.writeHead(401, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ error: { message: 'no key' } }));
    }
    if (pathname.endsWith('/models')) return json(response, { data: models.map((id) => ({ id })) });
    read(request).then((body) => {
      if (pathname === '/control') {
        Object.assign(named(), { plan: JSON.parse(body), state: begun(), at: 0 });
        return json(response, {});
      }
      if (pathname === '/go') {
        named().go();
        return json(response, {});
      }
      return stream(lane([...lanes.keys()].find((words) => words && body.includes(words)) ?? ''), response);
    });
    return undefined;
  });

  async function stream(own, response) {
    const { plan, state: mine } = own;
    mine.requests += 1;
    const fault = plan.pieces[own.at]?.fault;
    if (fault) {
      own.at += 1;
      response.writeHead(fault, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'the test says so' } }));
      return;
    }
    let open = true;
    const opened = new Promise((resolve) => { own.go = resolve; });
    response.on('close', () => {
      open = false;
      if (!mine.finished) mine.closed = true;
      own.go();
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = (delta, finish = null) =>
      response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'slow', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    let finish = 'stop';
    // An answer of text alone is given to every request anew.
    const from = plan.pieces.some((piece) => typeof piece !== 'string') ? own.at : 0;
    for (const [index, piece] of plan.pieces.entries()) {
      if (index < from) continue;
      if (index === plan.hold) await opened;
      if (!open) return;
      own.at = index + 1;
      if (piece.tool) {
        const call = { index: 0, id: `call-${index}`, type: 'function', function: { name: piece.tool, arguments: JSON.stringify(piece.arguments ?? {}) } };
        event({ tool_calls: [call] });
        finish = 'tool_calls';
      } else if (piece.end) {
        break;
      } else event(piece.reasoning ? { reasoning_content: piece.reasoning } : { content: piece });
      mine.sent += 1;
      if (piece.tool) break;
    }
    event({}, finish);
    response.write(`data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 1200, completion_tokens: 340 } })}\n\n`);
    response.write('data: [DONE]\n\n');
    mine.finished = true;
    response.end();
  }

  await new Promise((resolve, reject) => { server.once('error', reject); server.listen(port, '127.0.0.1', resolve); });
  const url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    stop: () => { server.closeAllConnections(); server.close(); },
  };
}

/** The same control from any process; with `words` for the requests alone that hold them. */
export function control(url, words = '') {
  const query = words && `?${encodeURIComponent(words)}`;
  const post = (path, body) => fetch(url + path + query, { method: 'POST', body: JSON.stringify(body ?? {}) });
  return {
    of: (more) => control(url, more),
    /** What is answered next, and after how many pieces it waits. */
    plan: (pieces, hold) => post('/control', { pieces, hold }),
    go: () => post('/go'),
    state: async () => (await fetch(`${url}/control${query}`)).json(),
  };
}

function begun() {
  return { requests: 0, sent: 0, closed: false, finished: false };
}

function json(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

async function read(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
