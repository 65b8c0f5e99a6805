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
export async function scriptedVice({
  version,
  lies = new Map(),
  unknown = [],
}: {
  readonly version?: readonly number[];
  /** What no VICE would answer, by the command. */
  readonly lies?: ReadonlyMap<number, Buffer>;
  /** Settings that it does not have. */
  readonly unknown?: readonly string[];
}) {
  const [, minor = 5] = version ?? [];
  const isOldest = minor < 6;
  const picture = () => {
    const head = Buffer.alloc(isOldest ? 47 : 21);
    const words = [width, height, textX, textY, 320, 200];
    for (const [index, value] of words.entries()) head.writeUInt16LE(value, (isOldest ? 12 : 4) + 2 * index);
    // Four bytes are missing from 3.6 to 3.10.
    return Buffer.concat([head, Buffer.alloc(width * height - (isOldest || minor > 10 ? 0 : 4), 6)]);
  };
  const asked: number[] = [];
  const answerTo = (type: number, body: Buffer): Buffer | undefined => {
    const lie = lies.get(type);
    if (lie) return lie;
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
        const all = body.readUInt16LE(3) - body.readUInt16LE(1) + 1;
        // What 3.5 reckons with has 16 bits.
        const length = isOldest ? all & 0xffff : all;
        return Buffer.concat([Buffer.from(u16(length)), Buffer.alloc(length, 0xea)]);
      }
      case commands.displayGet:
        return picture();
      case commands.paletteGet:
        return minor < 6 ? undefined : items(Array.from({ length: 16 }, (_, index) => [index, index, index]));
      case commands.joyportSet:
        return minor < 6 ? undefined : Buffer.alloc(0);
      case commands.resourceGet:
        return Buffer.from([1, 4, 1, 0, 0, 0]);
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
        const spoken = held[1] ?? 0;
        // 3.5 overlooks what is not of its version, and says nothing.
        if (isOldest ? spoken !== 1 : spoken < 1 || spoken > 2) {
          held = held.subarray(commandHeader + length);
          continue;
        }
        const write = (response: Buffer) => {
          response[1] = isOldest ? 1 : 2;
          socket.write(response);
        };
        if (asked.length === 0) write(encodeResponse(events.stopped, eventId, Buffer.from(u16(0))));
        asked.push(type);
        // Since 3.6 these two have another form in version 2, and are refused in version 1.
        const isForm = spoken === 1 && !isOldest && (type === commands.displayGet || type === commands.keyboardFeed);
        const body = isForm ? undefined : answerTo(type, held.subarray(commandHeader, commandHeader + length));
        const isAbout = (name: string) => held.subarray(commandHeader, commandHeader + length).includes(name);
        const isMissing =
          [commands.resourceGet, commands.resourceSet].some((each) => each === type) && unknown.some(isAbout);
        const error = isMissing ? failure.missing : body ? 0 : isForm ? failure.version : failure.command;
        const isRefused = error !== 0;
        write(encodeResponse(isRefused ? 0 : type, id, isRefused || !body ? Buffer.alloc(0) : body, error));
        held = held.subarray(commandHeader + length);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { place: `127.0.0.1:${port}`, asked, close: () => server.close() };
}
