import type { DialectOptions } from './dialect-option.ts';
import { spice86Options } from './spice86/options.ts';
import { viceOptions } from './vice/options.ts';

/** The dialects by name with their options. It loads nothing else, as the command line reads it before it knows its command. */
export const dialectOptions = {
  serencp: {},
  qemu: {},
  spice86: spice86Options,
  vice: viceOptions,
} as const satisfies Readonly<Record<string, DialectOptions>>;

export type DialectName = keyof typeof dialectOptions;
