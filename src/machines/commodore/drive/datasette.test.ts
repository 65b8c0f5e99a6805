import { describe, expect, test } from 'vitest';
import { assemble } from '../assembler/assemble.ts';
import { C64Board } from '../c64/c64-board.ts';
import { applyInput } from '../c64/machine/input-event.ts';
import { tapFile } from '../media/cbm-tape-testing.ts';
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

function machine(): C64Board {
  const board = new C64Board({ roms: c64Roms });
  board.runCycles(100_000);
  const { origin, bytes, errors } = assemble(listener);
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

  test('stands still without the motor and goes on where it was', () => {
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
