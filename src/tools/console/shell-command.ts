import { lowerHex } from '../../formats/hex.ts';
import { advice, call, type Fix, MachineError } from '../../machine/errors.ts';

/** A terminal in line mode takes no longer line. */
const maxLine = 4_000;

/** What the shell prints before and after a command's output; the typed line never contains either. */
export interface Sentinels {
  readonly begin: string;
  /** Followed by the exit code and `@@`. */
  readonly end: string;
  /** The part of it that also shows after an escape sequence that the command left open: the first `@` may end one. */
  readonly landmark: string;
}

export function sentinels(nonce: string): Sentinels {
  return { begin: `@@${nonce}<@@`, end: `@@${nonce}:`, landmark: `${nonce}:` };
}

/**
 * The line to type so that a POSIX shell (bash, dash, busybox ash, U-Boot's hush) runs `command` in itself, prints one
 * sentinel before its output and another with the exit code after it. Both are written in two quoted pieces, which the
 * shell joins and the terminal's echo does not.
 *
 * What cannot stand in the middle of a line (several lines, tabs, comments, open quotes) goes through `eval` of a
 * `printf`, so that no control character is typed into a line editor; by way of `command`, or dash and ash would drop
 * the rest of the line at a syntax error.
 */
export function buildCommand(command: string, nonce: string): string {
  if (!/^[A-Za-z0-9]{4,32}$/.test(nonce)) throw new TypeError('nonce must be 4 to 32 letters and digits');
  const text = command.replace(/\r\n?/g, '\n').trim();
  if (text === '') throw invalid('There is no command to run.', 'Give one, for example "uname -a".');
  const forbidden = /[\0-\x08\x0b-\x1f\x7f]/.exec(text)?.[0];
  if (forbidden !== undefined) {
    const code = lowerHex(forbidden.charCodeAt(0), 2);
    throw invalid(
      `The command contains the control character \\x${code}, which a line editor would obey instead of running.`,
      [
        advice`Leave it out, or let printf make it.`,
        advice`Keys are sent with ${call('console_send', { keys: ['ctrl-c'] })}.`,
      ],
    );
  }
  const inline = needsEval(text) ? `command eval "$(printf '${printfFormat(text)}')"` : text.replace(/(?:\s*;)+$/, '');
  // A command in the background brings its own separator.
  const separator = /(?:^|[^&\\])&$/.test(inline) ? '' : ';';
  const line = `echo "@@""${nonce}<@@"; ${inline}${separator} echo "@@""${nonce}:$?@@"`;
  const bytes = new TextEncoder().encode(line).length;
  if (bytes > maxLine) {
    throw invalid(
      `The command is too long: ${bytes} bytes as typed, and terminals take lines of at most ${maxLine}.`,
      'Write it to a file in pieces and run the file, or run it in parts.',
    );
  }
  return line;
}

/** Whether the command, followed by `; echo`, would not be what was meant. */
function needsEval(text: string): boolean {
  // Interactive bash takes ! for its history, also between double quotes.
  if (/[\n\t]|![^\s=(]/.test(text)) return true;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\\' && quote !== "'") {
      if (++at >= text.length) return true;
    } else if (quote) {
      if (character === quote) quote = '';
    } else if (character === "'" || character === '"' || character === '`') quote = character;
    else if (character === '#' && (at === 0 || /[\s;&|()]/.test(text[at - 1] ?? ''))) return true;
  }
  return quote !== '';
}

/** The text as a printf format between single quotes; `!` would be history to bash. */
function printfFormat(text: string): string {
  const escapes: Readonly<Record<string, string>> = {
    '\\': '\\\\',
    '%': '%%',
    "'": '\\047',
    '!': '\\041',
    '\n': '\\n',
    '\t': '\\t',
  };
  return text.replace(/[\\%'!\n\t]/g, (character) => escapes[character] ?? character);
}

function invalid(message: string, fix: Fix): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
