import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { AllowedFiles } from '../../src/host/files/allowed-files.ts';
import { image as bootSector } from './guests/x86-real.ts';
import { Lab, uBoot } from './vm.ts';

const blockBytes = 512;

test('U-Boot writes to a disk, and the file stays as it was unless asked', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const content = Buffer.alloc(1024 * 1024, 'old ');
  const [kept, changed] = [lab.file('kept.img', content), lab.file('changed.img', content)];
  const vm = await lab.start({ ...uBoot.riscv64, drives: [kept, `${changed},write`], powerdown_ms: 0 });
  await vm.uBootPrompt();
  await vm.ask('pci enum; virtio scan; virtio info', /Device 1[\s\S]*=> /);
  await vm.ask(
    `mw.l 84000000 2177656e 80; virtio dev 0; virtio write 84000000 0 1; virtio dev 1; virtio write 84000000 0 1`,
    /write:[\s\S]*write:[\s\S]*OK[\s\S]*=> /,
  );
  expect(vm.machine.media.slots.map(({ name, changed: touched }) => [name, touched])).toEqual([
    ['drive0', true],
    ['drive1', false],
    ['new', false],
  ]);
  const seen = await vm.machine.media.bytes('drive0');
  expect(Buffer.from(seen.subarray(0, blockBytes)).toString()).toBe('new!'.repeat(128));
  expect(Buffer.from(seen.subarray(blockBytes)).equals(content.subarray(blockBytes))).toBe(true);
  await lab.rack.stop(vm.handle, 'done');
  expect(readFileSync(kept).equals(content)).toBe(true);
  expect(readFileSync(changed).subarray(0, 4).toString()).toBe('new!');
});

test('discs are changed while the machine runs, and drives are added', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const sector = lab.file('sector.img', bootSector);
  const { machine } = await lab.start({ drives: [`${sector},floppy`], memory: 16 });
  const { media } = machine;
  expect(media.slots.map(({ name }) => name)).toEqual(['floppy0', 'cd0', 'new']);
  await expect(media.bytes('cd0')).rejects.toThrow('cd0 is empty');
  const iso = lab.file('tools.iso', Buffer.alloc(4096, 'cd'));
  expect(await media.attachFile('cd0', iso, false)).toBe('tools.iso, raw, 4096 bytes');
  expect(Buffer.from(await media.bytes('cd0')).toString()).toBe('cd'.repeat(2048));
  await media.attachFile('cd0', lab.file('other.iso', Buffer.alloc(2048, 'o')), false);
  expect(media.slots.find(({ name }) => name === 'cd0')?.medium).toMatch(/other\.iso$/);
  await media.detach('cd0');
  expect(media.slots.find(({ name }) => name === 'cd0')?.medium).toBeUndefined();
  await media.attach('floppy0', { name: 'b.img', bytes: new Uint8Array(737_280).fill(7), readOnly: false });
  expect((await media.bytes('floppy0'))[700_000]).toBe(7);
  expect(await media.attach('new', { name: 'n.img', bytes: new Uint8Array(8192).fill(9), readOnly: false })).toContain(
    'added as drive0',
  );
  expect((await media.bytes('drive0')).length).toBe(8192);
  await expect(media.attachFile('drive0', iso, false)).rejects.toMatchObject({ type: 'WRONG_STATE' });
  await expect(media.attachFile('tape', iso, false)).rejects.toMatchObject({ type: 'NOT_FOUND' });

  // Through the power switch everything stays where it is.
  await machine.control.reset('hard');
  expect(media.slots.map(({ name, medium }) => [name, medium])).toEqual([
    ['floppy0', 'b.img'],
    ['cd0', undefined],
    ['drive0', 'n.img'],
    ['new', undefined],
  ]);
  expect((await media.bytes('drive0'))[0]).toBe(9);
});

test('a PC takes four disks on its two cables, in their order', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const disks = Array.from({ length: 4 }, (_, at) => lab.file(`${at}.img`, Buffer.alloc(8192, `${at}`)));
  const placesOf = async (drives: readonly string[], machine = 'pc') => {
    const vm = await lab.start({ drives, machine, memory: 16 });
    const tree = String(await vm.machine.monitor?.execute('hmp', 'info qtree', {}));
    await lab.rack.stop(vm.handle, 'seen');
    return [...tree.matchAll(/dev: ide-(?:hd|cd), id "(\w+)"[\s\S]*?unit = (\d+)/g)].map(
      ([, id, unit]) => `${id} ${unit}`,
    );
  };
  expect((await placesOf(disks.slice(0, 2))).sort()).toEqual(['cd0 0', 'drive0 0', 'drive1 1']);
  expect((await placesOf(disks)).sort()).toEqual(['drive0 0', 'drive1 1', 'drive2 0', 'drive3 1']);
  expect(await placesOf(disks, 'isapc')).toHaveLength(4);
  expect(await placesOf(disks, 'q35')).toHaveLength(5);
  expect((await lab.refusal({ drives: [...disks, disks[0]] })).message).toContain('4 ide drives, not 5');
});

test('images that lead elsewhere are refused', async () => {
  await using lab = new Lab({ files: new AllowedFiles({ read: [], write: [tmpdir()] }) });
  const spying = Buffer.alloc(1024);
  spying.writeUInt32BE(0x514649fb, 0);
  spying.writeUInt32BE(3, 4);
  spying.writeBigUInt64BE(512n, 8);
  spying.writeUInt32BE(11, 16);
  spying.writeUInt32BE(104, 100);
  spying.write('/etc/passwd', 512);
  await expect(lab.start({ drives: [lab.file('spy.qcow2', spying)] })).rejects.toMatchObject({
    type: 'PATH_NOT_ALLOWED',
  });
  spying.write('nbd://host/', 512);
  expect((await lab.refusal({ drives: [lab.file('spy2.qcow2', spying)] })).message).toContain(
    'rests on nbd://host/, which is not the name of a file',
  );
});

test('a file without a slot goes where its kind belongs, or becomes another disk', { timeout: 180_000 }, async () => {
  await using lab = new Lab();
  const vm = await lab.start({
    memory: 16,
    drives: [`${lab.file('a.img', Buffer.alloc(65_536))},virtio`, 'floppy'],
    paused: true,
  });
  const machine = vm.handle;
  const attach = (path: string) => lab.call('media_attach', { machine, path });
  expect(await attach(lab.file('b.img', Buffer.alloc(131_072)))).toContain(
    'new: b.img, raw, 131072 bytes, added as drive1',
  );
  expect(await attach(lab.file('os.iso', Buffer.alloc(4096)))).toContain('cd0: os.iso');
  expect(await attach(lab.file('boot.img', Buffer.alloc(1_474_560)))).toContain('floppy0: boot.img');
  expect(await lab.call('media_attach', { machine })).toMatch(
    /drive1 \(.*b\.img[\s\S]*cd0 \(.*os\.iso|cd0 \(.*os\.iso[\s\S]*drive1/,
  );
});
