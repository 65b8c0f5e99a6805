/** What the program can be asked to do. `stdio` is what it does when no command is named. */
export const commandTable = {
  stdio: {
    usage: '[options]',
    summary: 'Serve MCP on standard input and output; this is what a client starts.',
    positionals: [],
    examples: ['claude mcp add frontpanel -- npx -y frontpanel', 'frontpanel --toolset all --allow-path ~/disks'],
  },
  serve: {
    usage: 'serve [options]',
    summary: 'Serve MCP over HTTP to any number of clients.',
    positionals: [],
    examples: [
      'frontpanel serve',
      'frontpanel serve --port 8931 --allowed-hosts panel.local',
      'frontpanel serve --nats nats://127.0.0.1:4222',
    ],
  },
  dap: {
    usage: 'dap [options]',
    summary: 'Serve the Debug Adapter Protocol to an IDE, on stdio or a port.',
    positionals: [],
    examples: ['frontpanel dap', 'frontpanel dap --port 4711 --allow-path ~/src'],
  },
  station: {
    usage: 'station --nats URL [options]',
    summary: 'Keep machines of a fleet on this computer, for gateways that serve them.',
    positionals: [],
    examples: ['frontpanel station --nats nats://127.0.0.1:4222 --host-name lab1 --label board=rpi'],
  },
  store: {
    usage: 'store ACTION [NAME] [FILE] --nats URL',
    summary: 'List, put, get or delete the files that all hosts of a fleet have.',
    positionals: [
      { name: 'ACTION', values: ['list', 'put', 'get', 'delete'] },
      { name: 'NAME', optional: true },
      { name: 'FILE', optional: true },
    ],
    examples: [
      'frontpanel store list --nats nats://127.0.0.1:4222',
      'frontpanel store put game.d64 ./game.d64 --nats nats://127.0.0.1:4222',
    ],
  },
  attach: {
    usage: 'attach [NAME | SERVER/NAME | PATH.out] [options]',
    summary: 'Put this terminal on a console; Ctrl-] leaves.',
    positionals: [{ name: 'NAME', values: 'consoles', optional: true }],
    examples: ['frontpanel attach console-1', 'frontpanel attach console-1 --spy | tee boot.log'],
  },
  call: {
    usage: 'call TOOL [JSON | - | KEY=VALUE...] [options]',
    summary: 'Call one tool and print its answer.',
    positionals: [
      { name: 'TOOL', values: 'tools' },
      { name: 'ARGUMENTS', optional: true, repeated: true },
    ],
    examples: [
      `frontpanel call machine_kinds '{}'`,
      'frontpanel call console_read machine=console-1 --url http://127.0.0.1:6510/mcp',
    ],
  },
  tools: {
    usage: 'tools [NAME] [options]',
    summary: 'List the tools, or show one of them with its arguments.',
    positionals: [{ name: 'NAME', values: 'tools', optional: true }],
    examples: ['frontpanel tools', 'frontpanel tools console_send --json'],
  },
  gym: {
    usage: 'gym SOCKET [options]',
    summary: 'Serve environments for training and testing agents at a unix socket.',
    positionals: [{ name: 'SOCKET' }],
    examples: ['frontpanel gym /tmp/gym.sock --allow-read ./games'],
  },
  demo: {
    usage: 'demo [options]',
    summary: 'Show five machines at work, with comments.',
    positionals: [],
    examples: ['frontpanel demo'],
  },
  replay: {
    usage: 'replay FILE [options]',
    summary: 'Carry out a recorded session again and compare every answer.',
    positionals: [{ name: 'FILE' }],
    examples: ['frontpanel replay session.html', 'frontpanel replay calls.jsonl --json'],
  },
  doctor: {
    usage: 'doctor [options]',
    summary: 'Check this computer and boot each kind of machine; say how to fix what is wrong.',
    positionals: [],
    examples: ['frontpanel doctor', 'frontpanel doctor --fix'],
  },
  completion: {
    usage: 'completion SHELL',
    summary: 'Print a completion script for bash, zsh or fish.',
    positionals: [{ name: 'SHELL', values: ['bash', 'zsh', 'fish'] }],
    examples: ['source <(frontpanel completion bash)'],
  },
  help: {
    usage: 'help [COMMAND]',
    summary: 'Explain the program or one command.',
    positionals: [{ name: 'COMMAND', values: 'commands', optional: true }],
    examples: [],
  },
  version: {
    usage: 'version',
    summary: 'Print the version.',
    positionals: [],
    examples: [],
  },
} as const satisfies Record<string, CommandRow>;

export type Command = keyof typeof commandTable;

export interface CommandRow {
  readonly usage: string;
  readonly summary: string;
  readonly positionals: readonly PositionalRow[];
  readonly examples: readonly string[];
}

export interface PositionalRow {
  readonly name: string;
  /** What completion offers; a list is also all that is accepted. */
  readonly values?: 'consoles' | 'tools' | 'commands' | readonly string[];
  readonly optional?: boolean;
  readonly repeated?: boolean;
}

export const commandRows: readonly (CommandRow & { readonly command: Command })[] = Object.entries(commandTable).map(
  ([name, row]) => ({ ...row, command: name as Command }),
);

/** The words a person can type; `stdio` has none. */
export const commandNames: readonly Command[] = commandRows
  .map((row) => row.command)
  .filter((command) => command !== 'stdio');

export function commandNamed(word: string): Command | undefined {
  return commandNames.find((command) => command === word);
}

/** How a command is written in a shell: `frontpanel serve`. */
export function invocation(command: Command): string {
  return command === 'stdio' ? 'frontpanel' : `frontpanel ${command}`;
}
