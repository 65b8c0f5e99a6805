import { describe, expect, test } from 'vitest';
import { generator } from '../../../../test/support/random-c64.ts';
import { opcodes } from '../../../chips/mos6510/opcodes.ts';
import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import { plus4Roms } from '../roms/plus4-roms.generated.ts';
import { Plus4Board } from './plus4-board.ts';
import { boardFields, plus4Layout } from './plus4-state.ts';

/** What only says how far ahead something was planned. */
const plans = [boardFields.timedSpan, boardFields.timedLeft].map((field) => plus4Layout.offsets.board + field * 4);
const stateOf = (board: Plus4Board) => {
  const state = board.snapshot();
  for (const at of plans) state.fill(0, at, at + 4);
  return state;
};

const usable = opcodes.filter(({ documented, mnemonic }) => documented && mnemonic !== 'BRK' && mnemonic !== 'RTI');
/** High bytes of addresses worth an access: the TED, other chips, nobody at all, RAM that is drawn, ROM, mirrors. */
const pages = [0xff, 0xff, 0xff, 0xfd, 0xfe, 0x08, 0x0b, 0x0c, 0x0f, 0x20, 0x3f, 0x40, 0x7f, 0x80, 0xbf, 0xd0, 0x01];

/** Instructions in a row, with operands that lead to interesting places. */
function program(random: (below: number) => number, length: number, own: number): number[] {
  const bytes: number[] = [];
  while (bytes.length < length) {
    const row = usable[random(usable.length)];
    if (!row) continue;
    const page = random(4) === 0 ? own : (pages[random(pages.length)] ?? 0);
    const isJump = /^J/.test(row.mnemonic);
    bytes.push(row.opcode);
    if (row.length === 2) bytes.push(row.mode === 'relative' ? random(12) : random(256));
    if (row.length === 3) bytes.push(random(2) === 0 ? random(32) : random(256), isJump ? own : page);
  }
  return bytes;
}

/** Random programs that touch every register: whole instructions and single half cycles may not differ, in state and picture. */
describe.each([
  ['a Plus/4', 64],
  ['a C16', 16],
] as const)('%s', (_, ram) => {
  test.each([1, 2])('runs the same in one go and by half cycles (%i)', (seed) => {
    const random = generator(seed);
    const boards = [false, true].map((eager) => new Plus4Board({ roms: plus4Roms, ram, eager }));
    const [ready] = boards.map((board) => {
      board.runCycles(700_000);
      return board.snapshot();
    });
    for (let round = 0; round < 10; round += 1) {
      const page = 0x14;
      const code = program(random, 0x3f0, page + random(4));
      const [zeroPage, registers] = [
        Array.from({ length: 0x80 }, () => random(256)),
        [random(256), random(256), random(256)],
      ];
      const video = [0x10 | random(0x80), random(0x20), random(256), random(256), random(256)];
      const pieces = Array.from({ length: 10 }, () => 1 + random(5000));
      for (const board of boards) {
        board.restore(ready ?? new Uint8Array());
        board.ram.set(code, page << 8);
        board.ram.set(zeroPage, 2);
        for (const [index, register] of [6, 7, 0x12, 0x13, 0x14].entries())
          board.poke('io', 0xff00 + register, video[index] ?? 0);
        Object.assign(board.cpu.state, { [cpu.a]: registers[0], [cpu.x]: registers[1], [cpu.y]: registers[2] });
        board.cpu.jump(page << 8);
      }
      const [lazy, eager] = boards as [Plus4Board, Plus4Board];
      for (const cycles of pieces) {
        lazy.runCycles(cycles);
        eager.runCycles(cycles);
        const [a, b] = [stateOf(lazy), stateOf(eager)];
        if (Buffer.compare(a, b) !== 0) expect(differences(a, b)).toEqual([]);
      }
      expect(Buffer.compare(lazy.frame, eager.frame)).toBe(0);
    }
  });
});

function differences(a: Uint8Array, b: Uint8Array): string[] {
  return plus4Layout.fields.flatMap(({ name, offset, width, length }) => {
    const end = offset + width * length;
    const at = a.subarray(offset, end).findIndex((byte, index) => byte !== b[offset + index]);
    return at < 0 ? [] : [`${name}[${at}]: ${a[offset + at]} and ${b[offset + at]}`];
  });
}

test('it does not matter in which slices time passes, also while the TED has the bus', () => {
  const board = new Plus4Board({ roms: plus4Roms, ram: 64 });
  board.runCycles(700_000);
  // loop: INC $0C00, INC $1809, JMP loop
  board.ram.set([0xee, 0x00, 0x0c, 0xee, 0x09, 0x18, 0x4c, 0x00, 0x18, 0], 0x1800);
  board.cpu.state[cpu.step] = 0;
  board.cpu.state[cpu.pc] = 0x1800;
  const ready = board.snapshot();
  const ends = [71_000, 12, 37, 45, 49, 51].map((slice) => {
    board.restore(ready);
    for (let left = 71_000; left > 0; left -= slice) board.runCycles(Math.min(slice, left));
    return stateOf(board);
  });
  for (const end of ends) expect(end).toEqual(ends[0]);
});
