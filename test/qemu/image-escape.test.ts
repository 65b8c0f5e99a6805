import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AllowedFiles } from '../../src/host/files/allowed-files.ts';
import { Canaries } from './canaries.ts';
import { image as x86Real } from './guests/x86-real.ts';
import { forgeQcow2 } from './images.ts';
import { Lab, restrictedSettings } from './vm.ts';

let canaries: Canaries;
let lab: Lab;
/** The only folder that an agent may use. */
let inside: string;

function openLab(more: Record<string, unknown> = {}): Lab {
  const files = new AllowedFiles({ read: [], write: [inside] });
  return new Lab({ settings: { ...restrictedSettings, ...more }, files });
}

beforeEach(() => {
  canaries = new Canaries();
  inside = mkdtempSync(join(realpathSync(tmpdir()), 'fp-in-'));
  lab = openLab();
});

afterEach(async () => {
  await lab[Symbol.asyncDispose]();
  expect(canaries.traces()).toEqual([]);
  expect(canaries.unread).toBe(true);
  await canaries[Symbol.asyncDispose]();
  rmSync(inside, { recursive: true });
});

const at = (name: string) => join(inside, name);
const outside = () => canaries.files[0] ?? '';

/** A text that makes any file the disk of a VMDK image. */
function vmdk(path: string): string {
  const size = 2048;
  writeFileSync(
    path,
    `# Disk DescriptorFile\nversion=1\nCID=12345678\nparentCID=ffffffff\ncreateType="monolithicFlat"\n` +
      `RW ${size / 512} FLAT "${outside()}" 0\nddb.adapterType = "ide"\n`,
  );
  return path;
}

const images: Readonly<Record<string, () => string>> = {
  'rests on a file outside': () => forgeQcow2(at('a.qcow2'), { backing: outside(), format: 'raw' }),
  'rests on it by a way around': () =>
    forgeQcow2(at('a.qcow2'), { backing: relative(inside, outside()), format: 'raw' }),
  'rests on it and does not say as what': () => forgeQcow2(at('a.qcow2'), { backing: outside() }),
  'rests on a link to it': () => {
    symlinkSync(outside(), at('link'));
    return forgeQcow2(at('a.qcow2'), { backing: 'link', format: 'raw' });
  },
  'rests on a VMDK of it': () => forgeQcow2(at('a.qcow2'), { backing: vmdk(at('x.vmdk')), format: 'vmdk' }),
  'rests on a VMDK of it and does not say so': () => forgeQcow2(at('a.qcow2'), { backing: vmdk(at('x.vmdk')) }),
  'is a VMDK of it': () => vmdk(at('a.vmdk')),
  'rests on an image that rests on it': () =>
    forgeQcow2(at('a.qcow2'), {
      backing: forgeQcow2(at('b.qcow2'), { backing: outside(), format: 'raw' }),
      format: 'qcow2',
    }),
  'rests on what is said in JSON': () =>
    forgeQcow2(at('a.qcow2'), { backing: `json:{"driver":"raw","file.filename":"${outside()}"}`, format: 'raw' }),
  'rests on a protocol': () => forgeQcow2(at('a.qcow2'), { backing: `nbd+unix:///?socket=${canaries.socket}` }),
  'rests on a file by its protocol': () => forgeQcow2(at('a.qcow2'), { backing: `file:${outside()}`, format: 'raw' }),
  'keeps its data there': () => forgeQcow2(at('a.qcow2'), { dataFile: outside() }),
  'rests on one that keeps its data there': () =>
    forgeQcow2(at('a.qcow2'), { backing: forgeQcow2(at('b.qcow2'), { dataFile: outside() }), format: 'qcow2' }),
};

