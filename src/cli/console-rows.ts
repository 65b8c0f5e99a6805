import { z } from 'zod';
import type { ConsoleLogSettings } from '../machine/host.ts';
import { type ConsoleOptions, consoleOptions } from '../machines/console/console-options.ts';

/** A console of the configuration: what machine_start takes, and how to log it. */
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

const consoleRow = consoleOptions.extend({
  log: z
    .union([z.string().min(1), consoleLog])
    .optional()
    .describe('A log of everything: a file, or how to keep it.'),
});

export const consoleRows = z
  .record(machineName, consoleRow)
  .describe('Consoles that the server attaches to at its start and keeps, by name; options as of machine_start.');

/** `place` says where a relative path of the file leads. */
export function keptConsoles(
  rows: z.output<typeof consoleRows>,
  place: (path: string) => string,
): Readonly<Record<string, KeptConsole>> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, keptConsole(row, place)]));
}

function keptConsole({ log, ...options }: z.output<typeof consoleRow>, place: (path: string) => string): KeptConsole {
  const settings = typeof log === 'string' ? consoleLog.parse({ file: log }) : log;
  const { socket, record } = options;
  return {
    options: {
      ...options,
      ...(socket !== undefined && { socket: place(socket) }),
      ...(record !== undefined && { record: place(record) }),
    },
    log: settings && {
      file: place(settings.file),
      timestamps: settings.timestamps,
      maxBytes: settings.max_bytes,
      maxAgeHours: settings.max_age_hours,
      keep: settings.keep,
      markMinutes: settings.mark_minutes,
    },
  };
}
