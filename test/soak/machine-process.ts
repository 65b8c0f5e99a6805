/** The machine of the soak test: says its stream, hangs up now and then, checks what it hears. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { HeardOnce, MachineOrder, MachineReport } from './messages.ts';
import { blockBytes, linesContent, mixedContent, offsetOfLines } from './stream.ts';
import { StreamCheck } from './stream-check.ts';

const [totalBytes = 0, dropEveryBytes = 0, drops = 0] = process.argv.slice(2).map(Number);
const report = (message: MachineReport) => process.send?.(message);

let dropped = 0;
let nextDrop = dropEveryBytes;
const heard: HeardOnce[] = [];

interface Call {
  readonly socket: Socket;
  readonly hearing: HeardOnce;
}

/** Connections that have not been told yet where to begin, and the other way round: either may be first. */
const calls: Call[] = [];
const beginnings: number[] = [];

const server = createServer({ noDelay: true }, (socket) => {
  const hearing: HeardOnce = { from: undefined, to: 0, error: undefined, gracefulEnd: false };
  heard.push(hearing);
  calls.push({ socket, hearing });
  listen(socket, hearing);
  answer();
});
server.listen(0, '127.0.0.1', () => report({ type: 'listening', port: (server.address() as AddressInfo).port }));
process.on('message', (order: MachineOrder) => {
  if (order.type === 'report') report({ type: 'heard', heard });
  else beginnings.push(order.from);
  answer();
});
process.on('disconnect', () => process.exit());

function answer(): void {
  if (calls.length === 0 || beginnings.length === 0) return;
  const call = calls.shift();
  const from = beginnings.shift();
  if (call && from !== undefined) void say(call, from);
}

async function say({ socket, hearing }: Call, from: number): Promise<void> {
  const content = mixedContent();
  let goOn = () => {};
  socket.on('drain', () => goOn());
  socket.on('close', () => goOn());
  for (let offset = from; offset < totalBytes && !socket.destroyed; ) {
    const until = Math.min(totalBytes, (Math.floor(offset / blockBytes) + 1) * blockBytes);
    const stop = dropped < drops ? Math.min(until, Math.max(offset, nextDrop)) : until;
    const bytes = Buffer.from(content(Math.floor(offset / blockBytes)).subarray(offset % blockBytes));
    const drained = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    if (!socket.write(bytes.subarray(0, stop - offset)) && !socket.destroyed) await drained;
    offset = stop;
    if (dropped < drops && offset >= nextDrop) {
      hangUp(socket, hearing);
      return;
    }
  }
}

/** Every other time without a farewell: what is on the wire is lost, both ways. */
function hangUp(socket: Socket, hearing: HeardOnce): void {
  dropped++;
  nextDrop += dropEveryBytes + 12_345;
  hearing.gracefulEnd = dropped % 2 === 0;
  if (hearing.gracefulEnd) socket.end();
  else socket.resetAndDestroy();
}

function listen(socket: Socket, hearing: HeardOnce): void {
  let check: StreamCheck | undefined;
  let first = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    if (!check) {
      first = Buffer.concat([first, bytes]);
      const offset = offsetOfLines(first);
      if (offset === undefined) return;
      hearing.from = offset;
      check = new StreamCheck(linesContent(), offset);
      check.take(first);
    } else {
      check.take(bytes);
    }
    hearing.to = check.offset;
    hearing.error = check.error;
  });
}
