import { expect, test } from 'vitest';
import { fields } from '../../../chips/mos6510/registers.ts';
import { assemble } from '../../../formats/commodore/assembler/assemble.ts';
import { BoardWatch } from '../board/board-watch.ts';
import { applyInput } from '../machine/input-event.ts';
import { c64Roms } from '../roms/c64-roms.generated.ts';
import { C64Board } from './c64-board.ts';
import { ownVectors } from './own-vectors-testing.ts';

/** Loops that wait for a byte of memory which an interrupt, or somebody outside, changes. */
const loops: readonly string[] = [
  'wait jmp wait',
  'wait lda flag\n beq wait',
  'wait lda $02\n sta $03\n sta $0292\n beq wait',
  'wait jsr ask\n beq wait\n jmp on\nask lda flag\n clc\n rts\non',
  'wait ldx #3\n lda flag,x\n bit $fb\n bne on\n nop\n cmp #7\n bcc wait\non',
  'wait ldx #5\nturn dex\n bne turn\n lda flag\n beq wait',
  'wait lda $d012\n cmp flag\n bne wait',
  'wait bit $d011\n bpl wait\nagain bit $d011\n bmi again',
  'wait lda $dc04\n lda flag\n beq wait',
  'wait jmp (vector)\nvector .word on\non lda flag\n beq wait',
  'wait inc $c3ff\n lda flag\n beq wait',
  'wait ldy #0\n lda ($fb),y\n beq wait\n pha\n pla',
];

const program = (loop: string, chance: (below: number) => number) => `${ownVectors}
        lda #0
        sta $fb
        lda #$c2
        sta $fc
        lda #$7f
        sta $dc0d
        sta $dd0d
        lda #${0x80 | chance(4)}
        sta $dc0d
        sta $dd0d
        lda #${chance(2)}
        sta $d01a
        lda #${chance(256)}
        sta $d012
        sta $dc04
        lda #${2 + chance(20)}
        sta $dc05
        sta $dd05
        lda #$11
        sta $dc0e
        sta $dd0e
        lda #$1b
        sta $d011
        lda #${chance(3) === 0 ? chance(256) : 0}
        sta $d015
        lda #${chance(256)}
        sta $d001
        sta $d007
        cli
main    inc $c3fe
        lda #0
        sta flag
        sta $02
        sta $03
        sta $0292
${loop}
        jmp main
irq     pha
        lda $dc0d
        lda #$ff
        sta $d019
        inc $c3fd
        lda $c3fd
        and #3
        bne some
        inc flag
        inc $02
some    pla
        rti
nmi     pha
        lda $dd0d
        inc $c3fc
        pla
        rti
        * = $c200
flag    .byte 0, 0, 0, 0, 0, 0, 0, 0
`;

function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) % below;
  };
}

/** Of the VIC-II and the CIAs. */
const registers = [0xd000, 0xd010, 0xd020, 0xdc00, 0xdd00].flatMap((first) =>
  Array.from({ length: 16 }, (_, at) => first + at),
);

/** All that a program or a debugger can see of it. */
function seen(board: C64Board): Buffer {
  board.catchUp();
  const processor = new Uint8Array(board.cpu.state.slice().buffer);
  const chips = registers.map((address) => board.peek('io', address));
  return Buffer.concat([processor, board.ram, Uint8Array.from(chips), Buffer.from(`${board.cycles}`)]);
}

test.for(loops.map((loop, seed) => [loop.replaceAll('\n', ';'), loop, seed] as const))(
  'waiting is the same as running every cycle: %s',
  ([, loop, seed]) => {
    const chance = numbers(seed + 1);
    const board = new C64Board({ roms: c64Roms });
    const exact = new C64Board({ roms: c64Roms, eager: true });
    board.runCycles(20_000);
    const { origin, bytes } = assemble(program(loop, chance));
    applyInput(board, { type: 'poke', bank: 'ram', address: origin, bytes });
    applyInput(board, { type: 'register', name: 'PC', value: origin });
    exact.restore(board.snapshot());
    const watch = new BoardWatch(board);
    const owner = Symbol('watch');
    for (let round = 0; round < 30; round += 1) {
      const kind = chance(8);
      const value = chance(4);
      for (const each of [board, exact]) {
        if (kind === 0) each.poke('ram', 0xc200 + value, 1);
        else if (kind === 1) each.setJoystick(2, value);
        else if (kind === 2) each.setRestore(value === 0);
        else if (kind === 3) each.poke('io', 0xd015, value === 0 ? 0xff : 0);
      }
      if (kind === 4)
        watch.set(owner, {
          code: [{ first: 0xc05f, last: 0xc063 }],
          writes: [{ first: 2, last: 2 }],
          access: () => {},
        });
      else if (kind === 5) watch.set(owner, undefined);
      const cycles = 1 + chance(chance(3) === 0 ? 100 : 6000);
      const how = chance(6);
      const end = board.cycles + cycles;
      if (how === 0) while (board.cycles < end) board.stepInstruction();
      else if (how === 1) board.runObserved(cycles, { isEach: false, isAsked: false, ask: () => false });
      else if (how === 2) board.runUnseen(cycles + 300);
      else board.runCycles(cycles);
      exact.runCycles(board.cycles - exact.cycles);
      expect(seen(board).equals(seen(exact)), `round ${round}`).toBe(true);
      if (chance(10) === 0) board.restore(board.snapshot());
    }
    expect(board.cpu.state[fields.pc]).toBeGreaterThanOrEqual(origin);
  },
);
