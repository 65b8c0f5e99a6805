import { dirname, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { CommandPreset, ConsoleLogSettings } from '../machine/host.ts';
import { knownPresets, parametersOf } from '../machines/console/command-presets.ts';
import { type ConsoleOptions, consoleOptions } from '../machines/console/console-options.ts';
import type { RawSections, SectionName } from './config-section-names.ts';

/** Parts of the configuration file that no flag or variable can carry; no agent can change them. */
export interface ConfigSections {
  /** Consoles that are attached at the start and kept, by name. */
  readonly consoles: Readonly<Record<string, KeptConsole>>;
  /** Commands that agents may run as consoles, by name. */
  readonly consoleCommands: Readonly<Record<string, CommandPreset>>;
}

export interface KeptConsole {
  readonly options: ConsoleOptions;
  readonly log: ConsoleLogSettings | undefined;
}

const consoleLog = z.strictObject({
  file: z.string().min(1).describe('File to append to.'),
  timestamps: z.boolean().default(true).describe('Begin each line with the time.'),
  max_bytes: z.int().min(0).max(1e12).default(10_000_000).describe('Begin a new file beyond this size; 0: never.'),
  max_age_hours: z.number().min(0).max(87_600).default(0).describe('Begin a new file beyond this age; 0: never.'),
  keep: z.int().min(0).max(1000).default(5).describe('Old files that stay: FILE.1 is the newest of them.'),
  mark_minutes: z.number().min(0).max(100_000).default(60).describe('Write a mark with the time this often; 0: never.'),
});

const machineName = z.string().regex(/^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9_.-]{0,47}$/);

const keptConsole = consoleOptions.extend({
  log: z
    .union([z.string().min(1), consoleLog])
    .optional()
    .describe('A log of everything: a file, or how to keep it.'),
});

const commandPreset = z
  .strictObject({
    argv: z.array(z.string().min(1)).min(1).describe('Program and arguments; {name} stands for a parameter.'),
    parameters: z
      .record(z.string(), z.string().refine(isPattern, 'is not a regular expression'))
      .optional()
      .describe('A regular expression for each parameter, which the whole value must match.'),
    pty: z.boolean().optional().describe('Run it on a terminal of its own.'),
  })
  .superRefine((preset, context) => {
    const used = parametersOf(presetOf(preset));
    for (const name of Object.keys(preset.parameters ?? {})) {
      if (!used.includes(name)) context.addIssue({ code: 'custom', message: `${name} does not occur in argv` });
    }
    if (/^\{.*\}$/.test(preset.argv[0] ?? '')) {
      context.addIssue({ code: 'custom', message: 'the program itself cannot be a parameter' });
    }
  });

const presetName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/);

/** One row a section: what the file may hold, and what it is for. */
export const configSections = {
  consoles: {
    summary: 'Consoles that the server attaches to at its start and keeps, by name; options as of machine_start.',
    schema: z.record(machineName, keptConsole),
  },
  'console-commands': {
    summary:
      `Commands that agents may run as consoles, by name: true for one of ${Object.keys(knownPresets).join(', ')}, ` +
      'or a command line of your own.',
    schema: z.record(presetName, z.union([z.literal(true), commandPreset])),
  },
} as const satisfies Record<SectionName, { readonly summary: string; readonly schema: z.ZodType }>;

/** What the sections say, and what is wrong with them. Relative paths start at the file's own directory. */
export function readSections(raw: RawSections | undefined): {
  readonly sections: ConfigSections;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const complain = (text: string) => problems.push(`${raw?.path}: ${text}`);
  const consoles = parsed(configSections.consoles.schema, 'consoles', raw, complain);
  const commands = parsed(configSections['console-commands'].schema, 'console-commands', raw, complain);
  const directory = dirname(raw?.path ?? '.');
  const presets = Object.entries(commands).flatMap(([name, preset]): [string, CommandPreset][] => {
    const found = preset === true ? knownPresets[name] : presetOf(preset);
    if (found) return [[name, found]];
    complain(`"console-commands.${name}": only ${Object.keys(knownPresets).join(', ')} can be true.`);
    return [];
  });
  return {
    sections: {
      consoles: Object.fromEntries(Object.entries(consoles).map(([name, entry]) => [name, keptOf(entry, directory)])),
      consoleCommands: Object.fromEntries(presets),
    },
    problems,
  };
}

function parsed<Schema extends z.ZodRecord>(
  schema: Schema,
  name: SectionName,
  raw: RawSections | undefined,
  complain: (text: string) => void,
): z.output<Schema> {
  const result = schema.safeParse(raw?.values.get(name) ?? {});
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) complain(`"${[name, ...path].join('.')}": ${message}.`);
  return schema.parse({});
}

function keptOf({ log, ...options }: z.output<typeof keptConsole>, directory: string): KeptConsole {
  const settings = typeof log === 'string' ? consoleLog.parse({ file: log }) : log;
  const path = (given: string) => (isAbsolute(given) || directory === '.' ? given : join(directory, given));
  const { socket, record } = options;
  return {
    options: {
      ...options,
      ...(socket !== undefined && { socket: path(socket) }),
      ...(record !== undefined && { record: path(record) }),
    },
    log: settings && {
      file: path(settings.file),
      timestamps: settings.timestamps,
      maxBytes: settings.max_bytes,
      maxAgeHours: settings.max_age_hours,
      keep: settings.keep,
      markMinutes: settings.mark_minutes,
    },
  };
}

function presetOf({ argv, parameters, pty }: z.output<typeof commandPreset>): CommandPreset {
  return { argv, ...(parameters && { parameters }), ...(pty !== undefined && { pty }) };
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(`^(?:${text})$`, 'u') !== undefined;
  } catch {
    return false;
  }
}
