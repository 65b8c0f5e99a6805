import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Lab, type Vm } from './vm.ts';

const hasVirtiofs = ['/usr/libexec/virtiofsd', '/usr/lib/qemu/virtiofsd'].some((path) => existsSync(path));

/** The process of that program among those that this one has started. */
function pidOf(program: RegExp): number {
  const all = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', `${process.pid}`], { encoding: 'utf8' }).split('\n');
  const own = all.filter((line) => program.test(line));
  expect(own).toHaveLength(1);
  return Number.parseInt(own[0] ?? '', 10);
}

async function endsAndIsTold(vm: Vm, program: RegExp, type: string, text: string): Promise<void> {
  process.kill(pidOf(program), 'SIGKILL');
  const told = () => vm.events(type);
  await vm.until(`${type} is told`, () => told().length > 0);
  expect(told()[0]?.text).toBe(text);
  expect(vm.machine.status()).toMatchObject({ state: 'PAUSED' });
  await vm.machine.control.reset('hard');
  expect(pidOf(program)).toBeGreaterThan(0);
  // What ends with the old QEMU is not missed.
  expect(told()).toHaveLength(1);
}

test('a TPM that ends before its machine is told, and is there again after a power cycle', async () => {
  await using lab = new Lab();
  const vm = await lab.start({ tpm: true, paused: true, gpu: 'none' });
  const text = 'swtpm was killed by SIGKILL: the guest cannot use its TPM until the machine is reset (hard)';
  await endsAndIsTold(vm, /\d swtpm socket/, 'tpm_ended', text);
});

test.skipIf(!hasVirtiofs)('so is the program that serves a folder', async () => {
  await using lab = new Lab();
  const share = join(lab.folder, 'shared');
  mkdirSync(share);
  const vm = await lab.start({ share, share_by: 'virtiofs', paused: true, gpu: 'none' });
  const text =
    'virtiofsd was killed by SIGKILL: the guest cannot use its shared folder until the machine is reset (hard)';
  await endsAndIsTold(vm, /\d \S*virtiofsd --socket-path/, 'share_ended', text);
});
