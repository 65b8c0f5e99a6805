import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import type { MachineWith } from '../machine/machine.ts';
import type { ProgramSource } from '../machine/program.ts';
import { parseBytes } from './console/parse-bytes.ts';
import { programFile } from './debug/program-file.ts';
import { runUntil } from './debug/run-until.ts';
import { showArgument, withShown } from './debug/shown.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  path: z.string().optional(),
  source: z.string().max(500_000).optional(),
  bytes: z.string().max(300_000).optional().describe('Hex'),
  language: z.enum(['asm', 'basic']).default('asm'),
  start: z.boolean().default(true),
  frames: z.number().int().min(1).optional(),
  screen_text: z.string().max(1000).optional(),
  show: showArgument,
  timeout_ms: z.number().int().min(1).max(50_000).optional(),
});

export const programRun = defineTool({
  name: 'program_run',
  title: 'Load and run a program',
  description:
    'Load a program and start it: a file ("path"), assembler or BASIC text ("source"), or hex bytes. ' +
    'Example: {"source":"* = $c000\\n inc $d020\\n jmp $c000"}.',
  toolset: 'screen',
  needs: ['program', 'addresses'],
  effect: 'change',
  input,

  async run(machine, asked, context) {
    const { path, source, bytes, language, start } = asked;
    const { program, addresses, control } = machine;
    const { rack, signal } = context;
    const given = [path, source, bytes].filter((each) => each !== undefined);
    if (given.length !== 1) {
      throw new MachineError('INVALID_ARGUMENT', 'Give exactly one program.', 'Use path, source or bytes.');
    }
    refuseWaitWithoutStart(asked);
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
    const place = startAddress === undefined ? '' : `, start ${addresses.format(startAddress)}`;
    const head = loaded.started === false ? `NOT STARTED · ${range}` : `${range}${place}`;
    return withShown(machine, asked.show, async () => {
      const told = { text: [head, ...loaded.notes].join('\n'), data: { ...loaded } };
      const waits = asked.frames !== undefined || asked.screen_text !== undefined;
      if (!waits || loaded.started === false || !control) return told;
      const ran = await runUntil(
        machine as MachineWith<'control'>,
        { ...asked, timeout_ms: asked.timeout_ms ?? 20_000 },
        context,
      );
      return { text: `${told.text}\n${ran.text}`, data: { ...told.data, ...ran.data } };
    });
  },
});

function refuseWaitWithoutStart({ start, frames, screen_text }: z.output<typeof input>): void {
  if (start || (frames === undefined && screen_text === undefined)) return;
  throw new MachineError('INVALID_ARGUMENT', 'A program that is not started cannot be waited for.', 'Leave start out.');
}

function bytesProgram([bare = 'prg']: readonly string[], bytes: string): ProgramSource {
  return { format: bare, bytes: parseBytes(bytes), name: `bytes.${bare}` };
}
