import { suggestion } from '../formats/nearest-name.ts';
import { type Argv, splitArgv } from './argv.ts';
import { settleCombinations } from './combinations.ts';
import { type Command, commandNamed, commandNames, commandTable, invocation, type PositionalRow } from './commands.ts';
import type { ReadConfigFile } from './config-file.ts';
import type { RawSections } from './config-section-names.ts';
import { leftOutTexts, restrictingPart } from './found-config.ts';
import { environmentLayer, fileLayer, flagLayer, type Setting, type Source } from './layers.ts';
import { expectation } from './option-value.ts';
import { type Option, type OptionName, type OptionValue, type OptionValues, options } from './options.ts';
import { UsageError } from './usage-error.ts';

export interface CommandLine {
  readonly command: Command;
  /** Without the command's own name. */
  readonly positionals: readonly string[];
  /** All options; those that the command does not take have their defaults. */
  readonly options: OptionValues;
  readonly sources: Readonly<Record<OptionName, Source>>;
  /** Of the configuration file, not yet checked. */
  readonly sections: RawSections | undefined;
  /** Things a person should hear about that are no errors. */
  readonly warnings: readonly string[];
}

/** Commands that use what the configuration file says; `doctor` examines it on its own. */
const configuredCommands: readonly Command[] = ['stdio', 'serve', 'station', 'dap', 'call', 'tools'];

/**
 * Makes sense of the command line, the environment and the configuration file, in this order of precedence.
 * Throws a `UsageError` with all problems found.
 */
export function parseCommandLine(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  readConfigFile: ReadConfigFile,
): CommandLine {
  const split = splitArgv(argv);
  const asked = (name: OptionName) => split.flags.some(({ option, text }) => option.name === name && text === 'true');
  if (asked('help')) {
    const named = commandNamed(split.positionals[0] ?? '');
    return commandLine('help', named ? [named] : [], new Map(), []);
  }
  if (asked('version')) return commandLine('version', [], new Map(), []);

  const { command, positionals } = chooseCommand(split);
  const own = options.filter((option) => option.commands.includes(command));
  const flags = flagLayer(own, split.flags);
  const environment = environmentLayer(own, env);
  const config = flags.settings.get('config') ?? environment.settings.get('config');
  const written = configuredCommands.includes(command) ? fileLayer(own, config, readConfigFile) : undefined;
  const file = written && !config ? restrictingPart(command, written, [flags, environment]) : written;

  const settings = new Map([...(file?.settings ?? []), ...environment.settings, ...flags.settings]);
  const problems = [
    ...optionProblems(command, split),
    ...positionalProblems(command, positionals),
    ...flags.problems,
    ...environment.problems,
    ...(file?.problems ?? []),
    ...settleCombinations(command, positionals, settings, file?.sections),
  ];
  if (problems.length > 0) throw new UsageError(problems);
  const sections = file?.sections;
  const warnings = [...strangeVariables(env), ...(sections ? leftOutTexts(sections) : [])];
  return { ...commandLine(command, positionals, settings, warnings), sections };
}

function chooseCommand({ positionals, flags }: Argv): { command: Command; positionals: readonly string[] } {
  const [word, ...rest] = positionals;
  if (word === undefined) {
    const isClient = flags.some(({ option }) => option.name === 'socket');
    return { command: isClient ? 'attach' : 'stdio', positionals: [] };
  }
  const command = commandNamed(word);
  if (command !== undefined) return { command, positionals: rest };
  const meant = suggestion(word, commandNames) || ` The commands are ${commandNames.join(', ')}.`;
  throw new UsageError([`Unknown command ${JSON.stringify(word)}.${meant}`]);
}

function optionProblems(command: Command, { flags, problems }: Argv): string[] {
  const own = options.filter((option) => option.commands.includes(command));
  const names = own.filter((option) => !option.hidden).map((option) => option.name);
  const fromWords = problems.map((problem) => {
    if (problem.type === 'value missing') {
      return `--${problem.option.name} needs a value: ${expectation(problem.option)}.`;
    }
    const meant = suggestion(problem.word.replace(/^-+/, ''), names, '--');
    return `Unknown option ${problem.word}.${meant || ` See ${invocation(command)} --help.`}`;
  });
  const elsewhere = flags
    .filter(({ option }) => !own.includes(option))
    .map(({ option, written }) => {
      const owners = option.commands.map(invocation).join(', ');
      return `${written} is not an option of ${invocation(command)}, but of ${owners}.`;
    });
  return [...fromWords, ...elsewhere];
}

function positionalProblems(command: Command, words: readonly string[]): string[] {
  const { usage, positionals }: { usage: string; positionals: readonly PositionalRow[] } = commandTable[command];
  const last = positionals.at(-1);
  const problems = positionals
    .filter((row, index) => !row.optional && words[index] === undefined)
    .map((row) => `${row.name} is missing. Usage: frontpanel ${usage}`);
  if (words.length > positionals.length && !last?.repeated) {
    problems.push(`Unexpected ${JSON.stringify(words[positionals.length])}. Usage: frontpanel ${usage}`);
  }
  positionals.forEach((row, index) => {
    const valid = row.values === 'commands' ? commandNames : row.values;
    const word = words[index];
    if (word === undefined || typeof valid !== 'object' || valid.some((value) => value === word)) return;
    problems.push(`${row.name} must be one of ${valid.join(', ')}, not ${JSON.stringify(word)}.`);
  });
  return problems;
}

/** Variables that look like ours and are none: most likely misspelt. */
function strangeVariables(env: NodeJS.ProcessEnv): string[] {
  const known = options.map((option) => option.env);
  return Object.keys(env)
    .filter((name) => name.startsWith('FRONTPANEL_') && !known.includes(name))
    .map((name) => `The environment variable ${name} means nothing.${suggestion(name, known)}`);
}

function defaultOf(option: Option, command: Command): OptionValue | undefined {
  return option.type === 'number' && option.defaultFor ? option.defaultFor(command) : option.default;
}

function commandLine(
  command: Command,
  positionals: readonly string[],
  settings: ReadonlyMap<OptionName, Setting>,
  warnings: readonly string[],
): CommandLine {
  const values: Record<string, OptionValue | undefined> = {};
  const sources: Record<string, Source> = {};
  for (const option of options) {
    const setting = settings.get(option.name);
    values[option.key] = setting ? setting.value : defaultOf(option, command);
    sources[option.name] = setting?.source ?? { place: 'default', name: 'default' };
  }
  // Each value was read by the row of the table that its type is made from.
  return {
    command,
    positionals,
    options: values as OptionValues,
    sources: sources as CommandLine['sources'],
    sections: undefined,
    warnings,
  };
}
