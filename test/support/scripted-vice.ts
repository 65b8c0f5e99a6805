import { createServer } from 'node:net';
import {
  commandHeader,
  commands,
  encodeResponse,
  eventId,
  events,
  failure,
  items,
  u16,
} from '../../src/links/vice/wire.ts';

const [width, height, textX, textY] = [384, 272, 32, 35];
const registers = ['A', 'X', 'Y', 'PC', 'SP', 'FL', 'LIN', 'CYC'];
const text = (name: string) => [name.length, ...Buffer.from(name)];

/** The side of a binary monitor that answers, of a version that is not installed: a C64 that is stopped, and knows as much as that one. */
export async function scriptedVice({ version }: { readonly version?: readonly number[] }) {
  const [, minor = 5] = version ?? [];
  const picture = () => {
    const head = Buffer.alloc(21);
    const words = [width, height, textX, textY, 320, 200];
    for (const [index, value] of words.entries()) head.writeUInt16LE(value, 4 + 2 * index);
    // Four bytes are missing up to 3.9.
    return Buffer.concat([head, Buffer.alloc(width * height - (minor < 10 ? 4 : 0), 6)]);
  };
  const asked: number[] = [];
  const answerTo = (type: number, body: Buffer): Buffer | undefined => {
    switch (type) {
      case commands.info:
        return version && Buffer.from([version.length, ...version, 4, 0, 0, 0, 0]);
      case commands.banksAvailable:
        return items([
          [...u16(0), ...text('default')],
          [...u16(1), ...text('ram')],
        ]);
      case commands.registersAvailable:
        return items(registers.map((name, id) => [id, 16, ...text(name)]));
      case commands.registersGet:
        return items(registers.map((_, id) => [id, ...u16(0)]));
      case commands.memoryGet: {
        const length = body.readUInt16LE(3) - body.readUInt16LE(1) + 1;
        return Buffer.concat([Buffer.from(u16(length)), Buffer.alloc(length, 0xea)]);
      }
      case commands.displayGet:
        return picture();
      case commands.paletteGet:
        return minor < 6 ? undefined : items(Array.from({ length: 16 }, (_, index) => [index, index, index]));
      case commands.joyportSet:
        return minor < 6 ? undefined : Buffer.alloc(0);
      case commands.ping:
      case commands.exit:
      case commands.resourceSet:
        return Buffer.alloc(0);
      default:
        return undefined;
    }
  };
  const server = createServer((socket) => {
    let held = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      while (held.length >= commandHeader && held.length >= commandHeader + held.readUInt32LE(2)) {
        const length = held.readUInt32LE(2);
        const [id, type] = [held.readUInt32LE(6), held[10] ?? 0];
        if (asked.length === 0) socket.write(encodeResponse(events.stopped, eventId, Buffer.from(u16(0))));
        asked.push(type);
        const body = answerTo(type, held.subarray(commandHeader, commandHeader + length));
        socket.write(encodeResponse(body ? type : 0, id, body ?? Buffer.alloc(0), body ? 0 : failure.command));
        held = held.subarray(commandHeader + length);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { place: `127.0.0.1:${port}`, asked, close: () => server.close() };
}
