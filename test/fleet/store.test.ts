import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileStore } from '../../src/fleet/wire/file-store.ts';
import { FleetLine } from '../../src/fleet/wire/fleet-line.ts';
import { ensureStreams, partsStream } from '../../src/fleet/wire/streams.ts';
import { subjects } from '../../src/fleet/wire/subjects.ts';
import { Fleet } from '../support/fleet.ts';

const patience = 60_000;
const bytes = randomBytes(300_000);
let fleet: Fleet;
let lines: FleetLine[];
beforeEach(async () => {
  fleet = await Fleet.open();
  lines = [];
});
afterEach(async () => {
  await Promise.all(lines.map((line) => line.close()));
  await fleet[Symbol.asyncDispose]();
});

async function open(url = fleet.url): Promise<FleetLine> {
  const line = await FleetLine.open({ url, name: 'test', log: () => {} });
  lines.push(line);
  return line;
}

async function expectStored(): Promise<void> {
  const line = await open();
  const store = new FileStore(line);
  expect([...(await store.list()).keys()]).toEqual(['saved']);
  expect(Buffer.from(await store.readStored('saved')).equals(bytes)).toBe(true);
  const { manager } = await line.streams();
  expect((await manager.streams.info(partsStream)).state.messages).toBe(2);
}

test(
  'a stream that is known but takes no messages yet is waited for',
  async () => {
    const { manager } = await (await open()).streams();
    await ensureStreams(manager);
    await manager.streams.update(partsStream, { subjects: ['fp.elsewhere'] });
    const line = await open();
    const tried = new Promise<void>((resolve) => {
      const stop = line.subscribeRaw(subjects.allParts, () => {
        stop();
        resolve();
      });
    });
    await line.flush();
    const saved = new FileStore(line).store('saved', bytes);
    await tried;
    await manager.streams.update(partsStream, { subjects: [subjects.allParts] });
    await saved;
    await expectStored();
  },
  patience,
);

test(
  'a file that is written while the server is away is there when it is back',
  async () => {
    const line = await open();
    await fleet.killServer();
    const saved = new FileStore(line).store('saved', bytes);
    await fleet.startServer();
    await saved;
    await expectStored();
  },
  patience,
);

test(
  'a file whose last acknowledgement comes too late is one file, and whole',
  async () => {
    const { port, close } = await holdingAnswers(Number(new URL(fleet.url).port), `PUB ${subjects.file('saved')} `);
    try {
      await new FileStore(await open(`nats://127.0.0.1:${port}`)).store('saved', bytes);
      await expectStored();
    } finally {
      close();
    }
  },
  patience,
);

/** A proxy that keeps what the server says to a certain message until the client has asked for something else. */
async function holdingAnswers(port: number, message: string) {
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    sockets.push(client, server);
    let held: Buffer[] | undefined;
    client.on('data', (chunk: Buffer) => {
      if (chunk.includes(message)) held = [];
      else if (held && chunk.includes('PUB $JS.API')) {
        for (const each of held) client.write(each);
        held = undefined;
      }
      server.write(chunk);
    });
    server.on('data', (chunk: Buffer) => {
      if (held) held.push(chunk);
      else client.write(chunk);
    });
    for (const socket of [client, server]) socket.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
