import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { debianKernel, type KernelFlavour, modulesOf } from '../debian-kernel.ts';
import { debianFiles, ownArchitecture } from '../debian-package.ts';
import type { Vm } from './vm.ts';

const guests = {
  aarch64: { debian: 'arm64', tty: 'ttyAMA0' },
  x86_64: { debian: 'amd64', tty: 'ttyS0' },
} as const;

type GuestArch = keyof typeof guests;

/** The button leads to this: what it does shows on the console and on the first disk, if there is one. */
const powerDown = `#!/bin/sh
echo "GOING DOWN" > /dev/console
if [ -b /dev/vda ]; then echo farewell > /dev/vda; sync; fi
poweroff -f
`;

interface GuestWishes {
  /** The computer's own unless told. */
  readonly arch?: GuestArch;
  readonly flavour?: KernelFlavour;
}

/**
 * Options that boot Debian's kernel with busybox, the drivers for what QEMU has and a program that waits for the power
 * button; the prompt is `guest# `.
 */
export function linuxGuest(initrd: string, wishes: GuestWishes = {}): Record<string, unknown> {
  const { arch = ownArchitecture === 'amd64' ? 'x86_64' : 'aarch64', flavour = '' } = wishes;
  const { debian, tty } = guests[arch];
  const kernel = debianKernel(debian, flavour);
  const busybox = debianFiles('busybox-static', debian, (path) =>
    /(?:^|\/)bin\/busybox$/.test(path) ? 'busybox' : undefined,
  );
  makeInitrd(initrd, kernel, join(busybox, 'busybox'), tty);
  const quiet = 'quiet panic=-1 mitigations=off nokaslr no_timer_check cryptomgr.notests';
  const append = `console=${tty},115200 ${quiet}`;
  return { arch, memory: 256, kernel: join(kernel, 'vmlinuz'), initrd, append, gpu: 'none' };
}

/** The output of a command at the prompt, and its exit code. */
export async function shell(vm: Vm, command: string, timeoutMs = 25_000): Promise<{ output: string; code: number }> {
  // With the prompt behind it: what is typed before that comes back twice.
  const answer = await vm.ask(`${command}; echo "<""$?"">"`, /<\d+>\s+guest# /, timeoutMs);
  const [, output = '', code] = /\n([\s\S]*?)<(\d+)>/.exec(answer) ?? [];
  return { output: output.replaceAll('\r\n', '\n').trim(), code: Number(code) };
}

function makeInitrd(path: string, kernelFolder: string, busybox: string, tty: string): void {
  const root = `${path}.root`;
  for (const folder of ['bin', 'proc', 'sys', 'dev', 'etc/acpi/PWRF', 'tmp', 'lib', 'mnt'])
    mkdirSync(join(root, folder), { recursive: true });
  copyFileSync(busybox, join(root, 'bin/busybox'));
  const present = modulesOf(kernelFolder);
  for (const module of present) copyFileSync(join(kernelFolder, module), join(root, 'lib', module));
  // The name that busybox gives to a pressed power button.
  const action = join(root, 'etc/acpi/PWRF/00000080');
  writeFileSync(action, powerDown);
  const init = join(root, 'init');
  writeFileSync(
    init,
    `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/ PS1='guest# '
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in ${present.join(' ')}; do insmod /lib/$module; done
stty -F /dev/${tty} cols 1000
acpid -l /tmp/acpid.log
echo GUEST-READY
exec setsid cttyhack sh
`,
  );
  for (const program of [init, action]) chmodSync(program, 0o755);
  execFileSync('sh', ['-c', 'find . | cpio -o -H newc --quiet -R 0:0 > "$1"', 'sh', path], { cwd: root });
  rmSync(root, { recursive: true });
}