test.for(Object.keys(images))('an image that %s is no disk', async (name) => {
  const path = images[name]?.() ?? '';
  const refused = { type: expect.stringMatching(/^(INVALID_ARGUMENT|PATH_NOT_ALLOWED)$/) };
  for (const words of ['', ',readonly,virtio', ',write', ',pflash'])
    expect(await lab.refusal({ drives: [path + words] })).toMatchObject(refused);
  const { machine } = await lab.start({ memory: 16, drives: ['floppy'], paused: true });
  await expect(machine.media.attachFile?.('floppy0', path, false)).rejects.toMatchObject(refused);
  await expect(machine.media.attachFile?.('new', path, true)).rejects.toMatchObject(refused);
});

test('nor are bytes that are put in as they are', async () => {
  const { machine } = await lab.start({ memory: 16, drives: ['floppy'], paused: true });
  const { readFileSync } = await import('node:fs');
  for (const wish of [{ backing: outside(), format: 'raw' }, { dataFile: outside() }, { backing: outside() }]) {
    const bytes = readFileSync(forgeQcow2(at('sent'), wish));
    await expect(machine.media.attach('floppy0', { name: 'sent', bytes, readOnly: false })).rejects.toMatchObject({
      type: expect.stringMatching(/^(INVALID_ARGUMENT|PATH_NOT_ALLOWED)$/),
    });
  }
});

test('images that rest on each other without end', async () => {
  forgeQcow2(at('a.qcow2'), { backing: 'b.qcow2', format: 'qcow2' });
  forgeQcow2(at('b.qcow2'), { backing: 'a.qcow2', format: 'qcow2' });
  expect((await lab.refusal({ drives: [at('a.qcow2')] })).message).toContain('rests on itself');
  for (let n = 0; n < 20; n++) forgeQcow2(at(`c${n}`), n === 0 ? {} : { backing: at(`c${n - 1}`), format: 'qcow2' });
  expect((await lab.refusal({ drives: [at('c19')] })).message).toContain('more than 16 images');
});

test('what is said to be raw stays raw, whatever a guest wrote there', async () => {
  const disguised = forgeQcow2(at('disk.img'), { backing: outside(), format: 'raw' });
  forgeQcow2(at('top.qcow2'), { backing: disguised, format: 'raw' });
  const { machine } = await lab.start({
    memory: 16,
    drives: [`${at('top.qcow2')},virtio`, `${disguised},raw,virtio`],
    paused: true,
  });
  expect(canaries.traces(machine.pid)).toEqual([]);
  const [first] = [await machine.media.bytes('drive1')];
  expect(Buffer.from(first.subarray(0, 4)).toString('latin1')).toBe('QFI\u00fb');
});

test('a conversion is named exactly', async () => {
  const path = vmdk(at("it's.vmdk"));
  const { fix } = await lab.refusal({ drives: [path] });
  const quoted = `'${inside}/it'\\''s.vmdk`;
  expect(fix).toContain(`qemu-img convert -f vmdk -O qcow2 ${quoted}' ${quoted}.qcow2'`);
});

test('an image that is changed after it was looked at', async () => {
  const disk = forgeQcow2(at('disk.qcow2'), {});
  const evil = forgeQcow2(at('evil'), { dataFile: outside() });
  const rebased = forgeQcow2(at('rebased'), { backing: outside(), format: 'raw' });
  const tools = mkdtempSync(join(inside, 'bin-'));
  const program = join(tools, 'qemu-system-x86_64');
  const become = (image: string) => {
    writeFileSync(program, `#!/bin/sh\ncp ${image} ${disk}\nexec /usr/bin/qemu-system-x86_64 "$@"\n`);
    chmodSync(program, 0o755);
  };
  await using other = openLab({ qemuFolders: [tools] });
  become(evil);
  for (const words of [',virtio', ',readonly,virtio', ',write,ide']) {
    forgeQcow2(disk, {});
    expect(await other.refusal({ memory: 16, drives: [disk + words] })).toMatchObject({ type: 'DENIED' });
  }
  // QEMU was fooled and has opened it; nothing of it was read.
  expect(canaries.traces()).toEqual([]);
  forgeQcow2(disk, {});
  become(rebased);
  const { machine } = await other.start({ memory: 16, drives: [`${disk},virtio`], paused: true });
  expect(canaries.traces(machine.pid)).toEqual([]);
});

