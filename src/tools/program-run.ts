import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import type { ProgramSource } from '../machine/program.ts';
import { parseBytes } from './console/parse-bytes.ts';
import { programFile } from './debug/program-file.ts';
import { defineTool } from './tool.ts';

export const programRun = defineTool({
  name: 'program_run',
  title: 'Load and run a program',
  description:
    'Load a program and start it: a file ("path"), assembler or BASIC text ("source"), or hex bytes. ' +
    'Example: {"source":"* = $c000\\n inc $d020\\n jmp $c000"}.',
  toolset: 'screen',
  needs: ['program', 'addresses'],
  effect: 'change',
  input: z.object({
    path: z.string().optional().describe('File below an allowed path'),
    source: z.string().max(500_000).optional(),
    bytes: z.string().max(300_000).optional().describe('Hex'),
    language: z.enum(['asm', 'basic']).default('asm'),
    start: z.boolean().default(true),
  }),
  async run({ program, addresses, control }, { path, source, bytes, language, start }, { rack, signal }) {
    const given = [path, source, bytes].filter((each) => each !== undefined);
    if (given.length !== 1) {
      throw new MachineError('INVALID_ARGUMENT', 'Give exactly one program.', 'Use path, source or bytes.');
    }
    const load = async () =>
      program.load(
        path !== undefined
          ? await programFile(path, rack.files)
          : source !== undefined
            ? { format: language, bytes: new TextEncoder().encode(source), name: `source.${language}` }
            : bytesProgram(program.formats, bytes ?? ''),
        start,
        signal,
      );
    const loaded = await (start && control?.interlude ? control.interlude(load) : load());
    const { firstAddress, lastAddress, startAddress } = loaded;
    const placed = firstAddress !== undefined && lastAddress !== undefined;
    const range = placed ? `loaded ${addresses.format(firstAddress)}-${addresses.format(lastAddress)}` : 'stored';
    const started = startAddress === undefined ? '' : `, start ${addresses.format(startAddress)}`;
    return { text: [`${range}${started}`, ...loaded.notes].join('\n'), data: { ...loaded } };
  },
});

function bytesProgram([bare = 'prg']: readonly string[], bytes: string): ProgramSource {
  return { format: bare, bytes: parseBytes(bytes), name: `bytes.${bare}` };
}
