import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { GuestAgentLink } from './guest-agent-link.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-qga-'));
let server: Server | undefined;
afterEach(() => {
  server?.close();
  rmSync(join(folder, 'a'), { force: true });
});

/** A guest that answers the synchronisation as it should, and every other command with this. */
async function linkTo(answer: (socket: Socket) => void): Promise<GuestAgentLink> {
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const id = /"guest-sync-delimited","arguments":\{"id":(\d+)\}/.exec(bytes.toString('latin1'))?.[1];
      if (id !== undefined) socket.write(Buffer.concat([Buffer.of(0xff), Buffer.from(`{"return": ${id}}\n`)]));
      else answer(socket);
    });
  });
  await new Promise<void>((resolve) => server?.listen(join(folder, 'a'), resolve));
  return GuestAgentLink.connect(join(folder, 'a'), { timeoutMs: 5000 });
}

test.each([
  ['more than anybody takes', (socket: Socket) => void socket.write('x'.repeat(5_000_000)), 'protocol'],
  [
    'lists in lists',
    (socket: Socket) => void socket.write(`{"return":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`),
    'protocol',
  ],
  [
    'objects by the million',
    (socket: Socket) => void socket.write(`{"return":[${'{},'.repeat(1_000_000)}{}]}\n`),
    'protocol',
  ],
  ['what is no answer', (socket: Socket) => void socket.write('[1]\nnonsense\n{"event":"x"}\n'), 'timeout'],
  ['a refusal', (socket: Socket) => void socket.write('{"error":{"class":"GenericError","desc":"no"}}\n'), 'refused'],
  [
    'an error whose text is an object with a text of its own',
    (socket: Socket) => void socket.write('{"error":{"class":{"valueOf":1,"toString":1},"desc":{"toString":1}}}\n'),
    'refused',
  ],
  ['its end', (socket: Socket) => void socket.destroy(), 'closed'],
])('a guest that answers with %s is an error, and nothing waits for ever', async (_, answer, failure) => {
  const link = await linkTo(answer);
  await expect(link.execute('guest-info', {}, 500)).rejects.toMatchObject({ failure });
  link.close();
});
