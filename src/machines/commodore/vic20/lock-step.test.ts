import { describe, expect, test } from 'vitest';
import { generator } from '../../../../test/support/random-c64.ts';
import { opcodes } from '../../../chips/mos6510/opcodes.ts';
import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import { fields as vic } from '../../../chips/mos6560/fields.ts';
import { vic20Roms } from '../roms/vic20-roms.generated.ts';
import { Vic20Board } from './vic20-board.ts';
import { boardFields, vic20Layout } from './vic20-state.ts';

/** What only says how far ahead something was planned. */
const plans = [
  vic20Layout.offsets.vic + vic.freeUntil * 4,
  vic20Layout.offsets.vic + vic.fetchedTo * 4,
  vic20Layout.offsets.board + boardFields.viaSpan * 4,
  vic20Layout.offsets.board + boardFields.viaLeft * 4,
];
const stateOf = (board: Vic20Board) => {
  const state = board.snapshot();
  for (const at of plans) state.fill(0, at, at + 4);
  return state;
};

const usable = opcodes.filter(({ documented, mnemonic }) => documented && mnemonic !== 'BRK' && mnemonic !== 'RTI');
/** High bytes of addresses worth an access: color RAM, chips, nobody at all, RAM that is drawn, borders of blocks. */
const pages = [
  0x94, 0x95, 0x97, 0x90, 0x91, 0x93, 0x04, 0x0f, 0x1f, 0x20, 0x3f, 0x40, 0x7f, 0x9c, 0xa0, 0x1e, 0x10, 0x01,
];

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
    if (row.length === 3) bytes.push(random(3) === 0 ? 0xf0 + random(16) : random(256), isJump ? own : page);
  }
  return bytes;
}

/** Random programs where whole instructions are run and where none is: nothing may differ, the bus of the VIC included. */
describe.each([
  ['on the half of the bus that the VIC shares', 0x14],
  ['on the other half', 0x24],
] as const)('a program %s', (_, page) => {
  test.each([1, 2, 3, 4])('runs the same in one go and cycle by cycle (%i)', (seed) => {
    const random = generator(seed);
    const boards = [false, true].map((eager) => new Vic20Board({ roms: vic20Roms, expansion: '8k', eager }));
    const [ready] = boards.map((board) => {
      board.runCycles(500_000);
      return board.snapshot();
    });
    for (let round = 0; round < 60; round += 1) {
      const code = program(random, 0x3f0, page + random(4));
      const [zeroPage, registers] = [
        Array.from({ length: 0x80 }, () => random(256)),
        [random(256), random(256), random(256)],
      ];
      const video = [random(64), random(160), random(256), random(256), random(256)];
      const pieces = Array.from({ length: 12 }, () => 1 + random(700));
      for (const board of boards) {
        board.restore(ready ?? new Uint8Array());
        board.ram.set(code, page << 8);
        board.ram.set(zeroPage, 0);
        for (const [index, register] of [0, 1, 2, 3, 5].entries())
          board.poke('io', 0x9000 + register, video[index] ?? 0);
        Object.assign(board.cpu.state, { [cpu.a]: registers[0], [cpu.x]: registers[1], [cpu.y]: registers[2] });
        board.cpu.jump(page << 8);
      }
      const [lazy, eager] = boards as [Vic20Board, Vic20Board];
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
  return vic20Layout.fields.flatMap(({ name, offset, width, length }) => {
    const end = offset + width * length;
    const at = a.subarray(offset, end).findIndex((byte, index) => byte !== b[offset + index]);
    return at < 0 ? [] : [`${name}[${at}]: ${a[offset + at]} and ${b[offset + at]}`];
  });
}
