import type { DialectValues } from '../dialects/dialect-option.ts';
import { type OptionValues, options } from './options.ts';

/** What the command line says for the options of a dialect. */
export function dialectValues(dialect: string, values: OptionValues): DialectValues {
  const own = options.filter((option) => option.dialect === dialect);
  return Object.fromEntries(
    own.map(({ name, key }) => {
      const value = values[key];
      return [name, typeof value === 'string' || typeof value === 'boolean' ? value : undefined];
    }),
  );
}
