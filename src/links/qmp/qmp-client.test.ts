import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { QmpClient } from './qmp-client.ts';
import type { QmpEvent } from './qmp-message.ts';

const greeting =
  '{"QMP":{"version":{"qemu":{"micro":22,"minor":2,"major":7},"package":""},"capabilities":["oob"]}}\r\n';

interface Request {
  readonly execute: string;
  readonly arguments: Record<string, unknown>;
  readonly id: number;
}

type Answer = (request: Request, socket: Socket) => void;

let directory: string;
let server: Server;
let peer: Socket | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fp-qmp-'));
});

afterEach(async () => {
  peer?.destroy();
  await new Promise((done) => server.close(done));
  await rm(directory, { recursive: true, force: true });
});

/** Speaks QMP as QEMU does, with the answers of the test. */
async function listen(answer: Answer, hello = greeting): Promise<string> {
  const path = join(directory, 'q');
  server = createServer((socket) => {
    peer = socket;
    socket.on('error', () => {});
    socket.write(hello);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const request: Request = JSON.parse(text.slice(0, end));
        text = text.slice(end + 1);
        if (request.execute === 'qmp_capabilities') socket.write(`{"return":{},"id":${request.id}}\r\n`);
        else answer(request, socket);
      }
    });
  });
  await new Promise<void>((done) => server.listen(path, done));
  return path;
}

const open = async (answer: Answer) => QmpClient.connect(await listen(answer), { timeoutMs: 5000 });

test('waits for a socket that is not there yet, and knows the version', async () => {
  const path = join(directory, 'q');
  const connecting = QmpClient.connect(path, { timeoutMs: 5000 });
  await listen(() => {});
  const client = await connecting;
  expect(client.version).toEqual({ major: 7, minor: 2, micro: 22 });
  client.close();
});

test('answers find their commands in any order, and errors keep class and words', async () => {
  const waiting: Request[] = [];
  const client = await open((request, socket) => {
    waiting.push(request);
    if (waiting.length < 3) return;
    for (const { id, execute } of waiting.reverse()) {
      const error = `{"error":{"class":"CommandNotFound","desc":"no ${execute}"},"id":${id}}\r\n`;
      socket.write(execute === 'b' ? error : `{"return":{"was":"${execute}"},"id":${id}}\r\n`);
    }
  });
  const [a, b, c] = await Promise.allSettled([client.execute('a'), client.execute('b', { x: 1 }), client.execute('c')]);
  expect(a).toMatchObject({ value: { was: 'a' } });
  expect(b).toMatchObject({ reason: { failure: 'refused', errorClass: 'CommandNotFound', message: 'no b' } });
  expect(c).toMatchObject({ value: { was: 'c' } });
  expect(waiting[1]?.arguments).toEqual({ x: 1 });
  client.close();
});

test('the human monitor answers with text, for the processor that was meant', async () => {
  const client = await open(({ id, execute, arguments: args }, socket) => {
    const text = `${execute} ${args['command-line']} ${args['cpu-index']}\\r\\n`;
    socket.write(`{"return":"${text}","id":${id}}\r\n`);
  });
  await expect(client.hmp('info registers', { cpuIndex: 1 })).resolves.toBe('human-monitor-command info registers 1\n');
  client.close();
});

test('events reach each listener until it leaves, also in pieces and between answers', async () => {
  const client = await open(({ id }, socket) => {
    socket.write('{"timestamp":{"seconds":2,"microseconds":500000},"event":"ST');
    setImmediate(() => socket.write(`OP"}\r\n{"return":1,"id":${id}}\r\n{"event":"X","data":{"a":1}}\r\n`));
  });
  const [first, second]: [QmpEvent[], QmpEvent[]] = [[], []];
  client.onEvent((event) => first.push(event));
  const leave = client.onEvent((event) => {
    second.push(event);
    leave();
  });
  await client.execute('go');
  await expect.poll(() => first.length).toBe(2);
  expect(first).toEqual([
    { name: 'STOP', data: {}, at: 2500 },
    { name: 'X', data: { a: 1 }, at: 0 },
  ]);
  expect(second).toHaveLength(1);
  client.close();
});

describe('when the other side fails', () => {
  test('an answer that does not come in time rejects alone; the late one is ignored', async () => {
    let late: Request | undefined;
    const client = await open((request, socket) => {
      if (late) socket.write(`{"return":"late","id":${late.id}}\r\n{"return":"now","id":${request.id}}\r\n`);
      late = request;
    });
    await expect(client.execute('slow', {}, { timeoutMs: 20 })).rejects.toMatchObject({ failure: 'timeout' });
    await expect(client.execute('quick')).resolves.toBe('now');
    client.close();
  });

  test('a closed connection rejects what waits, what comes later, and says so once', async () => {
    const client = await open((_, socket) => socket.destroy());
    const reasons: string[] = [];
    client.onClose(({ failure }) => reasons.push(failure));
    await expect(client.execute('a')).rejects.toMatchObject({ failure: 'closed' });
    await expect(client.execute('b')).rejects.toMatchObject({ failure: 'closed' });
    client.onClose(({ failure }) => reasons.push(`late ${failure}`));
    await expect.poll(() => reasons).toEqual(['closed', 'late closed']);
    client.close();
  });

  test.for([
    ['not JSON', 'hello\r\n'],
    ['a line without end', 'x'.repeat(9 * 1024 * 1024)],
  ] as const)('%s ends the connection', async ([, bytes]) => {
    const client = await open((_, socket) => void socket.write(bytes));
    await expect(client.execute('a')).rejects.toMatchObject({ failure: 'protocol' });
    expect(client.closed).toBe(true);
  });

  test('an answer that is crowded with values ends the connection before it is read', async () => {
    const client = await open(({ id }, socket) =>
      socket.write(`{"return":[${'{},'.repeat(1_000_000)}{}],"id":${id}}\n`),
    );
    await expect(client.execute('query-status')).rejects.toMatchObject({
      failure: 'protocol',
      message: expect.stringContaining('lists, objects and members'),
    });
    expect(client.closed).toBe(true);
  });

  test('JSON that is no answer of ours is ignored', async () => {
    const noise =
      '[]\r\n1\r\nnull\r\n\r\n{}\r\n{"return":1,"id":"x"}\r\n{"return":1,"id":99}\r\n{"event":7}\r\n' +
      '{"return":1,"id":{"toString":1}}\r\n{"error":{"desc":{"toString":1}},"id":[{"valueOf":1,"toString":1}]}\r\n';
    const client = await open(({ id }, socket) => void socket.write(`${noise}{"return":"mine","id":${id}}\r\n`));
    await expect(client.execute('a')).resolves.toBe('mine');
    client.close();
  });

  test('no greeting is a timeout, a socket that never appears too, and an abort ends the wait', async () => {
    const path = await listen(() => {}, '');
    await expect(QmpClient.connect(path, { timeoutMs: 30 })).rejects.toMatchObject({ failure: 'timeout' });
    await expect(QmpClient.connect(`${path}x`, { timeoutMs: 30 })).rejects.toThrow('ENOENT');
    const signal = AbortSignal.timeout(20);
    await expect(QmpClient.connect(path, { timeoutMs: 20_000, signal })).rejects.toThrow(/cancelled|abort/);
  });
});
