import { expect, test } from 'vitest';
import type { TwinDifference, TwinRequest } from '../../../../machine/twin.ts';
import type { BoardTwin } from './board-twin.ts';
import { InstructionSearch } from './instruction-search.ts';
import type { TwinParts } from './twin-parts.ts';

const history = '.C:c000  A9 07       LDA #$07       A:00 X:00 Y:00 SP:f7 ..-.....         150\n';
const lastSame = 500;
const difference: TwinDifference = { frame: 8, pixels: 0, bytes: 1, cells: [{ address: 0xc200, ours: 0, theirs: 7 }] };

/** Put back to cycle 100, a VICE is found different at 150; `comesBack`: it is the same at 500, as it was the first time. */
function search(comesBack: boolean) {
  const visits: string[] = [];
  const session = { now: { cycles: 1000, registers: new Map() } };
  const at = (cycles: number) => {
    session.now = { cycles, registers: new Map() };
  };
  const engine = {
    step: async () => at(200),
    run: async () => at(lastSame),
    exclusively: (task: () => Promise<string>) => task(),
  };
  const kept = {
    become: async () => {
      visits.push('back');
      at(100);
    },
  };
  const twin = {
    isExact: true,
    board: { restore: () => {}, snapshot: () => new Uint8Array(), rasterLine: 3, rasterCycle: 4 },
    runTo: () => true,
    agrees: () => session.now.cycles === lastSame && comesBack,
    describe: () => 'ours',
  };
  const parts = { session: { ...session, command: async () => history }, engine, kept };
  Object.defineProperty(parts.session, 'now', { get: () => session.now });
  const request = { memory: false, ignored: [] } as unknown as TwinRequest;
  const found = new InstructionSearch(parts as unknown as TwinParts, twin as unknown as BoardTwin, request);
  return {
    visits,
    find: (sameUntil: number) => found.find(difference, moment, sameUntil, new AbortController().signal),
  };
}

const moment = { frame: 4, theirs: new Uint8Array(), ours: new Uint8Array() };

test('an instruction after the last moment at which both were the same is believed', async () => {
  const { find, visits } = search(false);
  expect((await find(120)).instruction).toMatchObject({ time: 150, theirs: expect.stringContaining('LDA #$07') });
  expect(visits).toEqual(['back']);
});

test('one before it is believed where both are the same at that moment once more, and VICE is put there again', async () => {
  const { find, visits } = search(true);
  expect((await find(lastSame)).instruction).toMatchObject({ time: 150 });
  expect(visits).toEqual(['back', 'back']);
});

test('where they are not, VICE has gone another way than the first time, and no instruction is told', async () => {
  const { find } = search(false);
  expect(await find(lastSame)).toEqual({
    why: ['taken back to frame 4, VICE did not do the same again: its instruction is not known'],
  });
});
