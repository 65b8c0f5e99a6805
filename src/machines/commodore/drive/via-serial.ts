import { attentionLine, clockLine, dataLine } from './bus-lines.ts';
import type { DriveUnit } from './drive-state.ts';

/** Port B of the VIA of a 1541 or 1571 that is wired to the serial bus: its number, and the lines, which arrive inverted. */
export function portOfLines(unit: DriveUnit, lines: number): number {
  const isLow = (line: number) => (lines & line) === 0;
  return (
    0x1a |
    ((unit - 8) << 5) |
    (isLow(dataLine) ? 1 : 0) |
    (isLow(clockLine) ? 4 : 0) |
    (isLow(attentionLine) ? 0x80 : 0)
  );
}

/**
 * The lines that this port pulls low: a pin that is an input floats high, which does that too. A gate pulls data as long as
 * attention is not answered with ATNA.
 */
export function linesPulled(out: number, lines: number): number {
  const attention = (lines & attentionLine) === 0;
  const isUnanswered = attention !== ((out & 0x10) !== 0);
  return ((out & 8) !== 0 ? clockLine : 0) | ((out & 2) !== 0 || isUnanswered ? dataLine : 0);
}
