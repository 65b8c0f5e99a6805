import { z } from 'zod';
import { MachineError } from '../machine/errors.ts';
import type { MachineWith } from '../machine/machine.ts';
import type { ProgramSource } from '../machine/program.ts';
import { parseBytes } from './console/parse-bytes.ts';
import { namesBeside } from './debug/names-beside.ts';
import { programFile } from './debug/program-file.ts';
import { runUntil } from './debug/run-until.ts';
import { showArgument, withShown } from './debug/shown.ts';
import { defineTool } from './tool.ts';

const input = z.object({
  path: z.string().optional(),
  source: z.string().max(500_000).optional(),
  bytes: z.string().max(300_000).optional(),
  language: z.enum(['asm', 'basic']).default('asm'),
  start: z.boolean().default(true),
  frames: z.number().int().min(1).optional(),
  until: z.string().optional(),
  condition: z.string().max(500).optional(),
  screen_text: z.string().max(1000).optional(),
  show: showArgument,
  timeout_ms: z.number().int().min(1).max(50_000).optional(),
});

export const programRun = defineTool({
  name: 'program_run',
  title: 'Run a program',
  description:
    'Start a program: a file ("path"), assembler or BASIC text ("source"), or hex bytes. ' +
    'Example: {"source":"* = $c000\\n inc $d020\\n rts"}.',
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
    const isWaitedFor = waits(asked);
    if (isWaitedFor && !start) throw notWaitedFor();
    const load = async () =>
      program.load(
        path !== undefined
          ? await programFile(path, rack.files)
          : source !== undefined
            ? { format: language, bytes: new TextEncoder().encode(source), name: `source.${language}` }
            : bytesProgram(program.formats, bytes ?? ''),
        start,
        signal,
        isWaitedFor,
      );
    const loaded = await (start && control?.interlude ? control.interlude(load) : load());
    const { firstAddress, lastAddress, startAddress, failure } = loaded;
    const placed = firstAddress !== undefined && lastAddress !== undefined;
    const range = placed
      ? `loaded ${addresses.format(firstAddress)}-${addresses.format(lastAddress)}`
      : loaded.started
        ? 'started'
        : 'stored';
    const place = startAddress === undefined ? '' : `, start ${addresses.format(startAddress)}`;
    const problem = loaded.started === false ? 'NOT STARTED · ' : failure === undefined ? '' : 'FAILED · ';
    const head = `${problem}${range}${place}`;
    const beside = path === undefined ? [] : await namesBeside(path, machine.symbols, rack.files);
    const notes = beside.length === 0 ? loaded.notes : [...loaded.notes, besideNote(beside)];
    return withShown(machine, asked.show, async () => {
      const told = { text: [head, ...notes].join('\n'), data: { ...loaded, notes } };
      if (!isWaitedFor || problem !== '' || !control) return told;
      const ran = await runUntil(
        machine as MachineWith<'control'>,
        { ...asked, follows: true, timeout_ms: asked.timeout_ms ?? 20_000 },
        context,
      );
      return { text: `${told.text}\n${ran.text}`, data: { ...told.data, ...ran.data } };
    });
  },
});

/** Whoever calls has other names for what loads them. */
function besideNote(files: readonly string[]): string {
  return `names and lines of it lie beside it and are not loaded: ${files.join(', ')}`;
}

function waits({ frames, until, condition, screen_text }: z.output<typeof input>): boolean {
  return [frames, until, condition, screen_text].some((limit) => limit !== undefined);
}

function notWaitedFor(): MachineError {
  return new MachineError(
    'INVALID_ARGUMENT',
    'A program that is not started cannot be waited for.',
    'Leave start out.',
  );
}

function bytesProgram([bare = 'prg']: readonly string[], bytes: string): ProgramSource {
  return { format: bare, bytes: parseBytes(bytes), name: `bytes.${bare}` };
}
