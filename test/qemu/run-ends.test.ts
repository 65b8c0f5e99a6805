import { expect, test } from 'vitest';
import { Lab, uBoot } from './vm.ts';

test('a command does not outlive the machine that is reset or switched off', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start(uBoot.x86);
  await vm.uBootPrompt();
  const machine = vm.handle;
  expect(await lab.call('console_send', { machine, run: 'echo here' })).toContain('exit code 0');
  const reset = await lab.call('console_send', { machine, run: 'reset', timeout_ms: 50_000 });
  expect(reset).toMatch(/\nno exit code: the machine was reset .* the command does not run any more/);
  expect(reset).not.toContain('ctrl-c');
  // Whatever became of that boot.
  await vm.uBootPrompt('hard');
  const from = vm.output().length;
  const running = lab.call('console_send', { machine, run: 'echo begun; sleep 600', timeout_ms: 50_000 });
  await vm.printed(/\nbegun\r/, { from });
  process.kill(vm.machine.pid, 'SIGKILL');
  expect(await running).toMatch(/ OFF .*\nno exit code: the console ended after .*, while the command ran\n/);
  for (const what of [{ run: 'echo there' }, { text: 'there' }]) {
    const answer = await lab.call('console_send', { machine, ...what });
    expect(answer).toMatch(/^ERROR The console \S+ has ended \(QEMU was killed by SIGKILL\): /);
    expect(answer).not.toMatch(/is back|Wait for the link/);
  }
  expect(
    await lab.call('machine_reset', { machine, mode: 'hard' }),
    'nobody is asked for what is refused anyway',
  ).toMatch(/^ERROR The machine is off/);
});
