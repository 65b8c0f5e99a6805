import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DebianArchitecture, debianFiles } from './debian-package.ts';

/** `cloud-` is the small one: a third of the size, but it has no 9p, and on ARM no power button. */
export type KernelFlavour = '' | 'cloud-';

/** Those that a kernel has built in, or has not, are not among its files. */
const modules = [
  'virtio.ko',
  'virtio_ring.ko',
  'virtio_pci_legacy_dev.ko',
  'virtio_pci_modern_dev.ko',
  'virtio_pci.ko',
  'failover.ko',
  'net_failover.ko',
  'virtio_net.ko',
  'virtio_blk.ko',
  'virtio_console.ko',
  'virtio_input.ko',
  'netfs.ko',
  'fscache.ko',
  '9pnet.ko',
  '9pnet_virtio.ko',
  '9p.ko',
  'evdev.ko',
  'button.ko',
  'gpio_keys.ko',
  'cdrom.ko',
  'isofs.ko',
  'fuse.ko',
  'virtiofs.ko',
];
/** Goes up with the list, so that what was fetched for a shorter one is fetched again. */
const listed = 2;

/** A folder with the kernel as `vmlinuz` and those modules that guests under QEMU need. */
export function debianKernel(architecture: DebianArchitecture, flavour: KernelFlavour): string {
  const wanted = (path: string) =>
    basename(path).startsWith('vmlinuz') ? 'vmlinuz' : modules.find((module) => module === basename(path));
  return debianFiles(`linux-image-${flavour}${architecture}`, architecture, wanted, listed);
}

/** In the order in which they are loaded: each after those that it needs, which another kernel may have otherwise. */
export function modulesOf(folder: string): readonly string[] {
  const loaded = new Set<string>();
  const load = (module: string) => {
    if (loaded.has(module) || !existsSync(join(folder, module))) return;
    for (const needed of neededBy(join(folder, module))) load(needed);
    loaded.add(module);
  };
  for (const module of modules) load(module);
  return [...loaded];
}

/** As a module says itself, in its section of texts. */
function neededBy(file: string): readonly string[] {
  const [, names = ''] = /\0depends=([\w,-]*)\0/.exec(`\0${readFileSync(file, 'latin1')}`) ?? [];
  return names.split(',').flatMap((name) => (name === '' ? [] : [`${name.replaceAll('-', '_')}.ko`]));
}
