import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Vic2Model } from '../../../chips/vic2/models.ts';
import { demoSource } from '../../../cli/demo.ts';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { applyInput } from '../machine/input-event.ts';
import { c64Roms } from '../roms/c64-roms.generated.ts';
import { C64Board, type C64BoardOptions } from './c64-board.ts';
import { c64Layout } from './c64-state.ts';
import { eightSprites } from './eight-sprites-testing.ts';
import { ownVectors } from './own-vectors-testing.ts';

/**
 * The lazy machine against the eager one, which runs every chip in every cycle: the same state after every line, word for word,
 * and the same picture. Only what the VIC-II remembers of work it has put off may differ.
 */
const putOff = new Set(
  ['quietUntil', 'quietKind', 'quietSprites', 'freeUntil', 'gByte', 'gLine'].map((name) => `vic.${name}`),
);
const compared = c64Layout.fields.filter(({ name }) => !putOff.has(name));

/** Neighbouring fields as one, so that a comparison takes few calls. */
const ranges = compared.reduce<{ start: number; end: number }[]>((found, { offset, width, length }) => {
  const last = found.at(-1);
  const end = offset + width * length;
  if (last !== undefined && offset - last.end < 8 && offset >= last.end && !isPutOffBetween(last.end, offset))
    last.end = end;
  else found.push({ start: offset, end });
  return found;
}, []);

function isPutOffBetween(start: number, end: number): boolean {
  return c64Layout.fields.some(({ name, offset }) => putOff.has(name) && offset >= start && offset < end);
}

function differences(lazy: C64Board, eager: C64Board): string[] {
  lazy.catchUp();
  eager.catchUp();
  const differ = (start: number, end: number) =>
    Buffer.compare(lazy.bytes.subarray(start, end), eager.bytes.subarray(start, end)) !== 0;
  if (!ranges.some(({ start, end }) => differ(start, end))) return [];
  return compared
    .filter(({ offset, width, length }) => differ(offset, offset + width * length))
    .map(({ name }) => `${name} at cycle ${eager.cycles}`);
}

/** Runs both for so many lines, each with its own pace of looking. */
function expectLockStep(
  lazy: C64Board,
  eager: C64Board,
  lines: number,
  input?: (board: C64Board, line: number) => void,
): void {
  const { cyclesPerLine, lines: linesPerFrame } = eager.vic.timing;
  for (let line = 1; line <= lines; line += 1) {
    for (const board of [lazy, eager]) {
      input?.(board, line);
      board.runCycles(cyclesPerLine);
    }
    // A machine that is looked at after every line has less to put off: leave it alone for some frames.
    if (Math.floor(line / linesPerFrame) % 2 === 0 || line === lines) expect(differences(lazy, eager)).toEqual([]);
    if (line % linesPerFrame === 0) expect(Buffer.compare(picture(lazy), picture(eager))).toBe(0);
  }
}

function picture(board: C64Board): Uint8Array {
  board.vic.catchUp();
  return board.frame;
}

function pair(options: Partial<C64BoardOptions> = {}): [C64Board, C64Board] {
  const roms = c64Roms;
  return [new C64Board({ roms, ...options }), new C64Board({ roms, ...options, eager: true })];
}

const example = (file: string) => readFileSync(new URL(`../../../../examples/${file}`, import.meta.url), 'utf8');

const arithmetic = `
* = $c000
        sei
        lda #$0b
        sta $d011
loop    ldx #0
inner   lda table,x
        clc
        adc sum
        sta sum
        eor #$5a
        sta table,x
        inx
        bne inner
        inc $d011
        jmp loop
sum     .byte 0
        .align 256
table   .fill 256, 7
`;

