import { hex } from '../../../../../formats/hex.ts';
import type { Guest } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import type { DosFunction } from '../dos-function.ts';
import { farText, linear } from '../far-pointer.ts';
import { binaryText, quoted } from '../guest-text.ts';
import { flushInput, inputReady, readInput, readInputLine, tryReadInput, writeOutput } from '../standard-streams.ts';

const carriageReturn = 13;
const directInput = 0xff;

const readWithEcho: DosFunction = {
  number: 0x01,
  name: 'read character with echo',
  failure: 'none',
  run(guest, dos) {
    guest.al = dos.drivers.once(() => readInput(dos, true));
    writeOutput(dos, guest.al);
    return undefined;
  },
  result: byteRead,
};

const directIo: DosFunction = {
  number: 0x06,
  name: 'direct console I/O',
  failure: 'none',
  describe: (guest) => (guest.dl === directInput ? 'input' : `output ${hex(guest.dl, 2)}h`),
  run(guest, dos) {
    if (guest.dl !== directInput) {
      writeOutput(dos, guest.dl, true);
      guest.al = guest.dl;
      return undefined;
    }
    const byte = tryReadInput(dos);
    guest.al = byte ?? 0;
    guest.zero = byte === undefined;
    return undefined;
  },
};

const readDirect: DosFunction = {
  number: 0x07,
  name: 'read character, no check',
  failure: 'none',
  run(guest, dos) {
    guest.al = readInput(dos, false);
    return undefined;
  },
  result: byteRead,
};

const readQuietly: DosFunction = {
  number: 0x08,
  name: 'read character without echo',
  failure: 'none',
  run(guest, dos) {
    guest.al = readInput(dos, true);
    return undefined;
  },
  result: byteRead,
};

const readBuffered: DosFunction = {
  number: 0x0a,
  name: 'read line',
  failure: 'none',
  describe: (guest) => `at most ${guest.memory.read8(linear(guest.ds, guest.dx))} to ${farText(guest.ds, guest.dx)}`,
  run(guest, dos) {
    const { memory, ds, dx } = guest;
    const size = memory.read8(linear(ds, dx));
    if (size === 0) return undefined;
    const old = memory.read8(linear(ds, dx + 1));
    // What stands in the buffer is the old line only where a carriage return ends it.
    const kept = old < size && memory.read8(linear(ds, dx + 2 + old)) === carriageReturn;
    const template = kept ? [...memory.bytes(linear(ds, dx + 2), old)] : [];
    const line = readInputLine(dos, size - 1, template);
    memory.write8(linear(ds, dx + 1), line.length);
    memory.write(linear(ds, dx + 2), Uint8Array.of(...line, carriageReturn));
    return undefined;
  },
  result(guest) {
    const length = guest.memory.read8(linear(guest.ds, guest.dx + 1));
    return quoted(binaryText(guest.memory.bytes(linear(guest.ds, guest.dx + 2), length)));
  },
};

const checkInput: DosFunction = {
  number: 0x0b,
  name: 'check input',
  failure: 'none',
  run(guest, dos) {
    guest.al = inputReady(dos, true) ? 0xff : 0;
    return undefined;
  },
  result: (guest) => (guest.al === 0 ? 'nothing' : 'ready'),
};

const followers = new Map(
  [readWithEcho, directIo, readDirect, readQuietly, readBuffered].map((row) => [row.number, row]),
);

const flushAndRead: DosFunction = {
  number: 0x0c,
  name: 'flush input and call',
  failure: 'none',
  describe: (guest) => `function ${hex(guest.al, 2)}h`,
  run(guest, dos) {
    const resumed = dos.resumesWait(((guest.ss << 16) | guest.sp) >>> 0);
    if (!resumed || dos.console.flushing) flushInput(dos);
    const follower = followers.get(guest.al);
    if (follower !== undefined) return follower.run(guest, dos);
    guest.al = 0;
    return undefined;
  },
};

export const consoleInput = [
  readWithEcho,
  directIo,
  readDirect,
  readQuietly,
  readBuffered,
  checkInput,
  flushAndRead,
] as const;

function byteRead(guest: Guest, _dos: Dos): string {
  return `${hex(guest.al, 2)}h ${quoted(String.fromCharCode(guest.al))}`;
}
