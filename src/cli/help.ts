import { coloursFor } from './colours.ts';
import { type Command, type CommandRow, commandRows, commandTable, invocation } from './commands.ts';
import { defaultConfigPath } from './config-file.ts';
import { optionGroups } from './option-row.ts';
import { type Option, options, reaches } from './options.ts';

const purpose = 'An MCP server through which agents boot, see, drive, debug and rewind emulated machines.';

export interface HelpLayout {
  /** Where the text will go: a terminal gets colours. */
  readonly stream: object;
  readonly env: NodeJS.ProcessEnv;
  /** Width to wrap at, where it is known. */
  readonly columns?: number | undefined;
}

const usualColumns = 80;
const mostColumns = 110;

/** Explains the program (`stdio`, with the list of commands) or one command. */
export function helpText(command: Command, { stream, env, columns = usualColumns }: HelpLayout): string {
  const { bold } = coloursFor(stream, env);
  const width = Math.min(columns, mostColumns);
  const row: CommandRow = commandTable[command];
  const isGeneral = command === 'stdio' || command === 'help';
  const blocks = [`${bold('Usage:')} frontpanel ${isGeneral ? '[COMMAND] [options]' : row.usage}`];
  if (isGeneral) {
    blocks.push(wrap(purpose, width, '').join('\n'));
    const entries = commandRows.map((entry): Entry => [invocation(entry.command), entry.summary]);
    blocks.push(`${bold('Commands:')}\n${columnsOf(entries, width)}`);
  } else {
    blocks.push(row.summary);
  }
  blocks.push(...optionBlocks(isGeneral ? 'stdio' : command, width, bold));
  const examples = (isGeneral ? commandTable.stdio : row).examples;
  if (examples.length > 0) blocks.push([bold('Examples:'), ...examples.map((line) => `  ${line}`)].join('\n'));
  const takesLayers =
    isGeneral || options.some(({ name, commands }) => name === 'config' && commands.includes(command));
  if (takesLayers) blocks.push(wrap(footer(isGeneral), width, '').join('\n'));
  return `${blocks.join('\n\n')}\n`;
}

/** `6510`, `127.0.0.0/8,::1`, `generated …`; empty when there is nothing to say. */
export function defaultText(option: Option): string {
  if (option.defaultText !== undefined) return option.defaultText;
  if (option.default === undefined || option.type === 'flag') return '';
  return String(option.default);
}

/** `--port PORT`, `--log-level debug|info…`. */
export function optionUsage(option: Option): string {
  const short = option.short ? `-${option.short}, ` : '';
  const value = option.type === 'choice' ? option.choices.join('|') : option.placeholder;
  return `${short}--${option.name}${value ? ` ${value}` : ''}`;
}

type Entry = readonly [left: string, right: string];

function optionBlocks(command: Command, width: number, bold: (text: string) => string): string[] {
  const own = options.filter((option) => option.commands.includes(command) && !option.hidden);
  return Object.entries(optionGroups).flatMap(([group, title]) => {
    const entries = own.filter((option) => option.group === group).map(describe);
    if (entries.length === 0) return [];
    return [`${bold(`${title}:`)}\n${columnsOf(entries, width)}`];
  });
}

function describe(option: Option): Entry {
  const notes = [
    defaultText(option) && `default: ${defaultText(option)}`,
    reaches(option, 'environment') && option.env,
  ].filter(Boolean);
  return [optionUsage(option), option.summary + (notes.length > 0 ? ` [${notes.join('; ')}]` : '')];
}

function footer(isGeneral: boolean): string {
  const precedence = `A flag wins over the environment, which wins over ${defaultConfigPath}. Lists take commas or repeated flags; a flag without a value is switched off by --no-NAME.`;
  return isGeneral ? `${precedence} "frontpanel COMMAND --help" explains a command.` : precedence;
}

function columnsOf(entries: readonly Entry[], columns: number): string {
  const longest = Math.max(...entries.map(([left]) => left.length));
  const leftWidth = Math.min(longest, 30) + 2;
  return entries
    .flatMap(([left, right]) => {
      const indent = ' '.repeat(leftWidth + 2);
      const [first = '', ...rest] = wrap(right, columns, indent);
      const fits = left.length + 2 <= leftWidth;
      return fits ? [`  ${left.padEnd(leftWidth)}${first.trimStart()}`, ...rest] : [`  ${left}`, first, ...rest];
    })
    .join('\n');
}

function wrap(text: string, columns: number, indent: string): string[] {
  const width = Math.max(columns - indent.length, 30);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, indent + line];
}
