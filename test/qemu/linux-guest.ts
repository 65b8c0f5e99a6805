import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { basename, join, resolve } from 'node:path';

/** What differs between the computers that the tests run on: the guest is of the same kind. */
const guests = {
  arm64: { arch: 'aarch64', kernelPackage: 'linux-image-cloud-arm64', tty: 'ttyAMA0' },
  x64: { arch: 'x86_64', kernelPackage: 'linux-image-cloud-amd64', tty: 'ttyS0' },
} as const;

/** In the order in which they need each other. */
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
];

const cache = resolve('.cache/guests');

/** Options that boot Debian's kernel with busybox and the drivers for what QEMU has; the prompt is `guest# `. */
export function linuxGuest(initrd: string): Record<string, unknown> {
  const { arch, kernelPackage, tty } = guests[process.arch === 'x64' ? 'x64' : 'arm64'];
  const folder = cachedKernel(kernelPackage);
  makeInitrd(initrd, folder, tty);
  const quiet = 'quiet panic=-1 mitigations=off nokaslr no_timer_check cryptomgr.notests';
  const append = `console=${tty},115200 ${quiet}`;
  return { arch, memory: 256, kernel: join(folder, 'vmlinuz'), initrd, append, gpu: 'none' };
}

function cachedKernel(metaPackage: string): string {
  const folder = join(cache, `drivers-${metaPackage}`);
  if (existsSync(folder)) return folder;
  const work = join(cache, `fetch-${process.pid}`);
  const fresh = join(work, 'fresh');
  mkdirSync(fresh, { recursive: true });
  const name = kernelBehind(metaPackage) ?? kernelBehind(metaPackage, true);
  if (name === undefined) throw new Error(`apt knows no kernel behind ${metaPackage}`);
  const asUser = ['-o', `APT::Sandbox::User=${userInfo().username}`];
  execFileSync('apt-get', ['-q', ...asUser, 'download', name], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  const deb = readdirSync(work).find((file) => file.endsWith('.deb')) ?? '';
  execFileSync('dpkg', ['-x', join(work, deb), join(work, 'root')]);
  const files = readdirSync(join(work, 'root'), { recursive: true, encoding: 'utf8' });
  for (const file of files) {
    const wanted = basename(file).startsWith('vmlinuz') ? 'vmlinuz' : modules.find((each) => basename(file) === each);
    if (wanted !== undefined) copyFileSync(join(work, 'root', file), join(fresh, wanted));
  }
  // At once, so that a download that was cut short is never taken for a kernel.
  if (!existsSync(folder)) renameSync(fresh, folder);
  rmSync(work, { recursive: true, force: true });
  return folder;
}

function kernelBehind(metaPackage: string, updateFirst = false): string | undefined {
  if (updateFirst) execFileSync('apt-get', ['-q', 'update'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { stdout } = spawnSync('apt-cache', ['depends', metaPackage], { encoding: 'utf8' });
  return /Depends: (linux-image-\S+)/.exec(stdout)?.[1];
}

function makeInitrd(path: string, kernelFolder: string, tty: string): void {
  const root = `${path}.root`;
  for (const folder of ['bin', 'proc', 'sys', 'dev', 'etc', 'tmp', 'lib'])
    mkdirSync(join(root, folder), { recursive: true });
  const busybox = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim();
  copyFileSync(busybox, join(root, 'bin/busybox'));
  const present = modules.filter((module) => existsSync(join(kernelFolder, module)));
  for (const module of present) copyFileSync(join(kernelFolder, module), join(root, 'lib', module));
  writeFileSync(
    join(root, 'init'),
    `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/ PS1='guest# '
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in ${present.join(' ')}; do insmod /lib/$module; done
stty -F /dev/${tty} cols 1000
echo GUEST-READY
exec setsid cttyhack sh
`,
  );
  chmodSync(join(root, 'init'), 0o755);
  execFileSync('sh', ['-c', 'find . | cpio -o -H newc --quiet -R 0:0 > "$1"', 'sh', path], { cwd: root });
  rmSync(root, { recursive: true });
}
