import { upperCase } from '../../drives/names.ts';
import type { CommandCall, ShellCommand } from '../shell-command.ts';
import { ShellError } from '../shell-command.ts';
import { fileExists, lastName, matchFiles } from '../shell-files.ts';

const echo: ShellCommand = {
  names: ['ECHO'],
  run({ shell, tail }) {
    const word = upperCase(tail.trim());
    if (tail.trim() === '') shell.print(`ECHO is ${shell.state.echo ? 'on' : 'off'}\r\n`);
    else if (word === 'ON') shell.state.echo = true;
    else if (word === 'OFF') shell.state.echo = false;
    else shell.print(`${tail.slice(1)}\r\n`);
  },
};

const remark: ShellCommand = { names: ['REM'], run() {} };

const pause: ShellCommand = {
  names: ['PAUSE'],
  run({ shell, context }) {
    shell.print('Press any key to continue . . .\r\n');
    context.job = { kind: 'pause', key: { step: 'before' } };
  },
};

const goTo: ShellCommand = {
  names: ['GOTO'],
  run({ shell, context, words }) {
    const batch = context.batches.at(-1);
    if (batch === undefined) return;
    const wanted = label(words[0]?.replace(/^:/, '') ?? '');
    const line = batch.lines.findIndex((text) => /^\s*:/.test(text) && label(text.trim().slice(1).trim()) === wanted);
    if (line < 0) {
      shell.endBatch(context);
      throw new ShellError('Label not found');
    }
    batch.next = line + 1;
  },
};

const shift: ShellCommand = {
  names: ['SHIFT'],
  run({ context }) {
    const batch = context.batches.at(-1);
    if (batch !== undefined) batch.shifted++;
  },
};

const call: ShellCommand = {
  names: ['CALL'],
  run: ({ shell, guest, context, tail }) => shell.execute(guest, context, tail.trim(), true),
};

const condition: ShellCommand = {
  names: ['IF'],
  run(values) {
    const { shell, guest, context } = values;
    const [, not, rest = ''] = /^\s*(not\s+)?(.*)$/is.exec(values.tail) ?? [];
    const { holds, command } = evaluate(values, rest);
    if (command.trim() === '') throw new ShellError('Syntax error');
    if (holds !== (not !== undefined)) shell.execute(guest, context, command, false);
  },
};

function evaluate({ dos, shell }: CommandCall, text: string): { holds: boolean; command: string } {
  const level = /^errorlevel[\s=]+(\d+)\s+(.*)$/is.exec(text);
  if (level) return { holds: shell.state.errorLevel >= Number(level[1]), command: level[2] ?? '' };
  const exist = /^exist\s+(\S+)\s+(.*)$/is.exec(text);
  if (exist) return { holds: fileExists(dos, exist[1] ?? ''), command: exist[2] ?? '' };
  const equal = /^("[^"]*"|[^\s=]*)\s*==\s*("[^"]*"|[^\s=]*)\s+(.*)$/s.exec(text);
  if (equal) return { holds: equal[1] === equal[2], command: equal[3] ?? '' };
  throw new ShellError('Syntax error');
}

const each: ShellCommand = {
  names: ['FOR'],
  run({ dos, context, tail }) {
    const match = /^\s*%+(\S)\s+in\s*\(([^)]*)\)\s*do\s+(.*)$/is.exec(tail);
    if (match === null) throw new ShellError('Syntax error');
    const [, name = '', set = '', command = ''] = match;
    if (/^[\s@]*for\b/i.test(command)) throw new ShellError('FOR cannot be nested');
    const values = set
      .split(/[\s,;=]+/)
      .filter((word) => word !== '')
      .flatMap((word) => {
        if (!/[*?]/.test(word)) return [word];
        const folder = word.slice(0, word.length - lastName(word).length);
        return matchFiles(dos, word, 0).map(({ path }) => folder + lastName(path));
      });
    // A file that FOR itself was redirected to takes the output of all its commands.
    const output = context.active?.output;
    const redirected = output === undefined ? {} : { output, append: true };
    context.pending.unshift(
      ...values.map((value) => {
        const text = command.replaceAll(`%${name}`, value);
        return { text, isShown: !text.startsWith('@'), ...redirected };
      }),
    );
  },
};

const exit: ShellCommand = {
  names: ['EXIT'],
  run({ context }) {
    // The first interpreter has nowhere to go while it has a prompt.
    if (context.stack < 0 && context.interactive) return;
    context.batches = [];
    context.pending = [];
    context.left = true;
  },
};

export const batchCommands = [echo, remark, pause, goTo, shift, call, condition, each, exit] as const;

/** Only eight characters of a label count. */
function label(text: string): string {
  return upperCase(text.split(/[\s;,=:]/)[0] ?? '').slice(0, 8);
}
