import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeRack } from '../../../../test/make-rack.ts';
import { readSnapshotFile, type SnapshotFile, writeSnapshotFile } from '../../../formats/snapshot/snapshot-file.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { SnapshotImage } from '../../../machine/snapshots.ts';
import type { Rack } from '../../../rack/rack.ts';
import { dosKind } from '../dos-kind.ts';
import { floppyFormats, formatVolume } from '../drives/fat/format.ts';
import { DosMachine } from './dos-machine.ts';

const never = new AbortController().signal;
const wallMs = 20_000;

let rack: Rack;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fp-dos-'));
  mkdirSync(join(folder, 'SUB'));
  for (const name of ['A.TXT', 'SUB/DEEP.TXT']) {
    writeFileSync(join(folder, name), `${name} of the folder\r\n`);
    utimesSync(join(folder, name), 7e8, 7e8);
  }
  rack = makeRack([dosKind]);
});
afterEach(async () => {
  await rack.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: Record<string, unknown>): Promise<DosMachine> {
  const { machine } = await rack.start('dos', options);
  if (!(machine instanceof DosMachine)) throw new Error('not a DOS machine');
  return machine;
}

const frames = (machine: DosMachine, count: number) => machine.control.run({ frames: count, wallMs }, never);
const type = async (machine: DosMachine, text: string) => {
  await machine.keyboard.type(text, never);
  await frames(machine, 20);
};
const screenOf = async (machine: DosMachine) =>
  (await machine.screen.text())?.lines.map((line) => line.trimEnd()).join('\n') ?? '';

/** As a file has it. */
async function sent(machine: DosMachine, name: string): Promise<SnapshotFile> {
  const image = await machine.snapshots.pack(name);
  return readSnapshotFile(await writeSnapshotFile({ kind: 'dos', ...image }));
}

/** Into a machine that knows nothing of the folder. */
async function arrived(image: SnapshotImage, more: Record<string, unknown> = {}): Promise<DosMachine> {
  const { data, error } = dosKind.snapshotOptions?.safeParse(image.options) ?? {};
  expect(error).toBeUndefined();
  const machine = await start({ ...data, ...more });
  await machine.snapshots.unpack(image, 'elsewhere', never);
  return machine;
}

test('a machine goes on from a file on a computer that has none of its drives', async () => {
  const machine = await start({ folder, commands: ['echo first'] });
  const floppy = { name: 'work.img', bytes: formatVolume(floppyFormats['1.44M']), readOnly: false };
  await machine.media.attach('a', floppy);
  await type(machine, 'copy a.txt b.txt\nmd new\ncopy a.txt a:one.txt\ndel a.txt\n');
  await machine.snapshots.save('then');
  const file = await sent(machine, 'then');
  // What comes later is not in it.
  await type(machine, 'del b.txt\n');
  rmSync(folder, { recursive: true });
  await machine.snapshots.restore('then');

  const other = await arrived(file);
  expect(await screenOf(other)).toBe(await screenOf(machine));
  expect(other.media.slots).toEqual(machine.media.slots);
  for (const each of [machine, other]) await type(each, 'cls\ntype b.txt\ntype a:one.txt\ndir /w\n');
  expect(await screenOf(other)).toContain('A.TXT of the folder');
  expect(await screenOf(other)).toMatch(/\[NEW\]/);
  expect(await screenOf(other)).toBe(await screenOf(machine));
  await type(other, 'cls\ntype sub\\deep.txt\necho more>sub\\deep.txt\ntype sub\\deep.txt\n');
  expect(await screenOf(other)).toMatch(/SUB\/DEEP\.TXT of the folder[\s\S]*more/);
  // A reset starts what the first one was told to.
  await other.control.reset('hard');
  await frames(other, 70);
  expect(await screenOf(other)).toContain('first');
});

test.for([
  ['a batch file that FOR has called', 'for %a in (1 2) do call wait %a', 'x', 'after 1\n'],
  ['a choice', 'choice /c:ab', 'b', '[A,B]?B'],
  ['a filter that reads lines', 'find "pear"', 'one pear\n', '"pear"\none pear'],
  ['a label', 'label c:', 'named\n', 'named'],
  ['a question for each file', 'del *.txt /p', 'n\n', 'Delete (Y/N)?n'],
] as const)('a machine goes on in the middle of %s', async ([, command, keys, shown]) => {
  writeFileSync(join(folder, 'WAIT.BAT'), '@pause\r\n@echo after %1\r\n');
  const machine = await start({ folder });
  await type(machine, `${command}\n`);
  await machine.snapshots.save('then');
  const other = await arrived(await sent(machine, 'then'));
  for (const each of [machine, other]) await type(each, keys);
  expect(await screenOf(other)).toContain(shown);
  expect(await screenOf(other)).toBe(await screenOf(machine));
});

test('both go through the same states, instruction by instruction', async () => {
  const machine = await start({ folder });
  await machine.keyboard.type('dir /s c:\\\n', never);
  await machine.snapshots.save('then');
  const other = await arrived(await sent(machine, 'then'));
  for (const each of [machine, other]) await each.control.run({ cycles: 3_000_000, wallMs }, never);
  const [one, two] = [machine, other].map((each) => each.control.system.board.snapshot());
  expect(Buffer.compare(one ?? Buffer.of(), two ?? Buffer.of())).toBe(0);
});

test('a fork shares the folder and nothing that was written', async () => {
  const machine = await start({ folder });
  await type(machine, 'echo mine>new.txt\n');
  await machine.snapshots.save('then');
  const { options, image } = await machine.snapshots.fork('then');
  const fork = await start({ folder, ...options });
  if (!image) throw new Error('no image');
  await fork.snapshots.unpack(image, 'here', never);
  await type(fork, 'cls\ntype new.txt\ntype a.txt\necho theirs>new.txt\n');
  expect(await screenOf(fork)).toMatch(/mine[\s\S]*A\.TXT of the folder/);
  await type(machine, 'cls\ntype new.txt\n');
  expect(await screenOf(machine)).toMatch(/\nmine/);
});

test('a system that was booted from a floppy boots from it again', async () => {
  const boot = formatVolume(floppyFormats['1.44M']);
  // mov ax,0E42h / int 10h / jmp $
  boot.set([0xb8, 0x42, 0x0e, 0xcd, 0x10, 0xeb, 0xfe], 0x3e);
  const path = join(folder, 'boot.img');
  writeFileSync(path, boot);
  const machine = await start({ floppy: path, boot: 'floppy' });
  expect(await screenOf(machine)).toContain('B');
  await machine.snapshots.save('then');
  const other = await arrived(await sent(machine, 'then'));
  expect(await screenOf(other)).toBe(await screenOf(machine));
  await other.control.reset('hard');
  expect(await screenOf(other)).not.toContain('B');
  await frames(other, 70);
  expect(await screenOf(other)).toContain('B');
});

test('what cannot be taken is refused, and leaves the machine as it was', async () => {
  const machine = await start({ folder, memory: 0 });
  await machine.snapshots.save('then');
  const file = await sent(machine, 'then');
  const other = await arrived(file);
  const before = other.control.system.board.snapshot();
  const refused = async (change: Partial<SnapshotFile>, into = other) => {
    const error: unknown = await into.snapshots.unpack({ ...file, ...change }, 'elsewhere', never).catch((e) => e);
    expect(error).toBeInstanceOf(MachineError);
    expect(Buffer.compare(into.control.system.board.snapshot(), before)).toBe(0);
    return (error as MachineError).message;
  };
  const part = (name: string, text: string) => ({ parts: new Map([...file.parts, [name, Buffer.from(text)]]) });
  expect(await refused({ model: { rom: 'other' } })).toContain('another version');
  // As they were before the layout was kept, and some chips had fewer words.
  const { layout: _, ...older } = file.model as Record<string, string>;
  expect(await refused({ model: older })).toContain('another version');
  expect(await refused({ options: { ...file.options, cpu: '8086' } })).toContain('a different cpu');
  expect(await refused({ facts: {} })).toContain('facts.letters');
  expect(await refused({ facts: { ...file.facts, stubs: ['int99'] } })).toContain('other services');
  expect(await refused(part('state', 'short'))).toMatch(/^The snapshot is damaged: it has 5 bytes/);
  expect(await refused(part('services', '{}'))).toContain('services.bios');
  expect(await refused(part('nodes.2', 'x'))).toContain('drive 2');
  const loop = { name: '', attributes: 16, stamp: 0, size: 0, written: false, stored: false };
  const lines = [
    { ...loop, parent: -1, children: [] },
    { ...loop, parent: 2 },
    { ...loop, parent: 1 },
  ];
  const nodes = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n[]`;
  expect(await refused(part('nodes.2', nodes))).toContain('its own parent');
  const given = await start({ folder, memory: 0 });
  await expect(given.snapshots.unpack(file, 'elsewhere', never)).rejects.toThrow('folder would have no effect');
});

test('a machine that moves memory without end is no damaged one: its trial ends after so much work', async () => {
  const boot = formatVolume(floppyFormats['1.44M']);
  // jmp $
  boot.set([0xeb, 0xfe], 0x3e);
  const path = join(folder, 'boot.img');
  writeFileSync(path, boot);
  const machine = await start({ floppy: path, boot: 'floppy' });
  // again: mov cx,0FFFFh / rep lodsb / jmp again
  const again = Uint8Array.of(0xb9, 0xff, 0xff, 0xf3, 0xac, 0xeb, 0xf9);
  await machine.memory.poke('cpu', 0x7c3en, again);
  await machine.snapshots.save('then');
  const other = await arrived(await sent(machine, 'then'));
  expect(Buffer.compare(other.control.system.board.snapshot(), machine.control.system.board.snapshot())).toBe(0);
});

test('drives that are too large for a file are told so, before they are read', async () => {
  writeFileSync(join(folder, 'LARGE.BIN'), new Uint8Array(97 * 1024 * 1024));
  const machine = await start({ folder });
  await machine.snapshots.save('then');
  await expect(machine.snapshots.pack('then')).rejects.toThrow('Its drives hold more than 96 MiB');
  expect((await machine.snapshots.fork('then')).image).toBeDefined();
});
