import { expect, test } from 'vitest';
import type { Machine } from '../../machine/machine.ts';
import type { Status } from '../../machine/state.ts';
import { standsAt } from './stands-at.ts';

const machine = (status: Status) => ({ control: {}, status: () => status }) as unknown as Machine;

test.each<[string, Status, unknown]>([
  ['that runs', { state: 'RUNNING' }, undefined],
  ['that is stopped', { state: 'PAUSED', now: { time: 7, pc: 0n } }, 7],
  ['that was reset and is stopped', { state: 'RESET' }, 'RESET'],
  ['between off and on again', { state: 'RESET', passes: true }, undefined],
])('a machine %s', (_what, status, stands) => {
  expect(standsAt(machine(status))).toBe(stands);
});
