import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { HttpProgram } from '../support/http-program.ts';
import { eras, httpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';

const patience = { timeout: 60_000, interval: 20 };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await Sandbox.open();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

test('clients of both eras at once see and use the same machines', async () => {
  await using guest = await Guest.listen();
  await using server = await HttpProgram.start(sandbox);
  const clients = await Promise.all([...eras, ...eras, ...eras].map((era) => httpClient(server, era)));
  const [first, ...others] = clients;
  if (!first) throw new Error('no client');
  const handle = await first.startConsole(guest.port, {}, 'shared');
  await guest.print('to all of you\r\n');
  const views = await Promise.all(
    others.map((client, reader) =>
      client.call('console_read', { machine: handle, expect: 'to all of you', reader: `reader ${reader}` }),
    ),
  );
  for (const { text } of views) expect(text).toContain('matched "to all of you"');
  await Promise.all(
    clients.map((client, i) => client.call('console_send', { text: `<${i}>`, eol: 'none', quiet_ms: 0 })),
  );
  await vi.waitFor(() => expect(guest.received).toHaveLength(3 * clients.length), patience);
  for (const i of clients.keys()) expect(guest.received).toContain(`<${i}>`);
  await others[0]?.call('machine_stop', { machine: handle });
  for (const client of clients) expect((await client.call('machine_list')).text).toContain('No machine is running');
  await Promise.all(clients.map((client) => client.close()));
});

test('a session ends with DELETE, and machines outlive it', async () => {
  await using guest = await Guest.listen();
  await using server = await HttpProgram.start(sandbox);
  const { 'mcp-session-id': id } = await openSession(server);
  const first = await httpClient(server, 'legacy');
  await first.startConsole(guest.port);
  await first.close();
  const headers = { 'mcp-session-id': id };
  expect((await server.fetch({ method: 'DELETE', headers })).status).toBe(200);
  expect((await server.fetch({ headers, body: ping })).status).toBe(404);
  await using second = await httpClient(server, 'modern');
  expect(second.getInstructions()).toContain('Machines outlive the conversation');
  expect((await second.call('machine_list')).text).toContain('console-1 LINK UP');
});

test('--max-streams counts the streams of both protocols, and frees those that close', async () => {
  await using server = await HttpProgram.start(sandbox, '--max-streams', '2');
  const session = await openSession(server);
  const second = await openSession(server);
  const stream = (headers: Record<string, string>) => server.fetch({ method: 'GET', headers });
  const listen = () => server.modern('subscriptions/listen', { notifications: { resourcesListChanged: true } });

  const legacy = await stream(session);
  const modern = await listen();
  expect([legacy.status, modern.status]).toEqual([200, 200]);
  const refused = [await listen(), await stream(second)];
  for (const each of refused) {
    expect(each.status).toBe(503);
    expect(await each.text()).toContain('2 streams are open, which is the limit (--max-streams)');
  }
  // Other requests are no streams.
  expect((await server.modern('tools/list')).status).toBe(200);
  expect((await server.fetch({ headers: session, body: ping })).status).toBe(200);

  await modern.body?.cancel();
  const another = await untilAdmitted(() => stream(second));
  expect((await listen()).status).toBe(503);
  await legacy.body?.cancel();
  const last = await untilAdmitted(listen);
  await Promise.all([another.body?.cancel(), last.body?.cancel()]);
});

test('a stream listens to a thousand resources at most', async () => {
  await using server = await HttpProgram.start(sandbox);
  const resourceSubscriptions = Array.from({ length: 1001 }, (_, index) => `console://n-${index}`);
  const refused = await server.modern('subscriptions/listen', { notifications: { resourceSubscriptions } });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('at most 1000 subscriptions');
  const taken = await server.modern('subscriptions/listen', {
    notifications: { resourceSubscriptions: resourceSubscriptions.slice(1) },
  });
  expect(taken.status).toBe(200);
  await taken.body?.cancel();
});

test('--max-sessions refuses the one too many, and a closed session makes room', async () => {
  await using server = await HttpProgram.start(sandbox, '--max-sessions', '2');
  const session = await openSession(server);
  await openSession(server);
  const refused = await server.fetch({ body: initialize });
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain('--max-sessions 2');
  await using modern = await httpClient(server, 'modern');
  expect((await modern.listTools()).tools.length).toBeGreaterThan(0);
  await server.fetch({ method: 'DELETE', headers: session });
  await openSession(server);
});

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const clientInfo = { name: 'raw', version: '1' };
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
});

async function openSession(server: HttpProgram) {
  const answer = await server.fetch({ body: initialize });
  await answer.text();
  expect(answer.status).toBe(200);
  return { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' };
}

/** The server learns of a stream that was closed when the connection tells it. */
async function untilAdmitted(open: () => Promise<Response>): Promise<Response> {
  return vi.waitFor(async () => {
    const response = await open();
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return response;
  }, patience);
}
