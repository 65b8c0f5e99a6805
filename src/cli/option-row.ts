import type { Command } from './commands.ts';

/** In the order in which help and README show them. */
export const optionGroups = {
  command: 'This command',
  network: 'Network',
  tools: 'Tools',
  machines: 'Machines',
  fleet: 'Fleet',
  logging: 'Logging',
  limits: 'Limits',
  general: 'General',
} as const;

interface CommonColumns {
  readonly summary: string;
  readonly group: keyof typeof optionGroups;
  readonly commands: readonly Command[];
  /** The farthest place it can be set from; `environment` includes the command line, `file` both. The default is `file`. */
  readonly reach?: 'flag' | 'environment' | 'file';
  /** In words, where the value itself would not say it. */
  readonly defaultText?: string;
  readonly short?: string;
  readonly placeholder?: string;
  /** Belongs to this dialect and means nothing without it. */
  readonly dialect?: string;
  /** Works, but is for nobody's daily use. */
  readonly hidden?: boolean;
}

export type ValueFormat = 'file' | 'directory' | 'url' | 'origin' | 'host-name' | 'address-range' | 'tcp-rule' | 'page';

export type OptionRow = CommonColumns &
  (
    | { readonly type: 'flag'; readonly default: false }
    | { readonly type: 'string'; readonly default?: string; readonly format?: ValueFormat }
    | {
        readonly type: 'number';
        readonly default: number;
        /** Where commands differ, or computers. */
        readonly defaultFor?: (command: Command) => number;
        readonly min: number;
        readonly max: number;
      }
    | {
        readonly type: 'list';
        readonly default: readonly string[];
        readonly format?: ValueFormat;
        readonly choices?: readonly string[];
      }
    | { readonly type: 'choice'; readonly choices: readonly string[]; readonly default?: string }
  );
