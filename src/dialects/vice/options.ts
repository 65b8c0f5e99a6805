import type { DialectOptions } from '../dialect-option.ts';

export const viceOptions = {
  machine: {
    type: 'string',
    placeholder: 'NAME',
    summary: 'The machine that runs when a client connects: c64, vic20, plus4, c16; c64_ntsc and so on for NTSC.',
    defaultText: 'c64',
  },
} as const satisfies DialectOptions;
