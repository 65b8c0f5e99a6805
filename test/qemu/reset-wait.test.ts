import { expect, test } from 'vitest';
import { standsAt } from '../../src/tools/console/stands-at.ts';
import { waitForOutput } from '../../src/tools/console/wait-for-output.ts';
import { falseQemu } from './false-qemu.ts';
import { Lab, restrictedSettings } from './vm.ts';

/** The second process takes longer to come than a machine that is stopped is waited for, and is the one that speaks. */
const slowToReturn = `
  const fs = require('node:fs');
  const second = fs.existsSync(__filename + '.first');
  if (second) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);
  fs.writeFileSync(__filename + '.first', '');`;

test('a wait for output goes on over the power cycle of its machine', { timeout: 60_000 }, async () => {
  await using lab = new Lab();
  const tools = falseQemu(lab.folder, 'slow', { start: slowToReturn, serial: `if (second) socket.write('login: ');` });
  await using slow = new Lab({ settings: { ...restrictedSettings, qemuFolders: [tools] } });
  const { machine } = await slow.rack.start('qemu', { gpu: 'none' });
  const port = machine.console?.ports[0] ?? expect.unreachable();
  const states = new Set<string>();
  const wait = waitForOutput(port, {
    from: 0,
    patterns: [{ literal: 'login:' }],
    timeoutMs: 30_000,
    standsAt: () => {
      states.add(machine.status().state);
      return standsAt(machine);
    },
  });
  await machine.control?.reset('hard');
  expect(await wait).toMatchObject({ reason: 'match', link: 'up' });
  expect(states).toContain('RESET');
});
