import type { BootLog } from '../../machine/boot.ts';
import { MachineError } from '../../machine/errors.ts';
import type { TimeSlice } from '../../machines/shared/time-slice.ts';
import { compilePattern } from '../console/expect.ts';
import { patternOf } from '../console/pattern-argument.ts';
import type { PatternSearch } from '../console/pattern-search.ts';
import { RollingText } from '../console/rolling-text.ts';
import { StripStream } from '../console/strip-stream.ts';
import { count, counted } from '../debug/code-place.ts';

/** A phase begins with the first line that has its mark. */
export interface Mark {
  readonly name: string;
  readonly search: PatternSearch;
}

export interface Phase {
  readonly name: string;
  readonly console: string;
  readonly line: string;
  readonly guestMs: number;
  readonly hostMs: number;
  /** The kernel's own clock, where its line has one. */
  readonly kernelMs?: number | undefined;
  /** Until the next phase, by the guest's clock. */
  readonly tookMs?: number | undefined;
  /** That had run when it began, where they are counted. */
  readonly instructions?: number | undefined;
  /** Of it alone. */
  readonly tookInstructions?: number | undefined;
}

const usual: Readonly<Record<string, string>> = {
  firmware: String.raw`/SeaBIOS|OpenSBI v\d|U-Boot \d|BdsDxe|UEFI (?:firmware|Interactive)|iPXE/`,
  loader: '/GNU GRUB|Booting from|Loading Linux|Loading kernel|Starting kernel|EFI stub/',
  kernel: String.raw`/Linux version \d|Booting Linux on|Decompressing Linux|Xen version \d/`,
  kernel_done: '/Freeing unused kernel/',
  init: String.raw`/Run \S+ as init process|systemd\[1\]: |INIT: version|OpenRC \d/`,
  prompt: String.raw`/login: *$|^\S*[#$] $|^=> $/`,
};
const kernelClock = /^\[ *(\d{1,8}\.\d{1,9})\]/;
const markForm = /^([\w .-]{1,40})=(.+)$/s;

/** `kernel=Linux version`, with a text or a `/regex/`; the usual ones of firmware and Linux if none are given. */
export async function marksOf(given: readonly string[] | undefined, slice: TimeSlice): Promise<readonly Mark[]> {
  const wanted = given?.map(nameAndPattern) ?? Object.entries(usual);
  const marks: Mark[] = [];
  for (const [name, pattern] of wanted) {
    marks.push({ name, search: await compilePattern(patternOf(pattern)) });
    if (slice.isOver) await slice.next();
  }
  return marks;
}

function nameAndPattern(mark: string): readonly [string, string] {
  const [, name, pattern] = markForm.exec(mark) ?? [];
  if (name !== undefined && pattern !== undefined) return [name, pattern];
  throw new MachineError(
    'INVALID_ARGUMENT',
    `A mark has a name and a text: ${JSON.stringify(mark.slice(0, 60))} has no name.`,
    'Write "kernel=Linux version" or "shell=/[#$] $/".',
  );
}

/** Those that were reached, in the order of time. */
export async function phasesOf(
  { lines }: BootLog,
  marks: readonly Mark[],
  slice: TimeSlice,
): Promise<readonly Phase[]> {
  const missing = new Set(marks);
  const found: Phase[] = [];
  for (const { console, bytes, guestMs, hostMs, instructions } of lines) {
    if (missing.size === 0) break;
    const line = plain(bytes);
    const text = new RollingText();
    text.push(line);
    for (const mark of missing) {
      if (slice.isOver) await slice.next();
      if (!mark.search.find(text, 0)) continue;
      missing.delete(mark);
      const kernel = kernelClock.exec(line)?.[1];
      const kernelMs = kernel === undefined ? undefined : Number(kernel) * 1000;
      found.push({ name: mark.name, console, line, guestMs, hostMs, kernelMs, instructions });
    }
  }
  return found.map((phase, n) => {
    const next = found[n + 1];
    const isCounted = next?.instructions !== undefined && phase.instructions !== undefined;
    return {
      ...phase,
      tookMs: next && next.guestMs - phase.guestMs,
      ...(isCounted && { tookInstructions: next.instructions - phase.instructions }),
    };
  });
}

function plain(bytes: Uint8Array): string {
  const strip = new StripStream(0);
  const text = strip.push(bytes);
  return (text + strip.end(true).text).replaceAll('\n', ' ');
}

/** `kernel: at 1.204 s (1.310 s on the wall, 0.000 s by the kernel's clock), took 0.900 s` */
export function showPhase({ name, guestMs, hostMs, kernelMs, tookMs, tookInstructions }: Phase): string {
  const kernel = kernelMs === undefined ? '' : `, ${seconds(kernelMs)} by the kernel's clock`;
  const work = tookInstructions === undefined ? '' : ` and ${counted(tookInstructions, 'instruction')}`;
  const took = tookMs === undefined ? '' : `, took ${seconds(tookMs)}${work}`;
  return `${name}: at ${seconds(guestMs)} (${seconds(hostMs)} on the wall${kernel})${took}`;
}

/** `kernel: at 1.204 s and 1.804 s (+0.600 s), took 0.900 s and 0.700 s (-0.200 s)` */
export function showPair(here: Phase, there: Phase): string {
  const took =
    here.tookMs === undefined || there.tookMs === undefined ? '' : `, took ${pair(here.tookMs, there.tookMs)}`;
  const [before, after] = [here.tookInstructions, there.tookInstructions];
  const work =
    before === undefined || after === undefined
      ? ''
      : `, ${count(before)} and ${count(after)} instructions (${after < before ? '-' : '+'}${count(Math.abs(after - before))})`;
  return `${here.name}: at ${pair(here.guestMs, there.guestMs)}${took}${work}`;
}

function pair(here: number, there: number): string {
  return `${seconds(here)} and ${seconds(there)} (${there < here ? '-' : '+'}${seconds(Math.abs(there - here))})`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(3)} s`;
}
