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
import { join, resolve } from 'node:path';

/** What differs between the computers that the tests run on: the guest is of the same kind. */
const machines = {
  arm64: {
    program: 'qemu-system-aarch64',
    kernelPackage: 'linux-image-cloud-arm64',
    args: ['-M', 'virt', '-cpu', 'cortex-a57'],
    tty: 'ttyAMA0',
  },
  x64: {
    program: 'qemu-system-x86_64',
    kernelPackage: 'linux-image-cloud-amd64',
    args: ['-M', 'pc', '-cpu', 'max'],
    tty: 'ttyS0',
  },
} as const;

const cache = resolve('.cache/guests');
export const password = 'secret';

/** A Linux that asks for a name and a password, made of Debian's kernel and busybox: how to start it under QEMU. */
export function linuxImage(): { readonly program: string; readonly args: readonly string[] } {
  const architecture = process.arch === 'x64' ? 'x64' : 'arm64';
  const { program, kernelPackage, args, tty } = machines[architecture];
  const kernel = cachedKernel(kernelPackage);
  const initrd = join(cache, `initrd-${process.pid}.cpio`);
  makeInitrd(initrd, tty);
  const quiet = 'quiet panic=-1 mitigations=off nokaslr no_timer_check cryptomgr.notests';
  const append = `console=${tty},115200 ${quiet}`;
  return { program, args: [...args, '-m', '256', '-kernel', kernel, '-initrd', initrd, '-append', append] };
}

function cachedKernel(metaPackage: string): string {
  const kernel = join(cache, `vmlinuz-${metaPackage}`);
  if (existsSync(kernel)) return kernel;
  const work = join(cache, `download-${process.pid}`);
  mkdirSync(work, { recursive: true });
  const name = kernelBehind(metaPackage) ?? kernelBehind(metaPackage, true);
  if (name === undefined) throw new Error(`apt knows no kernel behind ${metaPackage}`);
  const asUser = ['-o', `APT::Sandbox::User=${userInfo().username}`];
  execFileSync('apt-get', ['-q', ...asUser, 'download', name], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  const [file = ''] = readdirSync(work);
  execFileSync('dpkg', ['-x', join(work, file), join(work, 'root')]);
  const boot = join(work, 'root', 'boot');
  const image = readdirSync(boot).find((each) => each.startsWith('vmlinuz')) ?? '';
  // At once, so that a download that was cut short is never taken for a kernel.
  renameSync(join(boot, image), kernel);
  rmSync(work, { recursive: true });
  return kernel;
}

function kernelBehind(metaPackage: string, updateFirst = false): string | undefined {
  if (updateFirst) execFileSync('apt-get', ['-q', 'update'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { stdout } = spawnSync('apt-cache', ['depends', metaPackage], { encoding: 'utf8' });
  return /Depends: (linux-image-\S+)/.exec(stdout)?.[1];
}

function makeInitrd(path: string, tty: string): void {
  const root = join(cache, `root-${process.pid}`);
  for (const folder of ['bin', 'proc', 'sys', 'dev', 'etc', 'tmp', 'root']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  copyFileSync(
    execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim(),
    join(root, 'bin/busybox'),
  );
  const hash = execFileSync('busybox', ['mkpasswd', '-m', 'sha256', '-S', 'saltsalt', password], { encoding: 'utf8' });
  writeFileSync(join(root, 'etc/passwd'), `root:${hash.trim()}:0:0:root:/root:/bin/sh\n`);
  writeFileSync(join(root, 'etc/profile'), "export PS1='guest# '\n");
  writeFileSync(
    join(root, 'init'),
    `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/root
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
hostname guest
while :; do setsid getty -L 115200 ${tty} vt100; done
`,
  );
  chmodSync(join(root, 'init'), 0o755);
  execFileSync('sh', ['-c', 'find . | cpio -o -H newc --quiet -R 0:0 > "$1"', 'sh', path], { cwd: root });
  rmSync(root, { recursive: true });
}
