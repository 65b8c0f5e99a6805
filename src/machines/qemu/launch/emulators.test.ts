import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { emulatorFor, findEmulators, ownNameOf } from './emulators.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'fp-bin-'));
  folders.push(folder);
  for (const name of names) writeFileSync(join(folder, name), '', { mode: name.endsWith('z80') ? 0o644 : 0o755 });
  return folder;
}

test('the first folder wins, and what cannot be run does not count', async () => {
  const first = folderWith('qemu-system-arm', 'qemu-img', 'qemu-system-z80');
  const second = folderWith('qemu-system-arm', 'qemu-system-riscv64');
  const found = await findEmulators(['/nowhere', first, second].join(delimiter));
  expect([...found]).toEqual([
    ['arm', join(first, 'qemu-system-arm')],
    ['riscv64', join(second, 'qemu-system-riscv64')],
  ]);
});

test('one program under two names is one', async () => {
  const folder = folderWith('qemu-system-amd64', 'qemu-system-x86_64', 'qemu-system-arm64');
  expect([...(await findEmulators(folder)).keys()]).toEqual(['aarch64', 'x86_64']);
  expect(await emulatorFor(ownNameOf('arm64'), folder)).toBe(join(folder, 'qemu-system-arm64'));
  const power = folderWith('qemu-system-ppc64', 'qemu-system-ppc64le');
  expect([...(await findEmulators(power)).keys()], 'the board decides, not the name').toEqual(['ppc64']);
});

test('a wrong name is answered with those that are there, and with the way to others', async () => {
  const folder = folderWith('qemu-system-x86_64');
  const refusal = { type: 'INVALID_ARGUMENT', fix: expect.stringMatching(/^Installed: x86_64\. .*--qemu-dir/) };
  await expect(emulatorFor('vax', folder)).rejects.toMatchObject(refusal);
  await expect(emulatorFor('vax', '')).rejects.toMatchObject({ type: 'UNAVAILABLE' });
});