/** Sprites of every kind over the text screen, moving, with their collisions read back and shown. */
const sprites = `
* = $c000
        sei
        ldx #0
fill    txa
        eor #$5a
        sta $3000,x
        sta $0400,x
        inx
        bne fill
        ldx #7
setup   txa
        and #3
        ora #$c0
        sta $07f8,x
        txa
        asl
        tay
        lda #100
        sta $d001,y
        txa
        asl
        asl
        asl
        asl
        sta $d000,y
        dex
        bpl setup
        lda #$ff
        sta $d015
loop    lda $d012
        sta $d01b
        sta $d01c
        inc $d017
        inc $d01d
        ldx #14
move    inc $d000,x
        lda $d012
        and #3
        bne still
        inc $d001,x
still   dex
        dex
        bpl move
        lda $d01e
        sta $0500
        lda $d01f
        sta $0501
        inc $d010
        jmp loop
`;

/** Raster interrupts that change modes, scroll, borders and banks; timers on both CIAs; the SID read back. */
const splits = `${ownVectors}
        lda #$81
        sta $dd0d
        sta $d01a
        lda #$7f
        sta $dc0d
        lda #$93
        sta $dd04
        lda #$02
        sta $dd05
        lda #$11
        sta $dd0e
        lda #$21
        sta $d412
        sta $d40f
        sta $d015
        lda #$1b
        sta $d011
        cli
main    inx
        lda $d41b
        sta $0400,x
        sta $d800,x
        inc $2000,x
        lda $dd04
        adc $dc04
        sta ($fb),y
        php
        plp
        jmp main
irq     pha
        lda $d012
        clc
        adc #13
        sta $d012
        and #$7f
        ora #$10
        sta $d011
        eor #$1f
        sta $d016
        sta $d018
        inc $d020
        sta $d021
        asl $d019
        pla
        rti
nmi     pha
        lda $dd0d
        lda $dd00
        eor #1
        sta $dd00
        pla
        rti
`;

const programs: Readonly<Record<string, string>> = {
  arithmetic,
  sprites,
  splits,
  demo: demoSource(),
  'eight sprites': eightSprites(),
  'raster bar': example('raster-bar.asm'),
  multiplexer: example('multiplexer.asm'),
};

describe('the lazy machine equals the eager one after every line', () => {
  test('from power-up to the prompt, with a key pressed', () => {
    const [lazy, eager] = pair();
    eager.restore(lazy.snapshot());
    expectLockStep(lazy, eager, 2 * 312);
    lazy.runCycles(2_000_000);
    eager.restore(lazy.snapshot());
    expectLockStep(lazy, eager, 4 * 312, (board, line) => {
      if (line % 400 === 0) board.setKey(1, 2, line % 800 === 0);
    });
  });

  test.for(Object.entries(programs))('%s', ([name, source]) => {
    const others: readonly Partial<C64BoardOptions>[] = [{ vic: '8565', cia: '6526A', sid: '8580' }, { vic: '6567' }];
    for (const options of [{}, ...(name === 'sprites' || name === 'splits' ? others : [])]) {
      const [lazy, eager] = pair(options);
      const { origin, bytes } = assemble(source);
      lazy.runCycles(50_000);
      applyInput(lazy, { type: 'poke', bank: 'ram', address: origin, bytes });
      applyInput(lazy, { type: 'register', name: 'PC', value: origin });
      eager.restore(lazy.snapshot());
      eager.frame.set(picture(lazy));
      expectLockStep(lazy, eager, 4 * 312);
    }
  });

  test('a sprite that is through in a bad line', () => {
    const [lazy, eager] = counting();
    for (const board of [lazy, eager]) setSprites(board, [[0x01, 110]]);
    expectLockStep(lazy, eager, 2 * 312);
  });

  test('a sprite that is through and begins anew in the same line', () => {
    const [lazy, eager] = counting();
    for (const board of [lazy, eager]) setSprites(board, [[0x03, 100]]);
    expectLockStep(lazy, eager, 2 * 312, (board) => {
      if (board.peek('io', 0xd012) === 110) board.poke('io', 0xd003, 121);
    });
  });

  test.for(['6569', '8565', '6567', '6567R56A'] as const)('sprites wherever chance puts them, %s', (vic) => {
    const [lazy, eager] = counting({ vic });
    const random = numbers(11);
    for (let round = 0; round < 12; round += 1) {
      const places = Array.from({ length: 16 }, (_, register): [number, number] => [register, random(256)]);
      const shapes = [0x10, 0x17, 0x1b, 0x1c, 0x1d].map((register): [number, number] => [register, random(256)]);
      const cycles = 15_000 + random(20_000);
      for (const board of [lazy, eager]) {
        setSprites(board, [...places, ...shapes]);
        board.runCycles(cycles);
      }
      expect(differences(lazy, eager)).toEqual([]);
      expect(Buffer.compare(picture(lazy), picture(eager))).toBe(0);
    }
  });

  test.for([1, 2, 3, 4, 5, 6])('memory full of chance, read as a program (%i)', (seed) => {
    const random = numbers(seed);
    const bytes = (length: number) => Uint8Array.from({ length }, () => random(256));
    const roms = { basic: bytes(0x2000), kernal: bytes(0x2000), chargen: bytes(0x1000) };
    const vic = (['6569', '8565', '6567'] as Vic2Model[])[seed % 3] ?? '6569';
    const lazy = new C64Board({ roms, vic });
    const eager = new C64Board({ roms, vic, eager: true });
    for (let round = 0; round < 40; round += 1) {
      const ram = bytes(0x10000);
      const registers = Array.from({ length: 24 }, () => [0xd000 + random(0xe00), random(256)] as const);
      const at = random(0x10000);
      for (const board of [lazy, eager]) {
        board.reset();
        board.runCycles(8);
        board.ram.set(ram);
        for (const [address, value] of registers) board.write(address, value);
        board.write(1, round % 3 === 0 ? 0x37 : 0x35);
        board.cpu.jump(at);
      }
      for (let slice = 0; slice < 8; slice += 1) {
        const cycles = 1 + random(random(2) === 0 ? 60 : 700);
        lazy.runCycles(cycles);
        eager.runCycles(cycles);
        expect(differences(lazy, eager)).toEqual([]);
      }
    }
    expect(Buffer.compare(picture(lazy), picture(eager))).toBe(0);
  });
});

