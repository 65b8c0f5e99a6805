import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const kernelFolder: string = import.meta.dirname;
export const kernelSources = ['boot.s', 'kernel.c', 'kernel.ld'] as const;

/** As the compiler is called on a PC, and that for PCs elsewhere. */
const compiler = 'x86_64-linux-gnu-gcc';
const options = [
  ...['-g', '-O0', '-fno-omit-frame-pointer', '-ffreestanding', '-fno-pic', '-fno-stack-protector'],
  ...['-mno-red-zone', '-mgeneral-regs-only', '-nostdlib', '-static', '-no-pie', '-Wno-infinite-recursion'],
  ...['-Wl,-T,kernel.ld', '-Wl,--build-id=none', '-Wl,--no-warn-rwx-segments'],
];

let built: string | undefined;

/** Builds the kernel of this folder; the file is an ELF with its symbols and debug information. */
export function buildKernel(...more: readonly string[]): string {
  if (built !== undefined && more.length === 0) return built;
  const file = join(mkdtempSync(join(tmpdir(), 'fp-kernel-')), 'kernel.elf');
  buildKernelIn(kernelFolder, file, ...more);
  if (more.length === 0) built = file;
  return file;
}

/** Builds it from the sources in a folder, which is where debuggers look for them. */
export function buildKernelIn(folder: string, file: string, ...more: readonly string[]): void {
  execFileSync(compiler, [...options, ...more, '-o', file, 'boot.s', 'kernel.c'], { cwd: folder, stdio: 'pipe' });
}
