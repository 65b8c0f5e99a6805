import { isAbsolute, join } from 'node:path';
import type { z } from 'zod';
import { type TokenRow, tokenRows } from './token-rows.ts';

/** What only the configuration file can say, because one value would not be enough. */
export interface ConfigSections {
  readonly tokens: readonly TokenRow[];
}

export const noSections: ConfigSections = { tokens: [] };

export const sectionSchemas: { readonly [Name in keyof ConfigSections]: z.ZodType<ConfigSections[Name]> } = {
  tokens: tokenRows,
};

export const sectionNames = Object.keys(sectionSchemas);

type Parsed = Partial<ConfigSections> | { readonly problems: readonly string[] };

export function isSection(name: string): name is keyof ConfigSections {
  return Object.hasOwn(sectionSchemas, name);
}

/** Relative paths start at the file's own directory. */
export function parseSection(name: keyof ConfigSections, json: unknown, directory: string): Parsed {
  const parsed = sectionSchemas[name].safeParse(json);
  if (!parsed.success) {
    return {
      problems: parsed.error.issues.map(({ path, message }) => {
        const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
        return `"${name}"${place} ${/^must/.test(message) ? message : `is wrong: ${message}`}`;
      }),
    };
  }
  const resolve = (path: string) => (isAbsolute(path) || directory === '.' ? path : join(directory, path));
  return { [name]: parsed.data.map((row) => (row.file === undefined ? row : { ...row, file: resolve(row.file) })) };
}
