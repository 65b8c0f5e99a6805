import type { DialectOption } from '../dialects/dialect-option.ts';
import { type DialectName, dialectOptions } from '../dialects/options.ts';
import { toolsetChoices } from '../tools/toolsets.ts';
import type { OptionRow } from './option-row.ts';
import { fleetOptions } from './options/fleet-options.ts';
import { limitOptions } from './options/limit-options.ts';
import { machineOptions } from './options/machine-options.ts';
import { networkOptions } from './options/network-options.ts';
import { agents, rack, server } from './options/option-commands.ts';

/**
 * All options of the program: parsing, help, the README's table, the schema of the configuration file and shell
 * completion come from here. The key is the option's name on the command line and in the configuration file.
 */
const optionTable = {
  ...networkOptions,
  toolset: {
    type: 'list',
    choices: toolsetChoices,
    default: ['auto'],
    placeholder: 'NAMES',
    summary:
      'Tools to list. auto: a short list, and more when a machine starts that they work on; short: the short list for ' +
      'good, the rest through tool_find; all: everything. Names of toolsets: these tools and no others.',
    group: 'tools',
    commands: agents,
  },
  structured: {
    type: 'flag',
    default: false,
    summary: 'Also answer with structuredContent.',
    group: 'tools',
    commands: server,
  },
  'image-responses': {
    type: 'choice',
    choices: ['allow', 'omit'],
    default: 'allow',
    summary: 'Whether answers may contain images; omit is for clients that cannot show them.',
    group: 'tools',
    commands: server,
  },
  dialect: {
    type: 'choice',
    choices: Object.keys(dialectOptions) as DialectName[],
    summary: "Serve exactly another server's tools on the same machines.",
    defaultText: "frontpanel's own tools",
    group: 'tools',
    commands: agents,
  },
  'dialect-names': {
    type: 'choice',
    choices: ['dots', 'underscore'],
    default: 'dots',
    summary: 'How names of dialect tools are written; underscore is for clients that refuse dots.',
    group: 'tools',
    commands: agents,
  },
  ...rowsOf('serencp'),
  ...rowsOf('qemu'),
  ...rowsOf('spice86'),
  ...rowsOf('vice'),
  yes: {
    type: 'flag',
    default: false,
    summary: 'Skip confirmation of destructive calls.',
    group: 'tools',
    commands: agents,
  },
  ...machineOptions,
  ...fleetOptions,
  ...limitOptions,
  socket: {
    type: 'string',
    format: 'file',
    placeholder: 'PATH.out',
    summary: 'Attach to the console with this output socket; you may leave out the word attach.',
    reach: 'flag',
    group: 'command',
    commands: ['attach'],
  },
  spy: {
    type: 'flag',
    default: false,
    summary: 'Only watch: nothing you type reaches the console.',
    reach: 'flag',
    group: 'command',
    commands: ['attach'],
  },
  once: {
    type: 'flag',
    default: false,
    summary: 'Leave when the connection is lost, instead of reconnecting.',
    reach: 'flag',
    group: 'command',
    commands: ['attach'],
  },
  filtered: {
    type: 'flag',
    default: false,
    summary: 'Drop escape sequences that could harm the person at this terminal.',
    reach: 'environment',
    group: 'command',
    commands: ['attach'],
  },
  output: {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: "Write the answer's images to this file; several get numbers.",
    reach: 'flag',
    group: 'command',
    commands: ['call'],
  },
  json: {
    type: 'flag',
    default: false,
    summary: 'Print JSON.',
    reach: 'flag',
    group: 'command',
    commands: ['tools', 'doctor', 'replay'],
  },
  quick: {
    type: 'flag',
    default: false,
    summary: 'Boot no machines.',
    reach: 'flag',
    group: 'command',
    commands: ['doctor'],
  },
  fix: {
    type: 'flag',
    default: false,
    summary: 'Clean up what killed servers left behind.',
    reach: 'flag',
    group: 'command',
    commands: ['doctor'],
  },
  config: {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'Configuration file.',
    defaultText:
      'frontpanel.config.json in the working directory, if there is one; over stdio and dap that one may only restrict',
    reach: 'environment',
    group: 'general',
    commands: [...rack, 'doctor'],
  },
  conformance: {
    type: 'flag',
    default: false,
    summary: 'Offer the fixtures of the MCP conformance suite as well.',
    hidden: true,
    reach: 'flag',
    group: 'general',
    commands: server,
  },
  help: {
    type: 'flag',
    default: false,
    short: 'h',
    summary: 'Explain the program or the given command.',
    reach: 'flag',
    group: 'general',
    commands: [...rack, 'attach', 'doctor', 'demo', 'replay', 'completion', 'help', 'version'],
  },
  version: {
    type: 'flag',
    default: false,
    short: 'V',
    summary: 'Print the version.',
    reach: 'flag',
    group: 'general',
    commands: [...rack, 'attach', 'doctor', 'demo', 'replay', 'completion', 'help', 'version'],
  },
} as const satisfies Record<string, OptionRow>;

/** The options that a dialect declares, as rows of the table. */
function rowsOf<Name extends DialectName>(dialect: Name): RowsOf<(typeof dialectOptions)[Name]> {
  const rows = Object.entries<DialectOption>(dialectOptions[dialect]).map(([name, option]) => {
    const summary = `With --dialect ${dialect}: ${option.summary.charAt(0).toLowerCase()}${option.summary.slice(1)}`;
    const common = { summary, dialect, group: 'tools', commands: server } as const;
    return [name, option.type === 'flag' ? { ...option, ...common, default: false } : { ...option, ...common }];
  });
  return Object.fromEntries(rows);
}

type RowsOf<Options> = {
  readonly [Name in keyof Options]: Extract<OptionRow, { type: Options[Name] extends { type: infer T } ? T : never }>;
};

export type OptionName = keyof typeof optionTable;

export type Option = OptionRow & {
  readonly name: OptionName;
  /** Name in the environment. */
  readonly env: string;
  /** Name in `OptionValues`. */
  readonly key: keyof OptionValues;
};

/** The whole table as a list. */
export const options: readonly Option[] = Object.entries<OptionRow>(optionTable).map(([name, row]) => ({
  ...row,
  name: name as OptionName,
  env: `FRONTPANEL_${name.toUpperCase().replaceAll('-', '_')}`,
  key: name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as keyof OptionValues,
}));

export type OptionValue = boolean | number | string | readonly string[];

/** The values of all options: `allowedClients` for `allowed-clients`; and what only the configuration file can say. */
export type OptionValues = {
  readonly [Name in OptionName as CamelCase<Name>]: ValueOf<(typeof optionTable)[Name]>;
};

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type ValueOf<Row> = Row extends { type: 'flag' }
  ? boolean
  : Row extends { type: 'number' }
    ? number
    : Row extends { type: 'list' }
      ? readonly (Row extends { choices: readonly (infer Choice)[] } ? Choice : string)[]
      : Row extends { type: 'choice'; choices: readonly (infer Choice)[] }
        ? Choice | UnlessDefault<Row>
        : string | UnlessDefault<Row>;

type UnlessDefault<Row> = Row extends { default: OptionValue } ? never : undefined;

/** Whether `place` may set the option. */
export function reaches(option: Option, place: 'environment' | 'file'): boolean {
  const reach = option.reach ?? 'file';
  return reach === 'file' || reach === place;
}