test('it does not matter in which slices time passes', () => {
  const [one] = pair();
  const [other] = pair();
  const { origin, bytes } = assemble(splits);
  for (const board of [one, other]) {
    board.runCycles(50_000);
    applyInput(board, { type: 'poke', bank: 'ram', address: origin, bytes });
    applyInput(board, { type: 'register', name: 'PC', value: origin });
  }
  const random = numbers(7);
  for (let round = 0; round < 40; round += 1) {
    const before = one.cycles;
    for (let slice = 0; slice < 30; slice += 1) {
      const kind = random(4);
      if (kind === 0) one.tick();
      else if (kind === 1) one.stepInstruction();
      else one.runCycles(1 + random(200));
      if (kind === 2) one.peek('io', 0xd000 + random(0x1000));
    }
    other.runCycles(one.cycles - before);
    expect(Buffer.compare(one.snapshot(), other.snapshot())).toBe(0);
  }
  expect(Buffer.compare(picture(one), picture(other))).toBe(0);
});

test.for(Object.entries(programs))('frames that nobody sees leave the same machine: %s', ([, source]) => {
  const [seen] = pair();
  const [unseen] = pair();
  const { origin, bytes } = assemble(source);
  for (const board of [seen, unseen]) {
    board.runCycles(50_000);
    applyInput(board, { type: 'poke', bank: 'ram', address: origin, bytes });
    applyInput(board, { type: 'register', name: 'PC', value: origin });
  }
  const random = numbers(3);
  for (let round = 0; round < 12; round += 1) {
    const cycles = 1000 + random(30_000);
    seen.runCycles(cycles);
    unseen.runUnseen(cycles);
    expect(Buffer.compare(seen.snapshot(), unseen.snapshot())).toBe(0);
  }
  expect(Buffer.compare(picture(seen), picture(unseen))).not.toBe(0);
  for (const board of [seen, unseen]) board.runCycles(board.cyclesToFrame + board.frameSpan);
  expect(Buffer.compare(picture(seen), picture(unseen))).toBe(0);
});

