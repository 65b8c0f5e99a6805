import { describe, expect, test } from 'vitest';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { tapFile } from '../../../formats/commodore/media/cbm-tape-testing.ts';
import { pulses, readTap } from '../../../formats/commodore/media/tap.ts';
import { C64Board } from '../c64/c64-board.ts';
import { c64Layout } from '../c64/c64-state.ts';
import { applyInput } from '../machine/input-event.ts';
import { c64Roms } from '../roms/c64-roms.generated.ts';

/** Starts the motor, waits for PLAY, then notes how long each pulse took (in units of eight cycles) from $4000 on. */
const listener = `* = $c000
        sei
        lda #$7f
        sta $dc0d
        lda $dc0d
        lda #$0b
        sta $d011
        lda #$ff
        sta $dc04
        sta $dc05
        ldx #0
        lda #$2f
        sta $00
sense   lda $01
        and #$10
        bne sense
        lda $01
        and #$df
        sta $01
        jsr pulse
next    jsr pulse
        lda low
        lsr high
        ror
        lsr high
        ror
        lsr high
        ror
        sta $4000,x
        inx
        jmp next
pulse   lda $dc0d
        and #$10
        beq pulse
        lda $dc04
        ldy $dc05
        eor #$ff
        sta low
        tya
        eor #$ff
        sta high
        lda #$11
        sta $dc0e
        rts
low     .byte 0
high    .byte 0
`;

function machine(program = listener): C64Board {
  const board = new C64Board({ roms: c64Roms });
  board.runCycles(100_000);
  const { origin, bytes, errors } = assemble(program);
  expect(errors).toEqual([]);
  applyInput(board, { type: 'poke', bank: 'ram', address: origin, bytes });
  applyInput(board, { type: 'register', name: 'PC', value: origin });
  return board;
}

const lengths = [100, 0x30, 0x42, 0x56, 60, 200, 0x30];
const noted = (board: C64Board) => [...board.ram.subarray(0x4000, 0x4000 + lengths.length)];

describe('a tape', () => {
  test('plays its pulses into the computer while PLAY is down', () => {
    const board = machine();
    applyInput(board, { type: 'tape', image: tapFile([80, ...lengths, 255, 255]) });
    board.runCycles(50_000);
    expect(board.tape.progress).toBe(0);
    applyInput(board, { type: 'tapeKey', key: 'play' });
    board.runCycles(20_000);
    for (const [index, length] of noted(board).entries()) {
      // Measuring takes the program some cycles, and the loop that waits has eight.
      expect(Math.abs(length - (lengths[index] ?? 0))).toBeLessThanOrEqual(5);
    }
    expect(board.tape.isPlaying).toBe(false);
    expect(board.peek('cpu', 1) & 0x10).toBe(0x10);
  });

  test('stops without the motor and goes on where it was', () => {
    const board = machine();
    applyInput(board, { type: 'tape', image: tapFile(new Array(500).fill(100)) });
    applyInput(board, { type: 'tapeKey', key: 'play' });
    board.runCycles(10_000);
    const port = board.peek('cpu', 1);
    board.poke('cpu', 1, port | 0x20);
    const before = board.tape.progress;
    board.runCycles(50_000);
    expect(board.tape.progress).toBe(before);
    expect(before).toBeGreaterThan(0);
    board.poke('cpu', 1, port & ~0x20);
    board.runCycles(10_000);
    expect(board.tape.progress).toBeGreaterThan(before);
    applyInput(board, { type: 'tapeKey', key: 'rewind' });
    expect(board.tape.progress).toBe(0);
  });

  test('long pulses of both versions, and half waves', () => {
    for (const [version, data, cycles] of [
      [1, [10, 0, 0x10, 0x27, 0, 20, 255], 10_000],
      [0, [10, 0, 20, 255], 20_000],
      [2, [5, 5, 100, 100, 10, 10, 255, 255], 1600],
    ] as const) {
      const board = machine();
      const image = tapFile(data);
      image[12] = version;
      applyInput(board, { type: 'tape', image });
      applyInput(board, { type: 'tapeKey', key: 'play' });
      board.runCycles(40_000);
      const length = board.ram[0x4000] ?? 0;
      expect(Math.abs(((length - (cycles >> 3)) << 24) >> 24)).toBeLessThanOrEqual(5);
    }
  });

  test('a snapshot in the middle goes on the same way, also in a machine of its own', () => {
    const one = machine();
    applyInput(one, { type: 'tape', image: tapFile([80, ...lengths, 255, 255]) });
    applyInput(one, { type: 'tapeKey', key: 'play' });
    one.runCycles(3000);
    const saved = one.snapshot();
    one.runCycles(20_000);
    const expected = one.snapshot();
    one.restore(saved);
    one.runCycles(20_000);
    expect(Buffer.compare(one.snapshot(), expected)).toBe(0);
    const other = new C64Board({ roms: c64Roms });
    other.drives.remember(tapFile([80, ...lengths, 255, 255]));
    other.restore(saved);
    other.runCycles(20_000);
    expect(Buffer.compare(other.snapshot(), expected)).toBe(0);
  });
});

