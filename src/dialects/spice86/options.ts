import type { DialectOptions } from '../dialect-option.ts';

export const spice86Options = {
  exe: {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'Start a DOS PC with this program (COM, EXE, BAT) running.',
    defaultText: 'none',
  },
  'cfg-cpu': {
    type: 'flag',
    summary: 'Show the control-flow graph.',
  },
} as const satisfies DialectOptions;
