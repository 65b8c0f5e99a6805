import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';

const pace = z
  .enum(['real', 'warp'])
  .default('real')
  .describe('How fast machines run: in real time, or as fast as they can');
const symbols = z
  .array(z.string())
  .max(32)
  .default([])
  .describe('Debug or label files: of ld65 (--dbgfile), KickAssembler, 64tass, ACME, Oscar64; ELF files with DWARF');
const cwd = z.string().optional().describe('Folder to which file names in debug files are relative');

const machine = {
  kind: z.string().max(40).describe('Of machine: c64, vic20, plus4, c16, dos, qemu …'),
  handle: z.string().max(60).optional().describe('Name of the machine; default KIND-NUMBER'),
  options: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('As machine_start takes them; docs/machines.md has all'),
  program: z
    .string()
    .optional()
    .describe('File to load and start: PRG, COM, EXE; of a QEMU machine name its kernel in options'),
  symbols,
};

/** `"request": "launch"` of a launch configuration. */
export const launchOptions = z.object({
  ...machine,
  machines: z.array(z.object(machine)).max(16).default([]).describe('More machines, each a thread of the session'),
  stopOnEntry: z.boolean().default(false).describe('Stop at the first instruction of the program'),
  pace,
  cwd,
});

/** `"request": "attach"`. */
export const attachOptions = z.object({
  machine: z.string().max(60).optional().describe('Handle of the machine; all that are running when left out'),
  port: z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('Of loopback, as debug_port {"protocol":"dap"} told it: the machines of that server'),
  symbols,
  pace,
  cwd,
});

export type LaunchOptions = z.output<typeof launchOptions>;
export type LaunchedMachine = Pick<LaunchOptions, 'kind' | 'handle' | 'options' | 'program' | 'symbols'>;

/** Of the entries for this adapter in a `launch.json`. */
export function launchSchema(): Record<string, unknown> {
  const entry = (request: string, options: z.ZodObject) => {
    const {
      $schema: _,
      properties,
      required = [],
      ...rest
    } = z.toJSONSchema(options, { target: 'draft-7', io: 'input' });
    const always = { type: { const: 'frontpanel' }, request: { const: request }, name: { type: 'string' } };
    return { ...rest, properties: { ...properties, ...always }, required: ['type', 'request', 'name', ...required] };
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Launch configurations of frontpanel dap',
    oneOf: [entry('launch', launchOptions), entry('attach', attachOptions)],
  };
}

/** Throws what is wrong with them. */
export function checked<Schema extends z.ZodObject>(schema: Schema, args: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(args);
  if (data) return data;
  const [issue] = error?.issues ?? [];
  const where = issue?.path.join('.') ?? '';
  throw new MachineError('INVALID_ARGUMENT', `${where}: ${issue?.message}.`, 'Correct the launch configuration.');
}
