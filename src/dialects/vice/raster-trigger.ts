import { MachineError } from '../../machine/errors.ts';

interface RasterRange {
  readonly line?: number | undefined;
  readonly line_start?: number | undefined;
  readonly line_end?: number | undefined;
  readonly break_on_each?: boolean | undefined;
}

/** One line, or a range of them. */
export function rasterTrigger({ line, line_start, line_end, break_on_each = false }: RasterRange) {
  const [first, last] = line === undefined ? [line_start, line_end] : [line, line];
  const isBoth = line !== undefined && (line_start !== undefined || line_end !== undefined);
  if (first !== undefined && last !== undefined && last < first) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      `The last line, ${last}, is before the first, ${first}.`,
      'For a range over the end of the frame set two breakpoints, or combine them with vice.breakpoints.composite and OR.',
    );
  }
  if (first === undefined || last === undefined || isBoth) {
    throw new MachineError(
      'INVALID_ARGUMENT',
      'A raster breakpoint has a line, or a first and a last one.',
      'Give "line", or "line_start" and "line_end".',
    );
  }
  return { type: 'raster', line: first, last_line: last, ...(break_on_each && { each: true }) };
}
