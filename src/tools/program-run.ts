import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import { parseBytes } from './console/parse-bytes.ts';
import { fileLimits } from './file-limits.ts';
import { defineTool } from './tool.ts';

export const programRun = defineTool({
  name: 'program_run',
  title: 'Load and run a program',
  description:
    'Load a program and start it: a file ("path"), assembler or BASIC text ("source"), or hex bytes. ' +
    'Example: {"source":"* = $c000\\n inc $d020\\n jmp $c000"}.',
  toolset: 'core',
  needs: ['program', 'addresses'],
  effect: 'change',
  input: z.object({
    path: z.string().optional().describe('File below an allowed path'),
    source: z.string().max(500_000).optional(),
    bytes: z.string().max(300_000).optional().describe('Hex'),
    language: z.enum(['asm', 'basic']).default('asm'),
    start: z.boolean().default(true),
  }),
  async run({ program, addresses }, { path, source, bytes, language, start }, { rack, signal }) {
    const given = [path, source, bytes].filter((each) => each !== undefined);
    if (given.length !== 1) {
      throw new MachineError('INVALID_ARGUMENT', 'Give exactly one program.', 'Use path, source or bytes.');
    }
    const [bare = 'prg'] = program.formats;
    const loaded = await program.load(
      path !== undefined
        ? { format: extensionOf(path), bytes: await rack.files.read(path, fileLimits.program), name: path }
        : source !== undefined
          ? { format: language, bytes: new TextEncoder().encode(source), name: `source.${language}` }
          : { format: bare, bytes: parseBytes(bytes ?? ''), name: `bytes.${bare}` },
      start,
      signal,
    );
    const { firstAddress, lastAddress, startAddress } = loaded;
    const placed = firstAddress !== undefined && lastAddress !== undefined;
    const range = placed ? `loaded ${addresses.format(firstAddress)}-${addresses.format(lastAddress)}` : 'stored';
    const started = startAddress === undefined ? '' : `, start ${addresses.format(startAddress)}`;
    return { text: [`${range}${started}`, ...loaded.notes].join('\n'), data: { ...loaded } };
  },
});

function extensionOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? 'prg';
}
