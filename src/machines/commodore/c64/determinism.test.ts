import { test } from 'vitest';
import { expectOneMachine } from '../../../../test/support/one-machine.ts';
import { RandomC64 } from '../../../../test/support/random-c64.ts';

/** `npm run suite:determinism` does the same for 100,000 frames. */
test('random inputs give one machine, again and through snapshots', () => {
  expectOneMachine((seed) => new RandomC64(seed), { frames: 60, snapshots: 8, mostLost: 5 });
});
