import type { AddressCapability } from '../../machine/addresses.ts';
import type { CoveredPiece } from '../../machine/coverage.ts';
import type { TimeSlice } from '../../machines/shared/time-slice.ts';
import { count } from './code-place.ts';

/** The lines of one source file that ran. */
export interface CoveredFile {
  readonly file: string;
  readonly lines: readonly number[];
  /** Lines with code that did not run, where the debug file lists them. */
  readonly missed?: readonly number[] | undefined;
}

/** By source file, those with most lines first. */
export async function byFile(
  pieces: readonly CoveredPiece[],
  { source }: AddressCapability,
  slice: TimeSlice,
): Promise<readonly CoveredFile[]> {
  const files = new Map<string, Set<number>>();
  for (const { address } of pieces) {
    const place = source?.(address);
    if (place) {
      const lines = files.get(place.file) ?? new Set();
      files.set(place.file, lines);
      lines.add(place.line);
    }
    if (slice.isOver) await slice.next();
  }
  return Array.from(files, ([file, lines]) => ({ file, lines: [...lines].sort((a, b) => a - b) })).sort(
    (a, b) => b.lines.length - a.lines.length,
  );
}

/** With the lines that did not run. */
export function withMissed({ file, lines }: CoveredFile, { codeLines }: AddressCapability): CoveredFile {
  const all = codeLines?.(file);
  if (!all) return { file, lines };
  const ran = new Set(lines);
  return { file, lines, missed: all.filter((line) => !ran.has(line)) };
}

/** `kernel.c: 7 of 9 lines ran: 41-44, 50, 60-61; not 45, 52` */
export function showFile({ file, lines, missed }: CoveredFile): string {
  const of = missed ? ` of ${count(lines.length + missed.length)}` : '';
  const not = missed && missed.length > 0 ? `; not ${showLines(missed)}` : '';
  return `${file}: ${count(lines.length)}${of} lines ran: ${showLines(lines)}${not}`;
}

const mostRanges = 40;

function showLines(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && line === last[1] + 1) last[1] = line;
    else ranges.push([line, line]);
  }
  const shown = ranges.slice(0, mostRanges).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  const left = ranges.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}
