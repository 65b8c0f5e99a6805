import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeRack } from '../make-rack.ts';
import { serveInProcess } from '../security/serve-in-process.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { Guest } from '../support/guest.ts';
import { HttpProgram } from '../support/http-program.ts';
import { httpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';
import { toyKind } from '../toy-kind.ts';

const patience = { timeout: 60_000, interval: 50 };
const initialize = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

let sandbox: Sandbox;
let guest: Guest;
beforeAll(async () => {
  sandbox = await Sandbox.open();
  guest = await Guest.listen();
});
afterAll(async () => {
  await guest[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

/** A session of the 2025 protocol and its streams, by hand. */
class Session {
  readonly #server: HttpProgram;
  readonly headers: Record<string, string>;

  static async open(server: HttpProgram): Promise<Session> {
    const answer = await server.fetch({ body: initialize });
    await answer.text();
    return new Session(server, answer.headers.get('mcp-session-id') ?? '');
  }

  private constructor(server: HttpProgram, id: string) {
    this.#server = server;
    this.headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  }

  async stream(lastEventId?: string): Promise<Stream> {
    const headers = { ...this.headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
    return new Stream(await this.#server.fetch({ method: 'GET', headers }));
  }

  post(method: string, params: Record<string, unknown> = {}, id = 7): Promise<Response> {
    return this.#server.fetch({ headers: this.headers, body: JSON.stringify({ jsonrpc: '2.0', id, method, params }) });
  }

  async call(name: string, args: Record<string, unknown>): Promise<string> {
    return (await this.post('tools/call', { name, arguments: args })).text();
  }
}

class Stream {
  readonly status: number;
  text = '';
  isOver = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(response: Response) {
    this.status = response.status;
    this.#reader = response.body?.getReader();
    void this.#read();
  }

  get lastEventId(): string | undefined {
    return [...this.text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1];
  }

  count(what: string): number {
    return this.text.split(what).length - 1;
  }

  /** Closes the connection. */
  async cut(): Promise<void> {
    await this.#reader?.cancel().catch(() => {});
  }

  async #read(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = (await this.#reader?.read()) ?? { done: true, value: undefined };
        if (done) break;
        this.text += Buffer.from(value ?? []).toString();
      }
    } catch {
      // It was cut.
    }
    this.isOver = true;
  }
}

describe('a stream of the 2025 protocol', () => {
  let server: HttpProgram;
  let started = 0;
  beforeAll(async () => {
    server = await HttpProgram.start(sandbox);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const start = (session: Session) =>
    session.call('machine_start', { kind: 'console', name: `m${++started}`, options: { port: guest.port } });

  test('can be opened again at once after it was cut, and tells what happens then', async () => {
    const session = await Session.open(server);
    for (let round = 0; round < 5; round++) {
      const stream = await session.stream();
      expect(stream.status).toBe(200);
      await stream.cut();
    }
    const stream = await session.stream();
    expect(stream.status).toBe(200);
    await start(session);
    await expect.poll(() => stream.text, patience).toContain('notifications/resources/list_changed');
    await stream.cut();
  });

  test('is taken over by the one that is asked for later, whatever became of the one before', async () => {
    const session = await Session.open(server);
    const lost = await session.stream();
    const next = await session.stream();
    expect([lost.status, next.status]).toEqual([200, 200]);
    await expect.poll(() => lost.isOver, patience).toBe(true);
    await start(session);
    await expect.poll(() => next.text, patience).toContain('list_changed');
    await next.cut();
  });

  test('tells what was missed while it was cut, once, to a client that says what it got last', async () => {
    const session = await Session.open(server);
    const first = await session.stream();
    await start(session);
    await expect.poll(() => first.count('list_changed'), patience).toBe(1);
    await first.cut();
    await start(session);
    const second = await session.stream(first.lastEventId);
    await expect.poll(() => second.count('list_changed'), patience).toBe(1);
    await start(session);
    await expect.poll(() => second.count('list_changed'), patience).toBe(2);
    await second.cut();
  });

  test('gives the answer of a call whose connection was cut to the one who asks where it stopped', async () => {
    const session = await Session.open(server);
    const args = { kind: 'console', name: 'long', options: { port: guest.port } };
    await session.call('machine_start', args);
    const waiting = { machine: 'long', expect: 'here it is', timeout_ms: 50_000 };
    const call = new Stream(await session.post('tools/call', { name: 'console_read', arguments: waiting }, 99));
    await expect.poll(() => call.lastEventId, patience).toBeDefined();
    await call.cut();
    await guest.print('here it is\r\n');
    const resumed = await session.stream(call.lastEventId);
    expect(resumed.status).toBe(200);
    await expect.poll(() => resumed.text, patience).toMatch(/"id":99/);
    expect(resumed.text).toContain('matched');
  });

  test('cannot be opened with an event that no server said', async () => {
    const session = await Session.open(server);
    for (const id of ['7', 'x.y', '1.', '-1._GET_stream', '9'.repeat(40)]) {
      const stream = await session.stream(id);
      expect(stream.status, id).toBe(400);
      await expect.poll(() => stream.text, patience).toContain('Leave it out to go on from now');
    }
  });

  test('of somebody else cannot be opened with an event of theirs', async () => {
    const session = await Session.open(server);
    for (const id of ['nonsense', '9999999999999999999._GET_stream', 'x'.repeat(200)]) {
      const stream = await session.stream(id);
      await expect.poll(() => stream.status === 200 || stream.isOver, patience).toBe(true);
      await stream.cut();
    }
    expect((await session.post('ping')).status).toBe(200);
  });
});

test('a client that cannot say what it got last is told what was said while nobody listened', async () => {
  await using server = await HttpProgram.start(sandbox, '--max-streams', '1');
  const session = await Session.open(server);
  const start = (name: string) =>
    session.call('machine_start', { kind: 'console', name, options: { port: guest.port } });
  const opened = async (open: () => Promise<{ status: number; cut(): Promise<void> }>) => {
    for (;;) {
      const stream = await open();
      if (stream.status === 200) return stream;
    }
  };
  await start('early');
  const first = await session.stream();
  await expect.poll(() => first.count('resources/list_changed'), patience).toBe(1);
  await first.cut();
  // There is room for another stream once the server has noticed.
  const listen = async () =>
    new Stream(await server.modern('subscriptions/listen', { notifications: { promptsListChanged: true } }));
  await (await opened(listen)).cut();
  await start('unheard');
  const second = (await opened(() => session.stream())) as Stream;
  await expect.poll(() => second.count('resources/list_changed'), patience).toBe(1);
  await second.cut();
});

test('the official client hears again after every connection was cut', async () => {
  await using server = await HttpProgram.start(sandbox);
  await using proxy = await CuttingProxy.to(server.url);
  const through = { url: `http://127.0.0.1:${proxy.port}/mcp`, token: server.token } as HttpProgram;
  await using client = await httpClient(through, 'legacy');
  await using beside = await httpClient(server, 'modern');
  await beside.startConsole(guest.port, {}, 'before');
  await expect.poll(() => client.listChanges, patience).toBe(1);
  for (const round of [1, 2]) {
    const connections = proxy.connections;
    proxy.cut();
    await expect.poll(() => proxy.connections, patience).toBeGreaterThan(connections);
    await beside.startConsole(guest.port, {}, `after-${round}`);
    await expect.poll(() => client.listChanges, patience).toBe(1 + round);
  }
  expect((await client.call('machine_list')).text).toContain('after-2');
});

test('a session with an open stream does not expire, one without does', async () => {
  await using served = await serveInProcess(makeRack([toyKind]), { sessionIdleMs: 400 });
  const program = { fetch: (init: RequestInit) => fetch(served.url, withToken(init)) } as unknown as HttpProgram;
  const opened = async () => {
    for (;;) {
      const session = await Session.open(program);
      const stream = await session.stream();
      // On a busy computer it may have expired before its stream was there.
      if (stream.status === 200) return { kept: session, stream };
    }
  };
  const { kept, stream } = await opened();
  const left = await Session.open(program);
  await expect.poll(async () => (await left.post('ping')).status, { timeout: 60_000, interval: 1500 }).toBe(404);
  expect((await kept.post('ping')).status).toBe(200);
  expect(stream.isOver).toBe(false);
  await stream.cut();
  await expect.poll(async () => (await kept.post('ping')).status, { timeout: 60_000, interval: 1500 }).toBe(404);
});

function withToken({ method = 'POST', headers, body }: RequestInit): RequestInit {
  const always = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return {
    method,
    headers: { ...always, authorization: 'Bearer token', ...(headers as Record<string, string>) },
    ...(body !== undefined && { body }),
  };
}
