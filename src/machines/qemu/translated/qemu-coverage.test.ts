import { expect, test } from 'vitest';
import { QemuLog } from '../launch/qemu-log.ts';
import type { QemuEngine } from '../qemu-engine.ts';
import { QemuCoverage } from './qemu-coverage.ts';

test.each([
  ['kvm', 'MISSING_CAPABILITY', /processor of this computer/],
  ['tcg', 'UNAVAILABLE', /no pipe to log into/],
])('what cannot be seen is refused with the reason: %s', async (accel, type, message) => {
  const engine = { plan: { accel }, onPowerOn: () => {} } as unknown as QemuEngine;
  const coverage = new QemuCoverage(engine, new QemuLog());
  await expect(coverage.start('boot')).rejects.toMatchObject({ type, message: expect.stringMatching(message) });
  expect(coverage.runs).toEqual([]);
});
