import { describe, expect, test } from 'vitest';
import { fields as cpu, type Mos6510State, stateWords } from '../../../chips/mos6510/registers.ts';
import { pending, type Via6522State, fields as via, stateWords as viaWords } from '../../../chips/via6522/fields.ts';
import { Drive1541 } from './drive-1541.ts';
import { DriveBench, disk, motor, rom, zone } from './drive-1541-testing.ts';
import { signalAfter } from './vice-overflow.ts';
import { timerAsVice } from './vice-timer.ts';

/** Reads a byte after SYNC, lets some pass, and reads two more one right after the other. */
const lateReader = `* = $c000
reset   lda #$6f
        sta $1c02
        lda #$ee
        sta $1c0c
        lda #$01
        sta $1c0b
        lda #$46
        sta $1c00
sync    bit $1c00
        bmi sync
        lda $1c01
        clv
first   bvc first
        ldx #40
wait    dex
        bne wait
        lda $1c01
        ldx $1c01
        sta $30
        stx $31
stay    jmp stay
        * = $fffa
        .word reset, reset, reset
`;

function benchWith(asVice: boolean, driveRom?: Uint8Array) {
  const bench = new DriveBench(1_000_000, driveRom && { driveRom });
  bench.drives.attach(8, disk().image.bytes);
  const [drive] = bench.drives.real;
  if (!(drive instanceof Drive1541)) throw new Error('no 1541');
  if (asVice) drive.workAsVice();
  return { bench, drive };
}

describe('a 1541 that works as that of VICE', () => {
  test('has the newest byte in port A, where a 6522 keeps the one that was missed', () => {
    const [own, vice] = [false, true].map((asVice) => {
      const { bench } = benchWith(asVice, rom(lateReader));
      bench.run(900_000);
      return bench.bytes(0x30, 2);
    });
    // The first byte of a header or of data.
    expect([0x52, 0x55]).toContain(own?.[0]);
    expect(own?.[1]).not.toBe(own?.[0]);
    expect(vice?.[0]).toBe(own?.[1]);
    expect(vice?.[1]).toBe(own?.[1]);
  });

  test.each([
    [false, 42.5],
    [true, 42],
  ])('moves its head up to its own end (%s)', (asVice, last) => {
    const { bench, drive } = benchWith(asVice);
    bench.run(500_000);
    let most = 0;
    for (let step = 0; step < 80; step++) {
      bench.call(3, motor | zone(0) | (step & 3));
      bench.run(2000);
      most = Math.max(most, drive.track);
    }
    expect(most).toBe(last);
  });
});

describe('the signal of a byte in VICE', () => {
  const after = (opcode: number, cycle: number, isLast: boolean, overflow: number) => {
    const state = new Int32Array(stateWords) as Mos6510State;
    state[cpu.v] = overflow;
    state[cpu.step] = isLast ? 0 : opcode * 8 + cycle + 1;
    const step = cycle === 0 ? 0 : opcode * 8 + cycle;
    return [signalAfter(state, step), state[cpu.v]];
  };

  test.each([
    ['BVC in its first cycle', 0x50, 0, false, 0, [0, 1]],
    ['BVC in its second', 0x50, 1, true, 0, [1, 0]],
    ['PHP in its second cycle', 0x08, 1, false, 0, [0, 1]],
    ['CLV, which takes it away at its end', 0xb8, 1, true, 0, [0, 0]],
    ['BIT that clears the flag', 0x2c, 3, true, 0, [0, 0]],
    ['BIT that sets it', 0x2c, 3, true, 1, [1, 1]],
    ['PLP, which does not meet it', 0x28, 3, true, 0, [1, 0]],
    ['NOP', 0xea, 1, true, 0, [1, 0]],
  ] as const)('%s', (_, opcode, cycle, isLast, overflow, expected) => {
    expect(after(opcode, cycle, isLast, overflow)).toEqual(expected);
  });
});

test('a free-running timer of VICE shows one more than its latch in the cycle past zero', () => {
  const words = new Int32Array(viaWords) as Via6522State;
  words[via.t1Counter] = 0xffff;
  words[via.t1Latch] = 0x12ff;
  words[via.pending] = pending.load1;
  expect([4, 5].map((register) => timerAsVice(register, words))).toEqual([-1, -1]);
  words[via.acr] = 0x40;
  expect([4, 5, 6, 8].map((register) => timerAsVice(register, words))).toEqual([0x00, 0x13, -1, -1]);
});