test.for(['6569', '8565', '6567', '6567R56A'] as const)(
  'frames that nobody sees, registers as chance has them, %s',
  (vic) => {
    const [seen] = counting({ vic });
    const [unseen] = counting({ vic });
    const random = numbers(5);
    const ram = Uint8Array.from({ length: 0x8000 }, () => random(256));
    for (const board of [seen, unseen]) board.ram.set(ram, 0x400);
    for (let round = 0; round < 60; round += 1) {
      const writes = Array.from({ length: random(4) }, () => [0x11 + random(0x14), random(256)] as const);
      const sprites = round % 4 === 0 ? random(256) : 0;
      const cycles = 1 + random(random(3) === 0 ? 300 : 9000);
      for (const board of [seen, unseen]) {
        for (const [register, value] of [...writes, [0x15, sprites] as const])
          board.poke('io', 0xd000 + register, value);
      }
      seen.runCycles(cycles);
      unseen.runUnseen(cycles);
      if (cycles > 200) expect(Buffer.compare(seen.snapshot(), unseen.snapshot())).toBe(0);
    }
  },
);

test.for(['6569', '8565', '6567'] as const)('sprites that nobody sees collide as others do, %s', (vic) => {
  const [seen] = counting({ vic });
  const [unseen] = counting({ vic });
  const random = numbers(11);
  const screen = Uint8Array.from({ length: 0x3ff }, () => (random(6) === 0 ? 0x51 : 0x20));
  const shapes = Uint8Array.from({ length: 0x400 }, () => random(256) & random(256));
  for (const board of [seen, unseen]) {
    board.ram.set(screen, 0x400);
    board.ram.set(shapes, 0x2000);
    board.ram.fill(0x80, 0x7f8, 0x800);
  }
  for (let round = 0; round < 120; round += 1) {
    const [left, apart, line] = [random(350), random(34), 40 + random(190)];
    const columns = Array.from({ length: 8 }, (_, sprite) => left + sprite * apart);
    const writes: (readonly [register: number, value: number])[] = columns.flatMap((x, sprite) => [
      [2 * sprite, x & 0xff],
      [2 * sprite + 1, line + random(12)],
    ]);
    writes.push([0x10, columns.reduce((bits, x, sprite) => bits | ((x >> 8) & 1 ? 1 << sprite : 0), 0)]);
    const isPlain = random(4) !== 0;
    for (const register of [0x17, 0x1b, 0x1c, 0x1d]) writes.push([register, isPlain ? 0 : random(256)]);
    writes.push([0x16, isPlain ? 8 : random(16)], [0x21, random(16)]);
    const cleared = [0xd01e, 0xd01f].filter(() => random(4) === 0);
    const cycles = 300 + random(20_000);
    for (const board of [seen, unseen]) {
      setSprites(board, writes);
      for (const address of cleared) board.read(address);
    }
    seen.runCycles(cycles);
    unseen.runUnseen(cycles);
    expect(Buffer.compare(seen.snapshot(), unseen.snapshot()), `round ${round}`).toBe(0);
  }
  expect(seen.peek('io', 0xd01e)).not.toBe(0);
  expect(seen.peek('io', 0xd01f)).not.toBe(0);
});

/** A pair whose processors do nothing but count, so that they show when they were held up. */
function counting(options: Partial<C64BoardOptions> = {}): [C64Board, C64Board] {
  const [lazy, eager] = pair(options);
  const { origin, bytes } = assemble('* = $c000\n sei\nloop inc $c100\n jmp loop\n');
  lazy.runCycles(50_000);
  applyInput(lazy, { type: 'poke', bank: 'ram', address: origin, bytes });
  applyInput(lazy, { type: 'register', name: 'PC', value: origin });
  lazy.poke('io', 0xd011, 0x1b);
  eager.restore(lazy.snapshot());
  eager.frame.set(picture(lazy));
  return [lazy, eager];
}

/** All eight are on. */
function setSprites(board: C64Board, registers: readonly (readonly [register: number, value: number])[]): void {
  for (const [register, value] of [[0x15, 0xff] as const, ...registers]) board.poke('io', 0xd000 + register, value);
}

/** A small generator of numbers, the same on every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) % below;
  };
}
