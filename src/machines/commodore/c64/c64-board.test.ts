import { describe, expect, test } from 'vitest';
import { fields } from '../../../chips/mos6510/registers.ts';
import { C64Board, type C64BoardOptions } from './c64-board.ts';
import { c64Layout } from './c64-state.ts';
import { differences } from './differences-testing.ts';

/** A board whose "KERNAL" is the given program at $E000, everything else filled with bytes that can be told apart. */
function board(program: readonly number[], options: Partial<C64BoardOptions> = {}): C64Board {
  const kernal = new Uint8Array(0x2000).fill(0xea);
  kernal.set(program);
  kernal.set([0x00, 0xe1, 0x00, 0xe0, 0x00, 0xe2], 0x1ffa);
  const roms = { basic: new Uint8Array(0x2000).fill(0xba), kernal, chargen: new Uint8Array(0x1000).fill(0xcc) };
  const machine = new C64Board({ roms, vic: '8565', cia: '6526A', sid: '8580', ...options });
  machine.runCycles(7);
  return machine;
}

const forever = [0x4c, 0x00, 0xe0];

/** Something of everything: timers with interrupts, raster interrupts, sprites, the SID read back, banking. */
const busy = [
  ...[0x78, 0xa2, 0xff, 0x9a, 0xa9, 0x37, 0x85, 0x01, 0xa9, 0x2f, 0x85, 0x00],
  ...[
    0xa9, 0x81, 0x8d, 0x0d, 0xdc, 0xa9, 0x95, 0x8d, 0x04, 0xdc, 0xa9, 0x0b, 0x8d, 0x05, 0xdc, 0xa9, 0x11, 0x8d, 0x0e,
    0xdc,
  ],
  ...[
    0xa9, 0x1b, 0x8d, 0x11, 0xd0, 0xa9, 0x08, 0x8d, 0x16, 0xd0, 0xa9, 0xff, 0x8d, 0x15, 0xd0, 0x8d, 0x00, 0xd0, 0x8d,
    0x01, 0xd0,
  ],
  ...[0xa9, 0x20, 0x8d, 0x0e, 0xd4, 0x8d, 0x0f, 0xd4, 0xa9, 0x21, 0x8d, 0x12, 0xd4, 0x58],
  // INC $D020, LDA $D41B, STA $0400,X, INX, ADC $D012, STA $D016, JMP back
  ...[0xee, 0x20, 0xd0, 0xad, 0x1b, 0xd4, 0x9d, 0x00, 0x04, 0xe8, 0x6d, 0x12, 0xd0, 0x8d, 0x16, 0xd0, 0x4c, 0x43, 0xe0],
];
const handler = [0x48, 0xad, 0x0d, 0xdc, 0xee, 0x21, 0xd0, 0xce, 0x01, 0xd0, 0x68, 0x40];

function busyBoard(options: Partial<C64BoardOptions> = {}): C64Board {
  const program = Array.from(
    { length: 0x20c },
    (_, at) => busy[at] ?? (at >= 0x200 ? (handler[at - 0x200] ?? 0) : 0xea),
  );
  return board(program, options);
}

