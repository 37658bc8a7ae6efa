// A model behind the OpenAI-compatible wire that does what the test says, on this machine only.
//
// The test speaks to it over /control: POST sets the next answer and after how many pieces it stops
// until POST /go; GET tells what has happened. So nothing in a test depends on time.
//
// A piece is text, or {reasoning}, or {tool, arguments}, which ends its answer: the next request goes on behind it;
// {end} ends it too; {fault} is an answer of that HTTP status.

import http from 'node:http';

/** `port` 0 takes any that is free. */
export async function startModel(port = 0) {
  let plan = { pieces: [], hold: 0 };
  let state = { requests: 0, sent: 0, closed: false, finished: false };
  let go = () => undefined;
  let at = 0;

  const server = http.createServer((request, response) => {
    if (request.url === '/control' && request.method === 'GET') return json(response, state);
    if (request.url.endsWith('/models')) return json(response, { data: [{ id: 'qwen3:8b' }] });
    read(request).then((body) => {
      if (request.url === '/control') {
        plan = JSON.parse(body);
        state = { requests: 0, sent: 0, closed: false, finished: false };
        at = 0;
        return json(response, {});
      }
      if (request.url === '/go') {
        go();
        return json(response, {});
      }
      return stream(request, response);
    });
    return undefined;
  });

  async function stream(request, response) {
    const mine = state;
    mine.requests += 1;
    const fault = plan.pieces[at]?.fault;
    if (fault) {
      at += 1;
      response.writeHead(fault, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'the test says so' } }));
      return;
    }
    let open = true;
    const opened = new Promise((resolve) => { go = resolve; });
    response.on('close', () => {
      open = false;
      if (!mine.finished) mine.closed = true;
      go();
    });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = (delta, finish = null) =>
      response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'slow', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    let finish = 'stop';
    // An answer of text alone is given to every request anew.
    const from = plan.pieces.some((piece) => typeof piece !== 'string') ? at : 0;
    for (const [index, piece] of plan.pieces.entries()) {
      if (index < from) continue;
      if (index === plan.hold) await opened;
      if (!open) return;
      at = index + 1;
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

/** The same control from any process. */
export function control(url) {
  const post = (path, body) => fetch(url + path, { method: 'POST', body: JSON.stringify(body ?? {}) });
  return {
    /** What is answered next, and after how many pieces it waits. */
    plan: (pieces, hold) => post('/control', { pieces, hold }),
    go: () => post('/go'),
    state: async () => (await fetch(`${url}/control`)).json(),
  };
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
