import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { debianKernel, type KernelFlavour, modulesOf } from '../debian-kernel.ts';
import { debianFiles, ownArchitecture } from '../debian-package.ts';
import { makeInitrd } from '../linux-initrd.ts';
import type { Vm } from './vm.ts';

const bootMs = 400_000;
/** For what boots a guest and then does more with it. */
export const withBootMs = 600_000;

const guests = {
  aarch64: { debian: 'arm64', tty: 'ttyAMA0' },
  x86_64: { debian: 'amd64', tty: 'ttyS0' },
} as const;

type GuestArch = keyof typeof guests;

/** Options of kind `qemu`. */
interface LinuxGuest extends Readonly<Record<string, unknown>> {
  readonly arch: GuestArch;
  readonly memory: number;
  readonly kernel: string;
  readonly initrd: string;
  readonly append: string;
}

interface GuestWishes {
  /** The computer's own unless told. */
  readonly arch?: GuestArch;
  /** The small one unless told. */
  readonly flavour?: KernelFlavour;
  /** For a name and a password, instead of a shell at once. */
  readonly asks?: boolean;
  /** With the driver of virtiofs. */
  readonly virtiofs?: boolean;
  /** A program of a package, with the libraries that this computer has for it; the guest must be of the same architecture. */
  readonly program?: { readonly package: string; readonly path: string };
}

/**
 * Options that boot Debian's kernel with busybox, the drivers for what QEMU has and a program that waits for the power
 * button; the prompt is `guest# `.
 */
export function linuxGuest(initrd: string, wishes: GuestWishes = {}): LinuxGuest {
  const {
    arch = ownArchitecture === 'amd64' ? 'x86_64' : 'aarch64',
    flavour = 'cloud-',
    asks = false,
    virtiofs = false,
    program,
  } = wishes;
  const { debian, tty } = guests[arch];
  const kernel = debianKernel(debian, flavour);
  const busybox = debianFiles('busybox-static', debian, (path) =>
    /(?:^|\/)bin\/busybox$/.test(path) ? 'busybox' : undefined,
  );
  const modules = modulesOf(kernel)
    .filter((module) => virtiofs || !/^(?:fuse|virtiofs)\.ko$/.test(module))
    .map((module) => join(kernel, module));
  makeInitrd(initrd, {
    busybox: join(busybox, 'busybox'),
    modules,
    tty,
    asks,
    files: program && withLibraries(program),
  });
  const quiet = 'quiet panic=-1 mitigations=off nokaslr no_timer_check cryptomgr.notests';
  const append = `console=${tty},115200 ${quiet}`;
  return { arch, memory: 256, kernel: join(kernel, 'vmlinuz'), initrd, append, gpu: 'none' };
}

function withLibraries({ package: name, path }: { readonly package: string; readonly path: string }) {
  const folder = debianFiles(name, ownArchitecture, (file) => (file === path ? basename(path) : undefined));
  const program = join(folder, basename(path));
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' });
  const libraries = [...listed.matchAll(/(?:=> |^\s+)(\/\S+)/gm)].map(([, library = '']) => library);
  return new Map([[path, program], ...libraries.map((library): [string, string] => [library, library])]);
}

/** The output of a command at the prompt, and its exit code. */
/** Software that emulates a processor needs a minute for it, and on a busy computer several. */
export async function untilBooted(vm: Vm): Promise<void> {
  await vm.printed(/GUEST-READY[\s\S]*guest# /, { timeoutMs: bootMs });
}

export async function shell(vm: Vm, command: string, timeoutMs = 90_000): Promise<{ output: string; code: number }> {
  // With the prompt after it: what is typed before that comes back twice.
  const answer = await vm.ask(`${command}; echo "<""$?"">"`, /<\d+>\s+guest# /, timeoutMs);
  const [, output = '', code] = /\n([\s\S]*?)<(\d+)>/.exec(answer) ?? [];
  return { output: output.replaceAll('\r\n', '\n').trim(), code: Number(code) };
}