describe('memory', () => {
  test('comes up with ROMs and I/O visible, and RAM under them', () => {
    const machine = board(forever);
    expect(machine.peek('cpu', 0xa000)).toBe(0xba);
    expect(machine.peek('cpu', 0xe000)).toBe(0x4c);
    expect(machine.peek('ram', 0xa000)).not.toBe(0xba);
    machine.write(0xa000, 0x12);
    expect(machine.peek('ram', 0xa000)).toBe(0x12);
    expect(machine.peek('cpu', 0xa000)).toBe(0xba);
  });

  test('a cartridge that drives its lines in phi2 only shows the VIC-II a screen, but no characters', () => {
    const machine = board(forever);
    const romh = new Uint8Array(0x2000).fill(0x2a);
    romh.set(forever);
    machine.insertCartridge({ mapping: { romh, exrom: 1, game: 0, hidesFromVic: true } });
    machine.ram.fill(0, 0x3000, 0x4000);
    machine.ram.fill(0x77, 0x3800 + 0x2a * 8, 0x3800 + 0x2b * 8);
    machine.color.fill(1);
    machine.write(0xd011, 0x1b);
    machine.write(0xd016, 0x08);
    machine.write(0xd018, 0xce);
    machine.write(0xd021, 0);
    machine.runUntilFrame();
    machine.runUntilFrame();
    const { pixels, width } = machine.visibleFrame();
    expect([...pixels.subarray(60 * width + 32, 60 * width + 40)]).toEqual([0, 1, 1, 1, 0, 1, 1, 1]);
  });

  test.for([
    [0x37, 'io', 0xba, 0x4c],
    [0x33, 0xcc, 0xba, 0x4c],
    [0x36, 'io', 'ram', 0x4c],
    [0x35, 'io', 'ram', 'ram'],
    [0x34, 'ram', 'ram', 'ram'],
    [0x31, 0xcc, 'ram', 'ram'],
  ] as const)('port value %i switches what the processor sees', ([port, d000, a000, e000]) => {
    const machine = board(forever);
    for (const address of [0xa000, 0xd000, 0xe000]) machine.poke('ram', address, 0x77);
    machine.poke('io', 0xd000, 0x55);
    machine.write(0, 0x2f);
    machine.write(1, port);
    const seen = (part: number | string) => (part === 'ram' ? 0x77 : part === 'io' ? 0x55 : part);
    expect(machine.read(0xd000)).toBe(seen(d000));
    expect(machine.read(0xa000)).toBe(seen(a000));
    expect(machine.read(0xe000)).toBe(seen(e000));
  });

  test('a write to the port leaves the byte of the VIC in RAM', () => {
    const machine = board(forever);
    machine.poke('ram', 1, 0x11);
    machine.write(1, 0x37);
    expect(machine.peek('ram', 1)).toBe(machine.read(0xde00));
    expect(machine.peek('ram', 1)).not.toBe(0x37);
  });

  test('colour RAM has four bits; the others float', () => {
    const machine = board(forever);
    machine.write(0xd800, 0xf5);
    expect(machine.read(0xd800) & 15).toBe(5);
    expect(machine.read(0xd800) & 0xf0).toBe(machine.read(0xdf00) & 0xf0);
  });

  test('cartridge lines bring in ROML and ROMH, and Ultimax opens the rest', () => {
    const machine = board(forever);
    const roml = new Uint8Array(0x2000).fill(0x81);
    const romh = new Uint8Array(0x2000).fill(0xa1);
    machine.insertCartridge({ mapping: { roml, romh, game: 0, exrom: 0 } });
    expect([machine.read(0x8000), machine.read(0xa000), machine.read(0xe000)]).toEqual([0x81, 0xa1, 0x4c]);
    machine.insertCartridge({ mapping: { roml, game: 1, exrom: 0 } });
    expect([machine.read(0x8000), machine.read(0xa000)]).toEqual([0x81, 0xba]);
    machine.insertCartridge({ mapping: { roml, romh, game: 0, exrom: 1 } });
    expect([machine.read(0x8000), machine.read(0xe000)]).toEqual([0x81, 0xa1]);
    expect(machine.read(0x4000)).toBe(machine.read(0xde00));
    machine.insertCartridge(undefined);
    expect(machine.read(0x8000)).toBe(machine.peek('ram', 0x8000));
  });

  test('a cartridge switches its banks, has RAM and freezes', () => {
    const machine = board(forever);
    let frozenAt = 0;
    const banks = [0x80, 0x81].map((byte) => new Uint8Array(0x2000).fill(byte));
    const state = machine.cartridgeState;
    const ram = new Uint8Array(state.buffer, state.byteOffset + 16, 16);
    machine.insertCartridge({
      canFreeze: true,
      get mapping() {
        return { roml: banks[state[0] ?? 0], exrom: 0, game: 1, seesLow: true };
      },
      read: (address) => (address === 0xde01 ? 0x5a : undefined),
      write(_address, value) {
        state[0] = value;
        return true;
      },
      writeLow(offset, value) {
        ram[offset & 15] = value;
        return false;
      },
      freeze() {
        frozenAt = machine.cycles;
      },
    });
    expect([machine.read(0x8000), machine.read(0xde01), machine.read(0xde02)]).toEqual([
      0x80,
      0x5a,
      machine.read(0xdf00),
    ]);
    const before = machine.snapshot();
    machine.write(0xde00, 1);
    machine.write(0x9fff, 0x77);
    expect([machine.read(0x8000), ram[15], machine.peek('ram', 0x9fff)]).toEqual([0x81, 0x77, 0x77]);
    machine.restore(before);
    expect([machine.read(0x8000), ram[15]]).toEqual([0x80, 0]);
    const pressedAt = machine.cycles;
    expect(machine.freeze()).toBe(true);
    machine.runCycles(20);
    expect(machine.cpu.state[fields.nmiCount]).toBe(1);
    // Not before the processor has saved its place.
    expect(frozenAt).toBeGreaterThan(pressedAt + 4);
  });

  test('the serial bus comes back inverted, and drives can pull it', () => {
    const machine = board(forever);
    machine.write(0xdd02, 0x3f);
    machine.write(0xdd00, 0x03);
    expect(machine.serialLines).toEqual({ atn: true, clock: true, data: true });
    expect(machine.read(0xdd00) & 0xc0).toBe(0xc0);
    machine.write(0xdd00, 0x13);
    expect(machine.read(0xdd00) & 0xc0).toBe(0x80);
    machine.setSerialLines(true, false);
    expect(machine.read(0xdd00) & 0xc0).toBe(0x00);
  });

  test('the VIC sees the character ROM in banks 0 and 2 only', () => {
    const machine = board(forever);
    const seen = [0x03, 0x02, 0x01, 0x00].map((lines) => {
      machine.write(0xdd02, 0x3f);
      machine.write(0xdd00, lines);
      return machine.memory.fetch(0x1000) === 0xcc;
    });
    expect(seen).toEqual([true, false, true, false]);
  });
});

