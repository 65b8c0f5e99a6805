import type { DebuggedMachine } from '../debugged-machine.ts';

interface Lines {
  readonly count: number;
  /** Of the chip's own count, the one with which the picture begins. */
  readonly first: number;
}

/** A TED begins its count within the picture, and VICE counts lines of the picture there. By VICE's number of the TV standard. */
const tedLines: Readonly<Record<number, Lines>> = { 1: { count: 312, first: 257 }, 2: { count: 262, first: 229 } };
const tedKinds = ['plus4', 'c16'];

/** Undefined where VICE counts lines as the chip does. */
async function linesOf(machine: DebuggedMachine): Promise<Lines | undefined> {
  if (!tedKinds.includes(machine.summary?.kind ?? '')) return undefined;
  const { resources } = await machine.call('config_read');
  const all = resources as readonly { readonly name: string; readonly value: unknown }[];
  return tedLines[Number(all.find(({ name }) => name === 'MachineVideoStandard')?.value)];
}

/** The chip's line as VICE's monitor counts it. */
export async function pictureLine(machine: DebuggedMachine, line: number): Promise<number> {
  const { count, first } = (await linesOf(machine)) ?? { count: Number.POSITIVE_INFINITY, first: 0 };
  return line < first ? line + count - first : line - first;
}

/** The same in the machines' language of conditions. */
export async function pictureLineWord(machine: DebuggedMachine): Promise<string> {
  const lines = await linesOf(machine);
  if (!lines) return 'raster_line';
  const { count, first } = lines;
  return `((raster_line + ${count - first}) - ((raster_line >= ${first}) * ${count}))`;
}
