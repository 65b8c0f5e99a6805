import { MachineError } from '../../machine/errors.ts';
import type { CommandPreset } from '../../machine/host.ts';

/** What a parameter may be unless the preset says otherwise: a name or an address, nothing that looks like an option. */
const plainParameter = '[A-Za-z0-9_][A-Za-z0-9_.:@-]{0,127}';

/** Commands that many people use; each has to be allowed by name. */
export const knownPresets: Readonly<Record<string, CommandPreset>> = {
  ssh: {
    // BatchMode: nobody is there to be asked. -e none: the console has no escape character of its own.
    argv: ['ssh', '-tt', '-e', 'none', '-o', 'BatchMode=yes', '-o', 'ServerAliveInterval=10', '--', '{host}'],
    pty: true,
  },
  // What is typed before it has said so is dropped by virsh, when it takes the terminal over.
  virsh: { argv: ['virsh', 'console', '--safe', '--', '{domain}'], pty: true, ready: 'Escape character is' },
  'ipmi-sol': {
    argv: [
      ...['ipmitool', '-I', 'lanplus', '-H', '{host}', '-U', '{user}'],
      // The password stays out of command lines: ipmitool reads it from IPMI_PASSWORD.
      // The escape character is Ctrl-], as that of virsh: any that can be seen could begin a line of a shell.
      ...['-E', '-e', '\u001d', 'sol', 'activate'],
    ],
    pty: true,
    ready: '[SOL Session operational.',
  },
};

export interface PresetCommand {
  readonly argv: readonly string[];
  readonly pty: boolean;
  readonly ready?: string;
}

/** The command line of an allowed preset with its parameters filled in; each becomes one word, or part of one. */
export function presetCommand(
  name: string,
  parameters: Readonly<Record<string, string>>,
  allowed: Readonly<Record<string, CommandPreset>>,
): PresetCommand {
  const preset = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
  if (!preset) throw notAllowed(name, allowed);
  const wanted = parametersOf(preset);
  const unknown = Object.keys(parameters).filter((key) => !wanted.includes(key));
  const missing = wanted.filter((key) => !Object.hasOwn(parameters, key));
  if (unknown.length > 0 || missing.length > 0) {
    const what = [...missing.map((key) => `${key} is missing`), ...unknown.map((key) => `${key} is unknown`)].join(
      ', ',
    );
    throw invalid(`Parameters of the preset ${name}: ${what}.`, `Its parameters: ${wanted.join(', ') || 'none'}.`);
  }
  for (const key of wanted)
    checkParameter(name, key, parameters[key] ?? '', preset.parameters?.[key] ?? plainParameter);
  const fill = (word: string) => word.replace(placeholder, (_, key: string) => parameters[key] ?? '');
  const { pty = false, ready } = preset;
  return { argv: preset.argv.map(fill), pty, ...(ready !== undefined && { ready }) };
}

const placeholder = /\{([a-z][a-z0-9_]*)\}/g;

/** The names of a preset's parameters, in the order in which they appear. */
export function parametersOf({ argv }: CommandPreset): string[] {
  return [...new Set(argv.flatMap((word) => [...word.matchAll(placeholder)].map(([, key = '']) => key)))];
}

function checkParameter(preset: string, key: string, value: string, pattern: string): void {
  if (value.length <= 256 && !value.includes('\0') && new RegExp(`^(?:${pattern})$`, 'u').test(value)) return;
  throw invalid(
    `${JSON.stringify(value.slice(0, 60))} cannot be the ${key} of the preset ${preset}.`,
    `It must match ${pattern}.`,
  );
}

function notAllowed(name: string, allowed: Readonly<Record<string, CommandPreset>>): MachineError {
  const names = Object.keys(allowed);
  const known = Object.hasOwn(knownPresets, name)
    ? ` The user can allow it: "console-commands": {"${name}": true}.`
    : '';
  return new MachineError(
    'DENIED',
    `No preset ${JSON.stringify(name.slice(0, 60))} is allowed.`,
    names.length > 0
      ? `Allowed: ${names.join(', ')}.${known}`
      : `The user allows presets in the configuration file, under "console-commands".${known}`,
    { allowed: names, operator_option: '"console-commands"' },
  );
}

function invalid(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
