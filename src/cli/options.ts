import type { DialectOption } from '../dialects/dialect-option.ts';
import { type DialectName, dialectOptions } from '../dialects/options.ts';
import { toolsetChoices } from '../tools/toolsets.ts';
import type { Command } from './commands.ts';
import type { OptionRow } from './option-row.ts';

/** Where Debian, Fedora and Arch put what a board boots from. */
const firmwareFolders = [
  '/usr/share/qemu',
  '/usr/share/seabios',
  '/usr/share/OVMF',
  '/usr/share/ovmf',
  '/usr/share/AAVMF',
  '/usr/share/qemu-efi-aarch64',
  '/usr/share/edk2',
  '/usr/share/opensbi',
  '/usr/lib/riscv64-linux-gnu/opensbi',
  '/usr/share/openbios',
  '/usr/share/slof',
  '/usr/lib/ipxe',
  '/usr/lib/u-boot',
  '/usr/share/u-boot',
];

const server: readonly Command[] = ['stdio', 'serve'];
/** Commands that keep machines in their own process. */
const rack: readonly Command[] = ['stdio', 'serve', 'call', 'tools'];
const http: readonly Command[] = ['serve'];

/**
 * All options of the program: parsing, help, the README's table, the schema of the configuration file and shell
 * completion come from here. The key is the option's name on the command line and in the configuration file.
 */
