import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Of root, where a name is asked for. */
export const password = 'secret';

/** The button leads to this: what it does shows on the console and on the first disk, if there is one. */
const powerDown = `#!/bin/sh
echo "GOING DOWN" > /dev/console
if [ -b /dev/vda ]; then echo farewell > /dev/vda; sync; fi
poweroff -f
`;

/** How a system with busybox begins. */
export interface InitrdWishes {
  readonly busybox: string;
  /** Files, in the order in which they are loaded. */
  readonly modules: readonly string[];
  readonly tty: string;
  /** What the console shows: a shell of root's, or the question for a name and a password. */
  readonly asks: boolean;
  /** More files, by their paths in the guest. */
  readonly files?: ReadonlyMap<string, string> | undefined;
}

/** An initial file system whose prompt is `guest# `, with a program that waits for the power button. */
export function makeInitrd(path: string, { busybox, modules, tty, asks, files = new Map() }: InitrdWishes): void {
  const root = `${path}.root`;
  const put = (file: string, text: string, mode = 0o644) => {
    writeFileSync(join(root, file), text);
    chmodSync(join(root, file), mode);
  };
  for (const folder of ['bin', 'proc', 'sys', 'dev', 'etc/acpi/PWRF', 'tmp', 'lib', 'mnt', 'root'])
    mkdirSync(join(root, folder), { recursive: true });
  copyFileSync(busybox, join(root, 'bin/busybox'));
  for (const module of modules) copyFileSync(module, join(root, 'lib', basename(module)));
  for (const [path, source] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(source, join(root, path));
  }
  // The name that busybox gives to a pressed power button.
  put('etc/acpi/PWRF/00000080', powerDown, 0o755);
  const hash = execFileSync('busybox', ['mkpasswd', '-m', 'sha256', '-S', 'saltsalt', password], { encoding: 'utf8' });
  put('etc/passwd', `root:${hash.trim()}:0:0:root:/root:/bin/sh\n`);
  put('etc/profile', "export PS1='guest# '\n");
  put(
    'init',
    `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/ PS1='guest# '
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in ${modules.map((module) => basename(module)).join(' ')}; do insmod /lib/$module; done
hostname guest
stty -F /dev/${tty} cols 1000
acpid -l /tmp/acpid.log
echo GUEST-READY
${asks ? `while :; do setsid getty -L 115200 ${tty} vt100; done` : 'exec setsid cttyhack sh'}
`,
    0o755,
  );
  execFileSync('sh', ['-c', 'find . | cpio -o -H newc --quiet -R 0:0 > "$1"', 'sh', path], { cwd: root });
  rmSync(root, { recursive: true });
}
