import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { whyNoKvm } from './kvm-probe.ts';

const folder = mkdtempSync(join(tmpdir(), 'fp-kvm-'));
afterAll(() => rmSync(folder, { recursive: true }));
const arch = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
const device = join(folder, 'kvm');
writeFileSync(device, '');

/** A program in place of QEMU, and the process groups that were to die with us. */
function stand(name: string, script: string) {
  const program = join(folder, name);
  writeFileSync(program, `#!/bin/sh\necho $$ > ${program}.pid\n${script}\n`, { mode: 0o755 });
  const guarded = new Set<number>();
  const seen: number[] = [];
  const guard = (pid: number) => {
    guarded.add(pid);
    seen.push(pid);
    return () => guarded.delete(pid);
  };
  const ask = () => whyNoKvm(program, arch, { env: { PATH: process.env.PATH ?? '' }, guard, device });
  return { ask, guarded, seen, pid: () => Number(readFileSync(`${program}.pid`, 'utf8')) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a guest that speaks proves it, and does not stay', async () => {
  const probe = stand('speaks', 'echo KVM-OK; exec sleep 60');
  expect(await probe.ask()).toBeUndefined();
  expect(probe.seen).toEqual([probe.pid()]);
  expect(probe.guarded.size).toBe(0);
  expect(isAlive(probe.pid())).toBe(false);
  expect(await probe.ask(), 'asked once').toBeUndefined();
  expect(probe.seen).toHaveLength(1);
});

test('a guest that hangs is ended, and is the reason', async () => {
  const probe = stand('hangs', 'exec sleep 60');
  expect(await probe.ask()).toContain('did not get anywhere');
  expect(isAlive(probe.pid())).toBe(false);
});

test('guests of other computers and a missing device are not tried', async () => {
  const options = { env: {}, guard: () => () => {}, device: join(folder, 'none') };
  expect(await whyNoKvm('other', 'riscv64', options)).toContain("this computer's own kind");
  expect(await whyNoKvm('missing', arch, options)).toContain('is not there or may not be used');
});
