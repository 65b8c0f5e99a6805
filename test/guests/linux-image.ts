import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { debianKernel } from '../debian-kernel.ts';
import { guestCache, ownArchitecture } from '../debian-package.ts';

/** What differs between the computers that the tests run on: the guest is of the same kind. */
const machines = {
  arm64: {
    program: 'qemu-system-aarch64',
    args: ['-M', 'virt', '-cpu', 'cortex-a57'],
    tty: 'ttyAMA0',
  },
  amd64: {
    program: 'qemu-system-x86_64',
    args: ['-M', 'pc', '-cpu', 'max'],
    tty: 'ttyS0',
  },
} as const;

export const password = 'secret';

/** A Linux that asks for a name and a password, made of Debian's kernel and busybox: how to start it under QEMU. */
export function linuxImage(): { readonly program: string; readonly args: readonly string[] } {
  const { program, args, tty } = machines[ownArchitecture];
  const kernel = join(debianKernel(ownArchitecture, 'cloud-'), 'vmlinuz');
  const initrd = join(guestCache, `initrd-${process.pid}.cpio`);
  makeInitrd(initrd, tty);
  const quiet = 'quiet panic=-1 mitigations=off nokaslr no_timer_check cryptomgr.notests';
  const append = `console=${tty},115200 ${quiet}`;
  return { program, args: [...args, '-m', '256', '-kernel', kernel, '-initrd', initrd, '-append', append] };
}

function makeInitrd(path: string, tty: string): void {
  const root = join(guestCache, `root-${process.pid}`);
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
