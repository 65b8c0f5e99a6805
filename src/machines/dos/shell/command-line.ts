import type { PendingCommand } from './shell-state.ts';

/** A line as one or more commands, the output of each being the input of the next; undefined for bad syntax. */
export function parseLine(line: string, temporary: () => string): PendingCommand[] | undefined {
  const parts = splitOutsideQuotes(line, '|');
  const commands: PendingCommand[] = [];
  let input: string | undefined;
  for (const [index, part] of parts.entries()) {
    const command = redirections(part);
    if (command === undefined || (parts.length > 1 && command.text.trim() === '')) return undefined;
    const last = index === parts.length - 1;
    const output = last ? command.output : temporary();
    commands.push({
      ...command,
      ...(input === undefined ? {} : { input, temporary: input }),
      ...(output === undefined ? {} : { output }),
    });
    input = last ? undefined : output;
  }
  return commands;
}

/** Takes `<file`, `>file` and `>>file` out of a command. */
function redirections(text: string): PendingCommand | undefined {
  let rest = '';
  let input: string | undefined;
  let output: string | undefined;
  let append = false;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? '';
    if (character === '"') quoted = !quoted;
    if (quoted || (character !== '<' && character !== '>')) {
      rest += character;
      continue;
    }
    const doubled = character === '>' && text[i + 1] === '>';
    const [all = '', name = ''] = /^\s*([^\s<>|]*)/.exec(text.slice(i + (doubled ? 2 : 1))) ?? [];
    if (name === '') return undefined;
    if (character === '<') input = name;
    else {
      output = name;
      append = doubled;
    }
    i += all.length + (doubled ? 1 : 0);
  }
  return { text: rest, ...(input ? { input } : {}), ...(output ? { output } : {}), append };
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [''];
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (character === separator && !quoted) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

/** `%1`, `%NAME%` and `%%` in a line of a batch file. */
export function expandVariables(
  line: string,
  parameter: (index: number) => string,
  variable: (name: string) => string,
): string {
  return line.replace(/%%|%(\d)|%([^%\s=]+)%|%/g, (all, digit?: string, name?: string) => {
    if (all === '%%') return '%';
    if (digit !== undefined) return parameter(Number(digit));
    return name === undefined ? '' : variable(name);
  });
}

/** The name of a command and what follows it, as it stands. */
export function splitCommand(text: string): { name: string; tail: string } {
  const trimmed = text.replace(/^[\s,;=]+/, '');
  // Commands may be followed by a path or a switch without a space: CD\, DIR/W, ECHO.
  const internal =
    /^(cd|chdir|dir|md|mkdir|rd|rmdir|echo|copy|del|type|path|cls|ver|vol)(?=[\\/.,;:=+])(?!\.(com|exe|bat)\b)/i;
  const [name = ''] = internal.exec(trimmed) ?? /^[^\s,;=/<>|"]+|^"[^"]*"/.exec(trimmed) ?? [];
  return { name, tail: trimmed.slice(name.length) };
}

/** Words without separators; switches (`/W`) apart. */
export function splitWords(tail: string): { words: string[]; switches: Set<string> } {
  const words: string[] = [];
  const switches = new Set<string>();
  for (const word of tail.split(/[\s,;=]+/)) {
    const [first = '', ...rest] = word.split('/');
    if (first !== '') words.push(first);
    for (const option of rest) if (option !== '') switches.add(option.toUpperCase());
  }
  return { words, switches };
}