const optionTable = {
  host: {
    type: 'string',
    default: '127.0.0.1',
    placeholder: 'ADDRESS',
    summary: 'Address to listen on.',
    group: 'network',
    commands: http,
  },
  port: {
    type: 'number',
    default: 6510,
    min: 0,
    max: 65_535,
    placeholder: 'PORT',
    summary: 'TCP port to listen on; 0 takes any free one.',
    group: 'network',
    commands: http,
  },
  token: {
    type: 'string',
    placeholder: 'TOKEN',
    summary: "An owner's bearer token; for call and tools: the token of the server at --url.",
    defaultText: 'generated once, kept in your state folder and printed at start',
    group: 'network',
    commands: ['serve', 'call', 'tools'],
  },
  page: {
    type: 'string',
    default: 'auto',
    format: 'page',
    placeholder: 'auto|off|PORT',
    summary:
      'Over stdio: the live page opens on this port of loopback when the first machine starts; auto takes any free one.',
    group: 'network',
    commands: ['stdio'],
  },
  'no-token': {
    type: 'flag',
    default: false,
    summary: 'Serve HTTP without a token.',
    group: 'network',
    commands: http,
  },
  'allowed-clients': {
    type: 'list',
    default: ['127.0.0.0/8', '::1'],
    format: 'address-range',
    placeholder: 'RANGES',
    summary: 'Addresses or CIDR ranges that clients may come from.',
    group: 'network',
    commands: http,
  },
  'allowed-hosts': {
    type: 'list',
    default: [],
    format: 'host-name',
    placeholder: 'NAMES',
    summary: 'Names accepted in the Host header besides those of loopback and of --host.',
    group: 'network',
    commands: http,
  },
  'allowed-origins': {
    type: 'list',
    default: [],
    format: 'origin',
    placeholder: 'ORIGINS',
    summary: 'Origins of web pages that may call the server, such as https://panel.example.',
    group: 'network',
    commands: http,
  },
  'tls-cert': {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'Serve HTTPS with this certificate (PEM, with its chain); needs --tls-key.',
    defaultText: 'plain HTTP',
    group: 'network',
    commands: http,
  },
  'tls-key': {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'Private key of the certificate (PEM, without a passphrase).',
    defaultText: 'none',
    group: 'network',
    commands: http,
  },
  url: {
    type: 'string',
    format: 'url',
    placeholder: 'URL',
    summary: 'Use the server that runs at this address.',
    defaultText: 'a running server of yours, else one in this process',
    reach: 'environment',
    group: 'network',
    commands: ['call', 'tools'],
  },
  toolset: {
    type: 'list',
    choices: toolsetChoices,
    default: ['auto'],
    placeholder: 'NAMES',
    summary:
      'Tools to list. auto: a short list, and more when a machine starts that they work on; short: the short list for ' +
      'good, the rest through tool_find; all: everything. Names of toolsets: these tools and no others.',
    group: 'tools',
    commands: rack,
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
    summary: 'Whether answers may hold images; omit is for clients that cannot show them.',
    group: 'tools',
    commands: server,
  },
  dialect: {
    type: 'choice',
    choices: Object.keys(dialectOptions) as DialectName[],
    summary: "Serve exactly another server's tools on the same machines.",
    defaultText: "frontpanel's own tools",
    group: 'tools',
    commands: rack,
  },
  'dialect-names': {
    type: 'choice',
    choices: ['dots', 'underscore'],
    default: 'dots',
    summary: 'How names of dialect tools are written; underscore is for clients that refuse dots.',
    group: 'tools',
    commands: rack,
  },
  ...rowsOf('serencp'),
  ...rowsOf('qemu'),
  ...rowsOf('spice86'),
  ...rowsOf('vice'),
  yes: {
    type: 'flag',
    default: false,
    summary: 'Do destructive things without asking first.',
    group: 'tools',
    commands: rack,
  },
  'idle-timeout': {
    type: 'number',
    default: 3600,
    min: 0,
    max: 2_000_000,
    placeholder: 'SECONDS',
    summary: 'Stop a machine that nobody used for so long; 0 means never.',
    group: 'machines',
    commands: server,
  },
  'allow-path': {
    type: 'list',
    default: ['.'],
    format: 'directory',
    placeholder: 'DIRECTORIES',
    summary: 'Directories below which agents may read and write files.',
    defaultText: 'the working directory',
    group: 'machines',
    commands: [...rack, 'gym'],
  },
  'allow-read': {
    type: 'list',
    default: firmwareFolders,
    format: 'directory',
    placeholder: 'DIRECTORIES',
    summary: 'Directories below which agents may read files, besides those of --allow-path.',
    defaultText: 'where packages install firmware (U-Boot, OVMF, SeaBIOS, OpenSBI)',
    group: 'machines',
    commands: [...rack, 'gym'],
  },
  'allow-kinds': {
    type: 'list',
    default: [],
    placeholder: 'KINDS',
    summary: 'Kinds of machines that agents may start.',
    defaultText: 'all',
    group: 'machines',
    commands: rack,
  },
  'allow-tcp': {
    type: 'list',
    default: ['127.0.0.0/8', '[::1]'],
    format: 'tcp-rule',
    placeholder: 'HOST:PORTS',
    summary: 'Where consoles may connect to: names, addresses or ranges, with ports or without; * is anywhere.',
    defaultText: 'this computer',
    group: 'machines',
    commands: rack,
  },
  'allow-networks': {
    type: 'list',
    choices: ['none', 'user', 'isolated', 'tap'],
    default: ['none', 'user', 'isolated', 'tap'],
    placeholder: 'NETWORKS',
    summary: 'Networks that guests of QEMU may be put on.',
    group: 'machines',
    commands: rack,
  },
  'allow-commands': {
    type: 'flag',
    default: false,
    summary: 'Let agents name programs to run on this computer as consoles.',
    group: 'machines',
    commands: rack,
  },
  'allow-monitor': {
    type: 'flag',
    default: false,
    summary:
      "Let agents give QEMU's monitor any command: it can read and write every file of the user who runs the server, and open sockets.",
    group: 'machines',
    commands: rack,
  },
  'allow-debuggers': {
    type: 'flag',
    default: false,
    summary:
      'Let agents open ports of loopback on which debuggers of the user who runs the server can attach to machines.',
    group: 'machines',
    commands: rack,
  },
  'allow-devices': {
    type: 'list',
    default: [],
    format: 'file',
    placeholder: 'PATTERNS',
    summary:
      'Devices that agents may open beside serial hardware, such as /dev/pts/*; * stands for anything but a slash.',
    defaultText: 'none',
    group: 'machines',
    commands: rack,
  },
  demo: {
    type: 'flag',
    default: false,
    summary: 'Start a Commodore 64 with a small demo, to have something to look at on the live page.',
    group: 'machines',
    commands: http,
  },
  roms: {
    type: 'list',
    default: [],
    format: 'directory',
    placeholder: 'DIRECTORIES',
    summary:
      "Directories with ROM images for the built-in machines, in them or in subfolders (VICE's data folder, for example), looked at before the usual ones; own ends the search.",
    group: 'machines',
    commands: rack,
  },
  'qemu-dir': {
    type: 'list',
    default: [],
    format: 'directory',
    placeholder: 'DIRECTORIES',
    summary: 'Directories with qemu-system-* programs, looked at before those of PATH.',
    group: 'machines',
    commands: [...rack, 'doctor'],
  },
  lock: {
    type: 'string',
    placeholder: 'NAME',
    summary: 'Take this lock for each QEMU: one owner at a time on this computer, whatever program asks.',
    defaultText: 'no lock',
    group: 'machines',
    commands: rack,
  },
  terminal: {
    type: 'string',
    default: 'auto',
    placeholder: 'NAME',
    summary: 'Terminal program for windows that people are shown.',
    group: 'machines',
    commands: rack,
  },
  'serial-links': {
    type: 'flag',
    default: false,
    summary: "Also link /tmp/serial_NAME.in and .out to each console's sockets.",
    group: 'machines',
    commands: rack,
  },
  journal: {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'Append every call with its arguments, answer and duration to a file, one JSON object a line.',
    group: 'logging',
    commands: rack,
  },
  audit: {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary:
      'Append who did what to a file: time, client, role, address, tool, machine, outcome, one JSON object a line.',
    group: 'logging',
    commands: rack,
  },
  'log-level': {
    type: 'choice',
    choices: ['debug', 'info', 'notice', 'warning', 'error'],
    default: 'info',
    summary: 'The least important messages to log.',
    group: 'logging',
    commands: rack,
  },
  'log-file': {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'Write the log to a file.',
    defaultText: 'standard error',
    group: 'logging',
    commands: rack,
  },
  'max-machines': {
    type: 'number',
    default: 32,
    min: 1,
    max: 10_000,
    placeholder: 'COUNT',
    summary: 'Machines that may exist at a time.',
    group: 'limits',
    commands: server,
  },
  'max-sessions': {
    type: 'number',
    default: 64,
    min: 1,
    max: 100_000,
    placeholder: 'COUNT',
    summary: 'MCP sessions that may be open at a time.',
    group: 'limits',
    commands: http,
  },
  'max-streams': {
    type: 'number',
    default: 10,
    min: 1,
    max: 100_000,
    placeholder: 'COUNT',
    summary: 'Clients that may hold a stream of notifications open at a time.',
    group: 'limits',
    commands: http,
  },
  'max-connections': {
    type: 'number',
    default: 256,
    min: 1,
    max: 100_000,
    placeholder: 'COUNT',
    summary: 'TCP connections that may be open at a time.',
    group: 'limits',
    commands: http,
  },
  'max-rate': {
    type: 'number',
    default: 1000,
    min: 1,
    max: 1_000_000,
    placeholder: 'COUNT',
    summary: 'Requests a second from one client.',
    group: 'limits',
    commands: http,
  },
  'max-body-bytes': {
    type: 'number',
    default: 4 * 1024 * 1024,
    min: 1024,
    max: 1024 * 1024 * 1024,
    placeholder: 'BYTES',
    summary: 'Size of one HTTP request.',
    group: 'limits',
    commands: http,
  },
  'max-trace-bytes': {
    type: 'number',
    default: 10_000_000,
    min: 1024,
    max: 1024 * 1024 * 1024,
    placeholder: 'BYTES',
    summary: 'Size of one trace, of instructions or of frames.',
    group: 'limits',
    commands: rack,
  },
  'max-history-bytes': {
    type: 'number',
    default: 1024 * 1024 * 1024,
    min: 0,
    max: 64 * 1024 * 1024 * 1024,
    placeholder: 'BYTES',
    summary: 'What the ways back of all built-in machines may take together; the oldest moments go first.',
    group: 'limits',
    commands: rack,
  },
  'max-annotations': {
    type: 'number',
    default: 100_000,
    min: 0,
    max: 100_000_000,
    placeholder: 'COUNT',
    summary: '@mcp- annotations of sources kept for one machine, and marks in one recording of a console.',
    group: 'limits',
    commands: rack,
  },
  socket: {
    type: 'string',
    format: 'file',
    placeholder: 'PATH.out',
    summary: 'Attach to the console whose output socket has this path; works without the word attach too.',
    reach: 'flag',
    group: 'command',
    commands: ['attach'],
  },
  spy: {
    type: 'flag',
    default: false,
    summary: 'Only watch: nothing that is typed reaches the console.',
    reach: 'flag',
    group: 'command',
    commands: ['attach'],
  },
  once: {
    type: 'flag',
    default: false,
    summary: 'Leave when the connection is lost, instead of connecting again.',
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
    summary: 'Write the images of the answer to this file; more than one get numbers.',
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
    commands: ['tools', 'doctor'],
  },
  fix: {
    type: 'flag',
    default: false,
    summary: 'Clean up what servers that died left behind.',
    reach: 'flag',
    group: 'command',
    commands: ['doctor'],
  },
  config: {
    type: 'string',
    format: 'file',
    placeholder: 'FILE',
    summary: 'Configuration file.',
    defaultText: 'frontpanel.config.json in the working directory, if there is one',
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
    summary: 'Explain the program, or the command it is given with.',
    reach: 'flag',
    group: 'general',
    commands: [...rack, 'attach', 'doctor', 'completion', 'help', 'version'],
  },
  version: {
    type: 'flag',
    default: false,
    short: 'V',
    summary: 'Print the version.',
    reach: 'flag',
    group: 'general',
    commands: [...rack, 'attach', 'doctor', 'completion', 'help', 'version'],
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
