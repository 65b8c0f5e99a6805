import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AllowedFiles } from '../../src/host/files/allowed-files.ts';
import { Canaries } from './canaries.ts';
import { at, image as multiboot } from './guests/x86-multiboot.ts';
import { Lab, restrictedSettings } from './vm.ts';

let inside: string;
let kernel: string;
beforeAll(() => {
  inside = mkdtempSync(join(realpathSync(tmpdir()), 'fp-mod-'));
  kernel = file('kernel.elf', multiboot);
});
afterAll(() => rmSync(inside, { recursive: true }));

function file(name: string, content: Uint8Array | string): string {
  const path = join(inside, name);
  writeFileSync(path, content);
  return path;
}

function openLab(): Lab {
  return new Lab({ settings: restrictedSettings, files: new AllowedFiles({ read: [], write: [inside] }) });
}

/** What a multiboot kernel says of its modules: each by its name and arguments, and by its first line. */
async function modulesOf(lab: Lab, initrd: unknown): Promise<string[]> {
  const vm = await lab.start({ arch: 'i386', memory: 16, gpu: 'none', kernel, append: 'a b,c', initrd });
  const lines = (await vm.printed(/END/)).split('\n').map((line) => line.trim());
  await vm.machine.control.pause();
  expect([at.halt, at.halt + 1n], 'it has come to its end').toContain(vm.machine.cpu.pc);
  await lab.rack.stop(vm.handle, 'read');
  expect(lines[0]).toMatch(/\/kernel\.elf a b,c$/);
  // Files have their own names in a folder of the machine's.
  return lines.slice(1, lines.indexOf('END')).map((line) => line.replace(/^\/.*\/l-\w+\//, ''));
}

test('modules of a multiboot kernel, with arguments', { timeout: 180_000 }, async () => {
  await using lab = openLab();
  const [one, two] = [file('one', 'first\n'), file('two', 'second\n')];
  expect(await modulesOf(lab, one)).toEqual(['one', 'first']);
  expect(await modulesOf(lab, [`${one} x=1 y=2,3`, two])).toEqual(['one x=1 y=2,3', 'first', 'two', 'second']);
  expect(await modulesOf(lab, `${one} x=1,${two} y=2,,3`)).toEqual(['one x=1', 'first', 'two y=2,3', 'second']);
});

test('a kernel whose header no loader finds: where it is, and where it has to be', { timeout: 180_000 }, async () => {
  await using lab = openLab();
  const header = Buffer.alloc(12);
  header.writeUInt32LE(0x1badb002);
  header.writeInt32LE(-0x1badb002, 8);
  const place = Buffer.from(multiboot).indexOf(header.subarray(0, 4));
  const without = Buffer.from(multiboot);
  without.fill(0, place, place + 12);
  const fixFor = async (...parts: Uint8Array[]) =>
    (await lab.refusal({ arch: 'i386', kernel: file('odd.elf', Buffer.concat(parts)) })).fix;
  expect(await fixFor(without)).toMatch(/needs a multiboot 1 header .* within its first 8192 bytes/);
  const late = Buffer.alloc(8222 - without.length);
  expect(await fixFor(without, late, header)).toMatch(/begins at byte 8222: it must be aligned to 4 bytes/);
  const newer = Buffer.alloc(16);
  newer.writeUInt32LE(0xe85250d6);
  newer.writeUInt32LE(16, 8);
  newer.writeUInt32LE(2 ** 32 - 0xe85250d6 - 16, 12);
  expect(await fixFor(without, newer)).toMatch(/multiboot 2 kernel/);
});

test('names that QEMU would cut are given others', { timeout: 180_000 }, async () => {
  await using lab = openLab();
  const [comma, blank] = [file('with,comma', 'third\n'), file('with blank', 'fourth\n')];
  expect(await modulesOf(lab, comma)).toEqual(['with_comma', 'third']);
  expect(await modulesOf(lab, [`${comma} a`, `${blank} b`])).toEqual([
    'with_comma a',
    'third',
    'with_blank b',
    'fourth',
  ]);
});

test('a comma leads nowhere', { timeout: 180_000 }, async () => {
  await using lab = openLab();
  await using canaries = new Canaries();
  const [secret = ''] = canaries.files;
  // A folder whose name ends with a comma: QEMU would read what stands after it as another path.
  const folder = join(inside, `x,${secret}`);
  mkdirSync(join(folder, '..'), { recursive: true });
  writeFileSync(folder, 'harmless\n');
  expect(await modulesOf(lab, folder)).toEqual(['secret.img', 'harmless']);
  for (const initrd of [`${kernel},${secret}`, [kernel, secret], [`${kernel},${secret}`], secret]) {
    const { type } = await lab.refusal({ arch: 'i386', kernel, initrd });
    expect(type).toMatch(/^(PATH_NOT_ALLOWED|NOT_FOUND|INVALID_ARGUMENT)$/);
  }
  expect(canaries.traces()).toEqual([]);
});
