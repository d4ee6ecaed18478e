// A server with the routes of referee/gate/GATE.md that tells what a test gives it: the shells of the
// pages, JSON by path, and events when the test says so.
import { createServer } from 'node:http';

// The shell of a page of `kind`, made of a page from disk: without its data, and free to ask.
export const shellOf = (page, kind, root) => page
  .replace(/<script type="application\/octet-stream" id="data">[^<]*<\/script>/, '')
  .replace(/data-kind="[a-z]*" data-root="[./]*"/, `data-kind="${kind}" data-root="${root}"`)
  .replace(/style-src ('[^']*')/, "style-src $1; connect-src 'self'");

const script = /<script>[^]*<\/script>/, scriptPolicy = /script-src '[^']*'/;

// The page with the script of another, and free to run it.
export const withScriptOf = (page, other) => page
  .replace(script, () => script.exec(other)[0])
  .replace(scriptPolicy, () => scriptPolicy.exec(other)[0]);

export class ToldGate {
  // `pages` and `answers`: by path; an answer is JSON, or a function of the parameters.
  static async start(pages, answers) {
    const gate = new ToldGate(pages, answers);
    await new Promise((resolve) => gate.server.listen(0, '127.0.0.1', resolve));
    return gate;
  }

  constructor(pages, answers) {
    this.listeners = new Map();  // streams of events, by path
    this.asked = [];
    this.server = createServer((request, response) => this.answer(request, response, pages, answers));
  }

  get root() {
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  answer(request, response, pages, answers) {
    const url = new URL(request.url, this.root);
    const path = url.pathname;
    this.asked.push(request.url);
    const refused = this.refuses?.(path);
    if (refused !== undefined) {
      response.writeHead(refused, { 'content-type': 'application/json', 'retry-after': '0' });
      return response.end(JSON.stringify({ error: 'too much is asked of the referee' }));
    }
    if (pages[path] !== undefined) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(pages[path]);
    } else if (path.endsWith('/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      response.write('retry: 100\n\n');
      this.listeners.set(path, [...(this.listeners.get(path) ?? []), response]);
      for (const told of this.first?.(path) ?? []) this.write(response, told);
    } else {
      const answer = answers[path];
      response.writeHead(answer === undefined ? 404 : answer.status ?? 200, { 'content-type': 'application/json' });
      const body = typeof answer === 'function' ? answer(url.searchParams) : answer;
      response.end(JSON.stringify(body ?? { error: 'there is no such thing' }));
    }
  }

  write(response, { event, id, data }) {
    response.write(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  // Tells everybody who listens at the path.
  tell(path, told) {
    for (const response of this.listeners.get(path) ?? []) this.write(response, told);
  }

  // Ends all streams: browsers come back.
  hangUp() {
    for (const response of [...this.listeners.values()].flat()) response.destroy();
    this.listeners.clear();
  }

  async stop() {
    this.hangUp();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
