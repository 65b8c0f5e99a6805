import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { MachineError } from '../../src/machine/errors.ts';
import { emulatorFor } from '../../src/machines/qemu/launch/emulators.ts';
import { checkExtraArguments } from '../../src/machines/qemu/launch/extra-arguments.ts';
import { Canaries } from './canaries.ts';
import { Lab, restrictedSettings } from './vm.ts';

/** Values with which arguments of QEMU name a file, a socket or a program. */
function values(way: string): string[] {
  return [
    way,
    ...['file', 'path', 'filename', 'dir', 'splash', 'romfile', 'script', 'base', 'pcap', 'mem-path'].map(
      (name) => `${name}=${way}`,
    ),
    `virtio-rng-pci,romfile=${way}`,
    `usb-kbd,pcap=${way}`,
    `{"driver":"virtio-rng-pci","romfile":"${way}"}`,
    `loader,file=${way}`,
    `VGA.romfile=${way}`,
    `driver=VGA,property=romfile,value=${way}`,
    `memory-backend-file,id=m,size=4096,mem-path=${way}`,
    `filter-dump,id=f,netdev=net0,file=${way}`,
    `type=11,path=${way}`,
    `name=opt/x,file=${way}`,
    `opt/x,string=a,file=${way}`,
    `menu=on,splash=${way}`,
    `node,memdev=m,${way}`,
    `order=c,${way}`,
    `menu=on,,splash=${way}`,
    `user,id=u,tftp=${way}`,
    `x,process=${way}`,
    `/${way}`,
  ];
}

function isTaken(extra: readonly string[]): boolean {
  try {
    checkExtraArguments(extra, false);
    return true;
  } catch (error) {
    if (error instanceof MachineError) return false;
    throw error;
  }
}

test('no argument leads to a file outside, not even one that is harmless otherwise', { timeout: 180_000 }, async () => {
  await using canaries = new Canaries();
  await using lab = new Lab({ settings: restrictedSettings });
  const program = await emulatorFor('x86_64', process.env.PATH ?? '');
  const help = execFileSync(program, ['-h'], { encoding: 'utf8' });
  const flags = new Set([...help.matchAll(/^(--?[A-Za-z][\w-]*)/gm)].map(([flag]) => flag));
  expect(flags.size).toBeGreaterThan(100);
  let tried = 0;
  for (const flag of flags) {
    for (const way of canaries.ways.filter((each) => !each.startsWith('fd:'))) {
      for (const value of values(way)) {
        for (const extra of [[flag, value], [`${flag}=${value}`], ['-usb', flag, value], [`-${flag}`, value]]) {
          if (isTaken(extra)) throw new Error(`${extra.join(' ')} is taken`);
          tried++;
        }
      }
    }
    const extra = [flag, canaries.files[0] ?? ''];
    expect((await lab.refusal({ arch: 'riscv64', extra })).type, flag).toMatch(/^(DENIED|INVALID_ARGUMENT)$/);
  }
  expect(tried).toBeGreaterThan(10_000);
  expect(canaries.traces()).toEqual([]);
});

test('nor does any other option', { timeout: 180_000 }, async () => {
  await using canaries = new Canaries();
  await using lab = new Lab({ settings: restrictedSettings });
  const names = [
    'firmware',
    'kernel',
    'dtb',
    'dumpdtb',
    'initrd',
    'pflash0',
    'memory-backend',
    'graphics',
    'loadparm',
    'aia',
  ];
  for (const way of canaries.ways) {
    const options = [
      ...names.flatMap((name) => [{ machine: `pc,${name}=${way}` }, { machine: `virt,${name}=a/${way}`, arch: 'arm' }]),
      { machine: way },
      { cpu: `max,vendor=${way}` },
      { gpu: `VGA,romfile=${way}` },
      { gpu: `usb-kbd,pcap=${way}` },
      { network: 'user', nic: way },
      { network: 'user', nic: 'vfio-pci' },
      { network: 'tap', tap: way },
      { network: 'user', forward: [way] },
      { channels: [way] },
      { boot: way },
      { keyboard_layout: way },
    ];
    for (const each of options) {
      const text = await lab.call('machine_start', { kind: 'qemu', options: { paused: true, ...each } });
      expect(text, JSON.stringify(each)).toMatch(/^ERROR /);
    }
  }
  expect(canaries.traces()).toEqual([]);
});
