import { z } from 'zod';
import { hex } from '../formats/hex.ts';
import { MachineError } from '../machine/errors.ts';
import type { ProgramSource } from '../machine/program.ts';
import type { TwinDifference, TwinReport } from '../machine/twin.ts';
import { parseBytes } from './console/parse-bytes.ts';
import { counted } from './debug/code-place.ts';
import { programFile } from './debug/program-file.ts';
import { defineTool } from './tool.ts';

const what = ['picture', 'memory', 'processor'] as const;
const wallMs = 40_000;
const range = /^\$?([0-9a-f]{1,4})(?:-\$?([0-9a-f]{1,4}))?$/i;

const input = z.object({
  path: z.string().optional(),
  source: z.string().max(500_000).optional(),
  bytes: z.string().max(300_000).optional().describe('Hex'),
  language: z.enum(['asm', 'basic']).default('asm'),
  frames: z.number().int().min(1).max(5000).default(250),
  compare: z
    .array(z.enum(what))
    .min(1)
    .max(3)
    .default([...what]),
  ignore: z.array(z.string().regex(range)).max(50).default([]).describe('Addresses that may differ: "$a0-$a2"'),
});

export const programCompare = defineTool({
  name: 'program_compare',
  title: 'Compare VICE and the built-in machine',
  description:
    'Run a program from power-up on a real VICE (x64sc, xvic, xplus4) and on a built-in c64, vic20 or plus4 beside it, in the same cycle (xplus4: nearly), and ' +
    'find the first frame and instruction where they differ. Without a program: continue after the last call.',
  toolset: 'timing',
  needs: ['twin'],
  effect: 'change',
  input,

  async run(machine, asked, { rack, signal }) {
    const { path, source, bytes, language, frames, compare, ignore } = asked;
    if ([path, source, bytes].filter((each) => each !== undefined).length > 1) {
      throw new MachineError('INVALID_ARGUMENT', 'Give one program.', 'Use path, source or bytes.');
    }
    const program: ProgramSource | undefined =
      path !== undefined
        ? await programFile(path, rack.files)
        : source !== undefined
          ? { format: language, bytes: new TextEncoder().encode(source), name: `source.${language}` }
          : bytes !== undefined
            ? { format: 'prg', bytes: parseBytes(bytes), name: 'bytes.prg' }
            : undefined;
    const report = await machine.twin.compare(
      {
        ...(program && { program }),
        frames,
        picture: compare.includes('picture'),
        memory: compare.includes('memory'),
        processor: compare.includes('processor'),
        ignored: ignore.map(rangeOf),
        wallMs,
      },
      signal,
    );
    return { text: describe(report, machine.twin.kind).join('\n'), data: { ...report } };
  },
});

function rangeOf(text: string): { readonly first: number; readonly last: number } {
  const [, first = '0', last = first] = range.exec(text) ?? [];
  return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) };
}

function describe({ frame, ended, difference, notes }: TwinReport, kind: string): readonly string[] {
  const head = difference
    ? `DIFFERENT in frame ${difference.frame} of the program`
    : `the same in ${frame} frames of the program${ended === undefined ? '' : `; ${ended}`}`;
  return [head, ...(difference ? describeDifference(difference, kind) : []), ...notes];
}

function describeDifference(
  { pixels, pixel, bytes, cells, instruction }: TwinDifference,
  kind: string,
): readonly string[] {
  const lines: string[] = [];
  if (pixel) {
    const { x, y, line, cycle, ours, theirs } = pixel;
    lines.push(
      `${counted(pixels, 'pixel')}, the first at ${x},${y} (line ${line}, cycle ${cycle}): colour ${theirs} in VICE, ${ours} in ${kind}`,
    );
  }
  if (bytes > 0) {
    const shown = cells.map(({ address, ours, theirs }) => `$${hex(address, 4)} ${hex(theirs, 2)} ${hex(ours, 2)}`);
    const more = bytes > cells.length ? `, and ${bytes - cells.length} more` : '';
    lines.push(`${counted(bytes, 'byte')} of RAM (address, VICE, ${kind}): ${shown.join(', ')}${more}`);
  }
  if (!instruction) return lines;
  const { time, line, cycle, ours, theirs, before } = instruction;
  return [
    ...lines,
    `first in cycle ${time.toLocaleString('en-US')} (line ${line}, cycle ${cycle}), before:`,
    `  VICE  ${theirs}`,
    `  ${kind.padEnd(4)}  ${ours}`,
    'both did before it:',
    ...before.map((each) => `  ${each}`),
  ];
}
