import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandNames } from './commands.ts';
import { completionScript } from './completion.ts';
import { options } from './options.ts';

const run = promisify(execFile);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'frontpanel-completion-'));
  await mkdir(join(directory, 'frontpanel', '123'), { recursive: true });
  await writeFile(join(directory, 'frontpanel', '123', 'router-1.out'), '');
  await mkdir(join(directory, 'disks'));
  await writeFile(join(directory, 'disk.json'), '');
  await writeFile(join(directory, 'complete.bash'), completionScript('bash', ['console_read', 'console_send', 'run']));
});

afterAll(() => rm(directory, { recursive: true }));

/** What bash offers for a line whose last word is being typed. */
async function complete(...words: string[]): Promise<string[]> {
  const script = [
    'source ./complete.bash',
    'complete -p frontpanel >&2',
    'COMP_WORDS=("$@")',
    'COMP_CWORD=$(($# - 1))',
    '_frontpanel',
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join('\n');
  const { stdout, stderr } = await run('bash', ['--norc', '-uc', script, 'bash', 'frontpanel', ...words], {
    cwd: directory,
    env: { PATH: process.env.PATH, XDG_RUNTIME_DIR: directory },
  });
  expect(stderr).toBe('complete -F _frontpanel frontpanel\n');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  test('commands', async () => {
    expect(await complete('')).toEqual(commandNames);
    expect(await complete('--yes', 'ser')).toEqual(['serve']);
    expect(await complete('--log-level', 'debug', 'at')).toEqual(['attach']);
    expect(await complete('help', 'd')).toEqual(['dap', 'demo', 'doctor']);
  });

  test('options of the command and of no other', async () => {
    expect(await complete('serve', '--po')).toEqual(['--port']);
    expect(await complete('attach', '--po')).toEqual([]);
    const offered = await complete('doctor', '--');
    const own = options.filter((option) => option.commands.includes('doctor')).map((option) => `--${option.name}`);
    expect(offered.toSorted()).toEqual(own.toSorted());
    expect(await complete('--con')).toEqual(['--config']);
  });

  test('values: choices, files, directories, free text; after a space and an equals sign', async () => {
    expect(await complete('--log-level', 'n')).toEqual(['notice']);
    expect(await complete('--image-responses', '=', '')).toEqual(['allow', 'omit']);
    expect(await complete('--image-responses', '=')).toEqual(['allow', 'omit']);
    expect(await complete('--image-responses', '=', 'o')).toEqual(['omit']);
    expect(await complete('--toolset', 'd')).toEqual(['debug']);
    expect(await complete('--config', 'disk')).toEqual(expect.arrayContaining(['disk.json', 'disks']));
    expect(await complete('--allow-path', 'disk')).toEqual(['disks']);
    expect(await complete('serve', '--token', '')).toEqual([]);
  });

  test('tools, shells and the consoles that are there', async () => {
    expect(await complete('call', 'console_')).toEqual(['console_read', 'console_send']);
    expect(await complete('call', 'run', '')).toEqual([]);
    expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await complete('attach', '')).toEqual(['router-1']);
    expect(await complete('attach', '--socket', '=', 'x.out', 'r')).toEqual(['router-1']);
  });
});

describe.each(['zsh', 'fish'] as const)('%s', (shell) => {
  test('names every command, every option and the tools', () => {
    const script = completionScript(shell, ['console_read']);
    for (const command of commandNames) expect(script).toContain(command);
    for (const option of options) {
      const flag = shell === 'fish' ? `-l ${option.name}` : `--${option.name}`;
      if (option.hidden) expect(script).not.toContain(flag);
      else expect(script).toContain(flag);
    }
    expect(script).toContain('console_read');
  });

  test('is accepted by the shell, where it is installed', async ({ skip }) => {
    const file = join(directory, `complete.${shell}`);
    await writeFile(file, completionScript(shell, ['run']));
    await run(shell, ['--version']).catch(() => skip(`${shell} is not installed`));
    await run(shell, ['-n', file]);
  });
});
