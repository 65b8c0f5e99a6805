/** The people of the soak test: four watch, the last of them not always; one types. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ClientsReport } from './messages.ts';
import { blockBytes, linesContent, mixedContent } from './stream.ts';
import { StreamCheck } from './stream-check.ts';

const [socketIn = '', socketOut = ''] = process.argv.slice(2);
const [totalBytes = 0, typedBytes = 0] = process.argv.slice(4).map(Number);
const report = (message: ClientsReport) => process.send?.(message);
process.on('disconnect', () => process.exit());

const checks = [0, 1, 2, 3].map(() => new StreamCheck(mixedContent()));
const watched = checks.map(async (check, index) => {
  const socket = connect(socketOut);
  await once(socket, 'connect');
  let nextNap = index === 3 ? totalBytes / 5 : Number.POSITIVE_INFINITY;
  await new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      check.take(bytes);
      if (check.error !== undefined || check.offset >= totalBytes) resolve();
      if (check.offset < nextNap) return;
      nextNap = check.offset + totalBytes / 3;
      socket.pause();
      setTimeout(() => socket.resume(), 1500);
    });
    socket.on('close', () => resolve());
  });
  socket.destroy();
});

/** Keeps step with what the first client sees, so that both directions are busy from the beginning to the end. */
async function type(): Promise<void> {
  const socket = connect(socketIn);
  const content = linesContent();
  for (let offset = 0; offset < typedBytes; offset += blockBytes) {
    while ((checks[0]?.offset ?? 0) / totalBytes < offset / typedBytes && checks[0]?.error === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    if (!socket.write(Buffer.from(content(offset / blockBytes)))) await once(socket, 'drain');
  }
  socket.end();
  await once(socket, 'close');
}

report({ type: 'ready' });
await Promise.all([...watched, type()]);
report({
  type: 'done',
  clients: checks.map(({ offset, verifiedBytes, gapBytes, gaps, error }) => ({
    offset,
    verifiedBytes,
    gapBytes,
    gaps,
    error,
  })),
});
