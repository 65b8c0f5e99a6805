import { upperCase } from '../../drives/names.ts';
import type { ShellCommand } from '../shell-command.ts';
import { ShellError } from '../shell-command.ts';
import { setVariable, variable, variables } from '../shell-environment.ts';

const set: ShellCommand = {
  names: ['SET'],
  run({ dos, shell, tail }) {
    const text = tail.replace(/^\s+/, '');
    if (text === '') {
      for (const line of variables(dos)) shell.print(`${line}\r\n`);
      return;
    }
    const equals = text.indexOf('=');
    if (equals < 1) throw new ShellError('Syntax error');
    setVariable(dos, text.slice(0, equals), text.slice(equals + 1));
  },
};

const path: ShellCommand = {
  names: ['PATH'],
  run({ dos, shell, tail }) {
    const text = tail.replace(/^[\s=]+/, '').trimEnd();
    if (text === '') {
      const value = variable(dos, 'PATH');
      shell.print(value === '' ? 'No Path\r\n' : `PATH=${value}\r\n`);
    } else setVariable(dos, 'PATH', text === ';' ? '' : upperCase(text));
  },
};

const prompt: ShellCommand = {
  names: ['PROMPT'],
  run: ({ dos, tail }) => setVariable(dos, 'PROMPT', tail.replace(/^[\s=]+/, '')),
};

export const environmentCommands = [set, path, prompt] as const;
