import { expect, test } from 'vitest';
import { PacketReader } from './gdb/packet-reader.ts';
import { LineSplitter } from './qmp/line-splitter.ts';
import { BinmonReader } from './vice/binmon-reader.ts';
import { encodeResponse } from './vice/wire.ts';

const count = 500_000;
const lines = new LineSplitter(8 * 1024 * 1024);
const packets = new PacketReader();
const messages = new BinmonReader();

test.each([
  ['a line', Buffer.from('x'), (byte: Buffer) => [...lines.push(byte)]],
  ['a packet of a debugger', Buffer.from('$M'), (byte: Buffer) => packets.push(byte)],
  ["a message of VICE's", encodeResponse(0, 0, Buffer.alloc(count + 1)), (byte: Buffer) => messages.push(byte)],
])('%s that comes in single bytes takes little more memory than its bytes', (_, start, push) => {
  for (const byte of start.subarray(0, 12)) push(Buffer.from(Uint8Array.of(byte).buffer));
  const before = process.memoryUsage();
  let complete = 0;
  for (let at = 0; at < count; at++) complete += push(Buffer.from(Uint8Array.of(0x78).buffer)).length;
  expect(complete).toBe(0);
  const { heapUsed, external } = process.memoryUsage();
  expect(heapUsed - before.heapUsed + external - before.external).toBeLessThan(60_000_000);
});
