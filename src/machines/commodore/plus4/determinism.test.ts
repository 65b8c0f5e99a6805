import { describe, expect, test } from 'vitest';
import { expectOneMachine } from '../../../../test/support/one-machine.ts';
import { RandomPlus4 } from '../../../../test/support/random-plus4.ts';
import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import { Observation } from '../board/observation.ts';
import { boardFields, plus4Layout } from './plus4-state.ts';

/** `npm run suite:determinism -- plus4` does the same for 100,000 frames. */
test('random inputs give one machine, again and through snapshots', () => {
  expectOneMachine((seed) => new RandomPlus4(seed), { frames: 20, snapshots: 4, mostLost: 3 });
});

describe('leaving chips alone', () => {
  /** What only says how far ahead something was planned. */
  const plans = [boardFields.timedSpan, boardFields.timedLeft].map((field) => plus4Layout.offsets.board + field * 4);
  const stateOf = (machine: RandomPlus4) => {
    const state = machine.board.snapshot();
    for (const at of plans) state.fill(0, at, at + 4);
    return state;
  };

  test.each(['pal', 'ntsc'] as const)('changes nothing in %s: state and picture of every frame', (video) => {
    const [lazy, eager] = [new RandomPlus4(5, { video }), new RandomPlus4(5, { video, eager: true })];
    for (let frame = 0; frame < 10; frame += 1) {
      lazy.runFrame(frame);
      eager.runFrame(frame);
      expect(Buffer.compare(stateOf(lazy), stateOf(eager))).toBe(0);
      expect(Buffer.compare(lazy.board.visibleFrame().pixels, eager.board.visibleFrame().pixels)).toBe(0);
    }
  });

  /** Marks a few places of the program and of the KERNAL that are passed often. */
  const observed = (machine: RandomPlus4, watchesMemory: boolean) => {
    const observation = new Observation(0x10000);
    for (const address of [0x1123, 0x112a, 0xfcbe, 0xfcc3]) observation.code[address] = 1;
    observation.seesInterrupts = true;
    if (watchesMemory) observation.watch('write', 0xff00, 0xff1f);
    machine.board.observe(observation);
    return machine;
  };

  test.each([
    ['marked code', false, false],
    ['watched memory', true, false],
    ['every instruction', false, true],
  ])('%s is asked about at the same cycles, and changes nothing', (_, watchesMemory, isEach) => {
    const plain = new RandomPlus4(9);
    const [lazy, eager] = [new RandomPlus4(9), new RandomPlus4(9, { eager: true })].map((machine) =>
      observed(machine, watchesMemory),
    );
    if (!lazy || !eager) throw new Error('unreachable');
    const asksOf = (machine: RandomPlus4, cycles: number) => {
      const asks: string[] = [];
      const { board } = machine;
      const ask = () => {
        asks.push(`${board.cycles} ${board.cpu.state[cpu.pc]} ${board.rasterLine} ${board.rasterCycle}`);
        return false;
      };
      board.runObserved(cycles, { isEach, isAsked: false, ask });
      return asks;
    };
    for (let round = 0; round < 6; round += 1) {
      const cycles = 14_001 + 1997 * round;
      const asks = asksOf(lazy, cycles);
      expect(asks.length).toBeGreaterThan(10);
      expect(asks).toEqual(asksOf(eager, cycles));
      plain.board.runCycles(cycles);
      expect(Buffer.compare(stateOf(lazy), stateOf(plain))).toBe(0);
      expect(Buffer.compare(stateOf(lazy), stateOf(eager))).toBe(0);
    }
  });
});