describe('outside', () => {
  test('the keyboard answers from both sides, ghosts included', () => {
    const machine = board(forever);
    machine.write(0xdc02, 0xff);
    machine.write(0xdc00, 0xfe);
    machine.setKey(0, 1, true);
    expect(machine.read(0xdc01)).toBe(0xfd);
    machine.setKey(3, 1, true);
    machine.setKey(3, 6, true);
    expect(machine.read(0xdc01)).toBe(0xff & ~0x42);
    machine.releaseAllKeys();
    expect(machine.read(0xdc01)).toBe(0xff);
  });

  test('joysticks pull their ports low', () => {
    const machine = board(forever);
    machine.setJoystick(1, 0x11);
    machine.setJoystick(2, 0x02);
    expect([machine.read(0xdc01) & 31, machine.read(0xdc00) & 31]).toEqual([0x0e, 0x1d]);
  });

  test('RESTORE is an NMI', () => {
    const machine = board(forever);
    machine.setRestore(true);
    machine.runCycles(30);
    expect(machine.cpu.state[fields.nmiCount]).toBe(1);
    expect(machine.cpu.state[fields.pc] >> 8).toBe(0xe1);
  });

  test('the test programs leave their exit code at $D7FF', () => {
    const program = [0xa9, 0xff, 0x8d, 0xff, 0xd7];
    const machine = board(program, { debugCart: true });
    expect(machine.runUntilExit(1000)).toBe(true);
    expect(machine.exitCode).toBe(0xff);
    expect(board(program).runUntilExit(1000)).toBe(false);
  });
});

describe('state', () => {
  test('a snapshot continues exactly, in the same machine and in another', () => {
    const machine = busyBoard();
    machine.runCycles(123_457);
    const start = machine.snapshot();
    machine.runCycles(54_321);
    const end = machine.snapshot();
    machine.restore(start);
    machine.runCycles(54_321);
    expect(Buffer.compare(machine.snapshot(), end)).toBe(0);
    const other = board(forever, { shared: true });
    other.restore(start);
    // ROMs are not state: the other machine has a different one, so it must differ as soon as it runs.
    other.runCycles(54_321);
    expect(Buffer.compare(other.snapshot(), end)).not.toBe(0);
    const same = busyBoard({ shared: true });
    same.restore(start);
    same.runCycles(54_321);
    expect(Buffer.compare(same.snapshot(), end)).toBe(0);
  });

  test('looking at everything changes nothing', () => {
    const watched = busyBoard();
    const alone = busyBoard();
    for (let i = 0; i < 20; i += 1) {
      watched.runCycles(5003);
      alone.runCycles(5003);
      for (const bank of ['cpu', 'ram', 'rom', 'io', 'color', 'vic'] as const)
        for (let address = 0; address < 0x10000; address += 97) watched.peek(bank, address);
      for (let address = 0xd000; address < 0xe000; address += 1) watched.peek('io', address);
    }
    expect(Buffer.compare(watched.snapshot(), alone.snapshot())).toBe(0);
  });

  test('the lazy machine equals the eager one after every line, and so do their pictures', () => {
    const lazy = busyBoard();
    const eager = busyBoard({ eager: true });
    for (let line = 1; line <= 936; line += 1) {
      lazy.runCycles(63);
      eager.runCycles(63);
      lazy.catchUp();
      eager.catchUp();
      // The VIC's own words may differ where it draws late; what it does to the others and to the picture may not.
      expect(differences(lazy, eager).filter((name) => !name.startsWith('vic.'))).toEqual([]);
      if (line % 312 === 0) expect(Buffer.compare(lazy.frame, eager.frame)).toBe(0);
    }
  });

  test('every word of the buffer has a name', () => {
    const named = c64Layout.fields.reduce((sum, { width, length }) => sum + width * length, 0);
    expect(named).toBeGreaterThan(0x10400);
    expect(new Set(c64Layout.fields.map(({ name }) => name)).size).toBe(c64Layout.fields.length);
    for (const { offset, width, length } of c64Layout.fields)
      expect(offset + width * length).toBeLessThanOrEqual(c64Layout.byteLength);
  });

  test('a PAL picture is 384 by 272', () => {
    const { width, height, pixels } = busyBoard().visibleFrame();
    expect([width, height, pixels.length]).toEqual([384, 272, 384 * 272]);
  });
});
