import type { DialectOptions } from '../dialect-option.ts';

export const viceOptions = {
  machine: {
    type: 'string',
    placeholder: 'NAME',
    summary: 'The machine that runs when a client connects: c64, vic20.',
    defaultText: 'c64',
  },
} as const satisfies DialectOptions;