describe('recording', () => {
  /** Waits for a key, starts the motor and writes waves as long as $C100, $C101 ... say, up to a 0; then it stops the motor. */
  const writer = `* = $c000
        sei
        lda #$0b
        sta $d011
        lda #$2f
        sta $00
sense   lda $01
        and #$10
        bne sense
        lda $01
        and #$d7
        sta $01
        ldy #0
wave    jsr half
        lda $c100,y
        beq done
        jsr half
        iny
        bne wave
done    lda $01
        ora #$20
        sta $01
        jmp *
half    lda $01
        eor #8
        sta $01
        lda $c100,y
        tax
        beq out
again   nop
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        nop
        bit $02
        nop
        dex
        bne again
out     rts
`;
  const waves = [4, 8, 16, 4, 200, 4];
  const record = (image?: Uint8Array, readOnly = false) => {
    const board = machine(writer);
    if (image) applyInput(board, { type: 'tape', image, readOnly });
    applyInput(board, { type: 'poke', bank: 'ram', address: 0xc100, bytes: Uint8Array.of(...waves, 0) });
    applyInput(board, { type: 'tapeKey', key: 'record' });
    return board;
  };
  const lengthsOn = (board: C64Board) => [...pulses(readTap(board.tape.bytes() ?? new Uint8Array()))];
  /** After the silence before the first wave; a wave is two halves of 28 cycles for each step, and what the loop takes. */
  const recorded = waves.map((steps) => steps * 2 * 28 + 93);
  const near = (actual: number[], expected: number[]) => {
    expect(actual.length).toBe(expected.length);
    for (const [at, length] of actual.entries()) expect(Math.abs(length - (expected[at] ?? 0))).toBeLessThan(40);
  };

  test('on no tape at all: a blank one gets the waves, from rise to rise', () => {
    const board = record();
    expect(board.peek('cpu', 1) & 0x10).toBe(0);
    const blank = board.tape.contents;
    board.runCycles(40_000);
    near(lengthsOn(board).slice(1), recorded);
    expect(board.tape.contents).not.toBe(blank);
    expect([...(board.tape.bytes()?.subarray(0, 13) ?? [])]).toEqual([...tapFile([]).subarray(0, 13)]);
  });

  test('over the middle of a tape: what lay there for as long is gone, the rest stays', () => {
    const long = new Array<number>(40).fill(250);
    const board = record(tapFile(long));
    board.runCycles(40_000);
    applyInput(board, { type: 'tapeKey', key: 'stop' });
    const all = lengthsOn(board);
    near(all.slice(1, 1 + recorded.length), recorded);
    const total = all.reduce((sum, cycles) => sum + cycles, 0);
    expect(Math.abs(total - 40 * 2000)).toBeLessThan(100);
    expect(all.slice(-20)).toEqual(new Array(20).fill(2000));
  });

  test('on tapes of versions 0 and 2 makes them version 1', () => {
    const wave = [0, 0x10, 0x27, 0];
    for (const [version, data] of [
      [0, [0, 100]],
      [2, [...wave, ...wave, 50, 50]],
    ] as const) {
      const image = tapFile(data);
      image[12] = version;
      const board = record(image);
      board.runCycles(40_000);
      const tape = readTap(board.tape.bytes() ?? new Uint8Array());
      expect(tape.version).toBe(1);
      expect([...pulses(tape)].at(-1)).toBe(800);
    }
  });

  test('does not begin on a tape that is write-protected', () => {
    const board = record(tapFile([100, 100]), true);
    expect(board.tape.isPlaying).toBe(false);
    board.runCycles(10_000);
    expect(lengthsOn(board)).toEqual([800, 800]);
  });

  test('goes on the same way after a snapshot, also in a machine of its own', () => {
    const board = record(tapFile(new Array(400).fill(250)));
    // Long waves take four bytes each: more than waits in the words.
    const many = Uint8Array.of(...new Array<number>(20).fill(4), ...new Array<number>(90).fill(50), 0);
    applyInput(board, { type: 'poke', bank: 'ram', address: 0xc100, bytes: many });
    board.runCycles(50_000);
    const saved = board.snapshot();
    const tapeWords = new Int32Array(saved.slice(c64Layout.offsets.tape, c64Layout.offsets.board).buffer);
    const images = board.tape.imagesIn(tapeWords);
    board.runCycles(400_000);
    const expected = board.snapshot();
    const bytes = board.tape.bytes();
    expect(lengthsOn(board).length).toBeGreaterThan(200);
    board.restore(saved);
    expect(board.tape.bytes()).not.toEqual(bytes);
    const other = new C64Board({ roms: c64Roms });
    for (const image of images) other.drives.remember(image);
    other.restore(saved);
    for (const each of [board, other]) {
      each.runCycles(400_000);
      expect(Buffer.compare(each.snapshot(), expected)).toBe(0);
      expect(each.tape.bytes()).toEqual(bytes);
      applyInput(each, { type: 'tapeKey', key: 'stop' });
      const total = lengthsOn(each).reduce((sum, cycles) => sum + cycles, 0);
      expect(Math.abs(total - 400 * 2000)).toBeLessThan(1000);
    }
  });
});