/** A snapshot of a machine with a disk, in a folder. */
async function snapshot(): Promise<string> {
  const disk = at('boot.img');
  writeFileSync(disk, x86Real);
  const vm = await lab.start({
    memory: 16,
    gpu: 'none',
    drives: [`${disk},ide`],
    snapshot_dir: at('snaps'),
    paused: true,
  });
  await vm.machine.snapshots.save('one');
  await lab.rack.stop(vm.handle, 'saved');
  return at('snaps/one');
}

test('a snapshot starts again, and a folder with another content does not', { timeout: 180_000 }, async () => {
  const good = await snapshot();
  const vm = await lab.start({ from_snapshot: good });
  await lab.rack.stop(vm.handle, 'it works');
  const spoilt = (name: string, spoil: (folder: string) => void): string => {
    const folder = at(name);
    cpSync(good, folder, { recursive: true });
    spoil(folder);
    return folder;
  };
  const replaced = (name: string, by: (path: string) => void) => (folder: string) => {
    rmSync(join(folder, name));
    by(join(folder, name));
  };
  const link = (path: string) => symlinkSync(canaries.files[1] ?? '', path);
  const refused = [
    spoilt('s1', replaced('states.qcow2', link)),
    spoilt('s2', replaced('drive0.qcow2', link)),
    spoilt('s3', replaced('snapshot.json', link)),
    spoilt(
      's4',
      replaced('states.qcow2', (path) => forgeQcow2(path, { dataFile: outside() })),
    ),
    spoilt(
      's5',
      replaced('drive0.qcow2', (path) => forgeQcow2(path, { dataFile: outside() })),
    ),
    spoilt(
      's6',
      replaced('snapshot.json', (path) => writeFileSync(path, '{')),
    ),
    spoilt(
      's7',
      replaced('snapshot.json', (path) => writeFileSync(path, ' '.repeat(2_000_000))),
    ),
    spoilt(
      's8',
      replaced('snapshot.json', (path) => mkdirSync(path)),
    ),
    spoilt(
      's9',
      replaced('drive0.qcow2', () => {}),
    ),
  ];
  for (const folder of refused)
    expect(await lab.refusal({ from_snapshot: folder }), folder).toMatchObject({
      type: /^(INVALID_ARGUMENT|PATH_NOT_ALLOWED|NOT_FOUND)$/,
    });
  // QEMU never gets to see these two: it would open what they name.
  for (const folder of [at('s4'), at('s5')])
    expect((await lab.refusal({ from_snapshot: folder })).message).toContain('its data lies elsewhere');
});

test('an overlay of a snapshot rests on the disk of the machine, whatever it says', { timeout: 180_000 }, async () => {
  const good = await snapshot();
  const around = `${good}/../../../${relative(tmpdir(), outside())}`;
  for (const [n, backing] of [outside(), around, `json:{"driver":"raw"}`].entries()) {
    const folder = at(`o${n}`);
    cpSync(good, folder, { recursive: true });
    // Its header alone: the states in it are those of before.
    const { openSync, writeSync, closeSync, readFileSync } = await import('node:fs');
    const header = readFileSync(forgeQcow2(at('header'), { backing, format: 'raw' })).subarray(0, 400);
    const kept = readFileSync(join(folder, 'drive0.qcow2'));
    header.copy(kept, 8, 8, 20);
    header.copy(kept, 104, 104, 400);
    const file = openSync(join(folder, 'drive0.qcow2'), 'w');
    writeSync(file, kept);
    closeSync(file);
    const vm = await lab.start({ from_snapshot: folder, paused: true });
    const nodes = await vm.machine.monitor?.execute('qmp', 'query-named-block-nodes', { flat: true });
    expect(nodes).toContain(at('boot.img'));
    expect(canaries.traces(vm.machine.pid)).toEqual([]);
    await lab.rack.stop(vm.handle, 'looked at');
  }
});
