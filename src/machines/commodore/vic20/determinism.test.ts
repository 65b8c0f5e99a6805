import { describe, expect, test } from 'vitest';
import { expectOneMachine } from '../../../../test/support/one-machine.ts';
import { RandomVic20 } from '../../../../test/support/random-vic20.ts';
import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import { fields as vic } from '../../../chips/mos6560/fields.ts';
import { Observation } from '../board/observation.ts';
import { boardFields, vic20Layout } from './vic20-state.ts';

/** `npm run suite:determinism -- vic20` does the same for 100,000 frames. */
test('random inputs give one machine, again and through snapshots', () => {
  expectOneMachine((seed) => new RandomVic20(seed), { frames: 60, snapshots: 8, mostLost: 5 });
});

describe('leaving chips alone', () => {
  /** What only says how far ahead something was planned. */
  const plans = [
    vic20Layout.offsets.vic + vic.freeUntil * 4,
    vic20Layout.offsets.vic + vic.fetchedTo * 4,
    vic20Layout.offsets.board + boardFields.viaSpan * 4,
    vic20Layout.offsets.board + boardFields.viaLeft * 4,
  ];
  const stateOf = (machine: RandomVic20) => {
    const state = machine.board.snapshot();
    for (const at of plans) state.fill(0, at, at + 4);
    return state;
  };

  test.each(['6560', '6561'] as const)('changes nothing on a %s: state and picture of every frame', (model) => {
    const [lazy, eager] = [new RandomVic20(5, { vic: model }), new RandomVic20(5, { vic: model, eager: true })];
    for (let frame = 0; frame < 30; frame += 1) {
      lazy.runFrame(frame);
      eager.runFrame(frame);
      expect(Buffer.compare(stateOf(lazy), stateOf(eager))).toBe(0);
      expect(Buffer.compare(lazy.board.visibleFrame().pixels, eager.board.visibleFrame().pixels)).toBe(0);
    }
  });

  /** Marks a few places of the program and of the KERNAL that are passed often. */
  const observed = (machine: RandomVic20, watchesMemory: boolean) => {
    const observation = new Observation(0x10000);
    for (const address of [0x111b, 0x112f, 0xeb15, 0xeb18]) observation.code[address] = 1;
    observation.seesInterrupts = true;
    if (watchesMemory) observation.watch('write', 0x9000, 0x900f);
    machine.board.observe(observation);
    return machine;
  };

  test.each([
    ['marked code', false, false],
    ['watched memory', true, false],
    ['every instruction', false, true],
  ])('%s is asked about at the same cycles, and changes nothing', (_, watchesMemory, isEach) => {
    const plain = new RandomVic20(9);
    const [lazy, eager] = [new RandomVic20(9), new RandomVic20(9, { eager: true })].map((machine) =>
      observed(machine, watchesMemory),
    );
    if (!lazy || !eager) throw new Error('unreachable');
    const asksOf = (machine: RandomVic20, cycles: number) => {
      const asks: string[] = [];
      const { board } = machine;
      const ask = () => {
        asks.push(`${board.cycles} ${board.cpu.state[cpu.pc]}`);
        return false;
      };
      board.runObserved(cycles, { isEach, isAsked: false, ask });
      return asks;
    };
    for (let round = 0; round < 6; round += 1) {
      const cycles = 7001 + 997 * round;
      const asks = asksOf(lazy, cycles);
      expect(asks.length).toBeGreaterThan(20);
      expect(asks).toEqual(asksOf(eager, cycles));
      plain.board.runCycles(cycles);
      expect(Buffer.compare(stateOf(lazy), stateOf(plain))).toBe(0);
      expect(Buffer.compare(stateOf(lazy), stateOf(eager))).toBe(0);
    }
  });
});
