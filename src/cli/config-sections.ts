import { dirname, isAbsolute, join } from 'node:path';
import type { z } from 'zod';
import type { CommandPreset } from '../machine/host.ts';
import { commandPresets, commandRows } from './command-rows.ts';
import type { RawSections, SectionName } from './config-section-names.ts';
import { consoleRows, type KeptConsole, keptConsoles } from './console-rows.ts';
import { type TokenRow, tokenRows } from './token-rows.ts';

/** Parts of the configuration file that no flag or variable can carry; no agent can change them. */
export interface ConfigSections {
  readonly tokens: readonly TokenRow[];
  /** Consoles that are attached at the start and kept, by name. */
  readonly consoles: Readonly<Record<string, KeptConsole>>;
  /** Commands that agents may run as consoles, by name. */
  readonly consoleCommands: Readonly<Record<string, CommandPreset>>;
  /** What the file says and may not, as it was found and not named. */
  readonly leftOut: readonly string[];
}

/** What the file may hold in each section, and what it is for. */
export const sectionSchemas = {
  tokens: tokenRows,
  consoles: consoleRows,
  'console-commands': commandRows,
} as const satisfies Record<SectionName, z.ZodType>;

/** What the sections say, and what is wrong with them. Relative paths start at the file's own directory. */
export function readSections(raw: RawSections | undefined): {
  readonly sections: ConfigSections;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const read = <Rows>(name: SectionName, schema: z.ZodType<Rows>, none: Rows): Rows => {
    if (!raw?.values.has(name)) return none;
    const result = schema.safeParse(raw.values.get(name));
    if (result.success) return result.data;
    problems.push(...result.error.issues.map((issue) => `${raw.path}: ${describe(name, issue)}.`));
    return none;
  };
  const directory = dirname(raw?.path ?? '.');
  const place = (path: string) => (isAbsolute(path) || directory === '.' ? path : join(directory, path));
  return {
    sections: {
      tokens: read('tokens', tokenRows, []).map((row) =>
        row.file === undefined ? row : { ...row, file: place(row.file) },
      ),
      consoles: keptConsoles(read('consoles', consoleRows, {}), place),
      consoleCommands: commandPresets(read('console-commands', commandRows, {})),
      leftOut: raw?.leftOut ?? [],
    },
    problems,
  };
}

function describe(name: SectionName, { path, message }: z.core.$ZodIssue): string {
  const where = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return `"${name}"${where} ${/^must/.test(message) ? message : `is wrong: ${message}`}`;
}
