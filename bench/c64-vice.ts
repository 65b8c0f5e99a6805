import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What x64sc is to run: a program at an address, a disk in its drive, or a drive less. */
export interface ViceTask {
  readonly program?: { readonly origin: number; readonly bytes: Uint8Array };
  readonly disk?: Uint8Array;
  readonly withoutDrive?: boolean;
}

/** The difference of two runs leaves out what starting costs; a program has to be running by the end of the short one. */
const cyclesOf = (task: ViceTask) =>
  task.program ? { short: 6_000_000, long: 14_000_000 } : { short: 2_000_000, long: 12_000_000 };

/** Cycles per second of processor time. */
export function viceRate(roms: string, task: ViceTask): number {
  const { short, long } = cyclesOf(task);
  const folder = mkdtempSync(join(tmpdir(), 'fp-bench-'));
  try {
    const args = argumentsOf(folder, task);
    return (long - short) / (viceSeconds(roms, long, args) - viceSeconds(roms, short, args));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function hasVice(roms: string): boolean {
  return viceSeconds(roms, 2_000_000, []) > 0;
}

function argumentsOf(folder: string, { program, disk, withoutDrive }: ViceTask): string[] {
  const args = withoutDrive ? ['-drive8type', '0'] : [];
  if (disk) {
    writeFileSync(join(folder, 'disk.d64'), disk);
    args.push('-8', join(folder, 'disk.d64'));
  }
  if (program) {
    writeFileSync(join(folder, 'program.prg'), startedFromBasic(program));
    args.push('-autostartprgmode', '1', '-autostart', join(folder, 'program.prg'));
  }
  return args;
}

/** One file from the start of BASIC to the end of the program, with a line that calls it. */
function startedFromBasic({ origin, bytes }: { readonly origin: number; readonly bytes: Uint8Array }): Uint8Array {
  const start = 0x0801;
  const file = new Uint8Array(2 + origin - start + bytes.length);
  const digits = [...String(origin)].map((digit) => digit.charCodeAt(0));
  file.set([start & 255, start >> 8, 0x0b, 0x08, 10, 0, 0x9e, ...digits, 0, 0, 0]);
  file.set(bytes, 2 + origin - start);
  return file;
}

/** Processor time of x64sc for so many cycles; NaN when it cannot be run. */
function viceSeconds(roms: string, cycles: number, more: readonly string[]): number {
  const folders = roms
    .split(',')
    .flatMap((folder) => ['', 'C64', 'DRIVES', 'common', '../DRIVES'].map((name) => join(folder, name)));
  const args = ['-default', '-console', '-directory', folders.join(':'), '-warp', '+sound', ...more];
  const words = ['x64sc', ...args, '-limitcycles', String(cycles)];
  const script = `${words.map((word) => `'${word}'`).join(' ')} >/dev/null 2>&1; times`;
  const done = spawnSync('sh', ['-c', script], { encoding: 'utf8', timeout: 120_000 });
  const children = done.stdout.trim().split('\n')[1];
  const [user = Number.NaN, system = Number.NaN] = (children ?? '').split(' ').map(secondsOf);
  return user + system > 0.2 ? user + system : Number.NaN;
}

/** `0m1.23s` */
function secondsOf(text: string): number {
  const [, minutes = '', seconds = ''] = /(\d+)m([\d.]+)s/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
