import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTerminals, type Surroundings } from './find-terminal.ts';

let folder = '';
const installed = ['kitty', 'foot', 'konsole', 'xterm', 'st', 'xdg-terminal-exec', 'open', 'osascript', 'tmux'];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terminals-'));
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'bin', 'alacritty'));
  await writeFile(join(folder, 'bin', 'urxvt'), '');
  for (const name of installed) {
    // Stands for a tmux server that runs as long as TMUX is not "dead".
    await writeFile(join(folder, 'bin', name), '#!/bin/sh\n[ "$TMUX" != dead ] && [ "$NO_TMUX" = "" ]\n');
    await chmod(join(folder, 'bin', name), 0o755);
  }
  await mkdir(join(folder, 'apps', 'Utilities', 'Terminal.app'), { recursive: true });
  await mkdir(join(folder, 'apps', 'iTerm.app'));
  await mkdir(join(folder, 'apps', 'Ghostty.app'));
});
afterAll(() => rm(folder, { recursive: true }));

function around(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = 'linux'): Surroundings {
  const path = `relative:${join(folder, 'bin')}`;
  return { env: { PATH: path, NO_TMUX: '1', ...env }, platform, appFolders: [join(folder, 'apps')] };
}

async function names(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = 'linux', name = 'auto'): Promise<string[]> {
  const { found } = await findTerminals(name, around(env, platform));
  return found.map(({ terminal }) => terminal.name);
}

const x11 = { DISPLAY: ':0' };
const inOrder = ['kitty', 'foot', 'konsole', 'xterm', 'xdg-terminal-exec'];

describe('findTerminals', () => {
  test('the best that is installed comes first', async () => {
    expect(await names(x11)).toEqual(inOrder);
    expect(await names({ WAYLAND_DISPLAY: 'wayland-0' })).toEqual(inOrder);
  });

  test('without a display only tmux is left, when its server runs', async () => {
    expect(await names({})).toEqual([]);
    expect(await names({ NO_TMUX: '' })).toEqual(['tmux']);
    expect(await names({ NO_TMUX: '', ...x11 })).toEqual([...inOrder, 'tmux']);
  });

  test('TERM_PROGRAM, then TERMINAL, go before the list', async () => {
    expect((await names({ ...x11, TERMINAL: 'konsole' }))[0]).toBe('konsole');
    expect((await names({ ...x11, TERMINAL: '/usr/local/bin/none -x' }))[0]).toBe('kitty');
    expect((await names({ ...x11, TERMINAL: 'st' }))[0]).toBe('st');
    expect((await names({ ...x11, TERM_PROGRAM: 'vscode' }))[0]).toBe('kitty');
    expect(await names({ TERM_PROGRAM: 'iTerm.app', TERMINAL: 'xterm' }, 'darwin')).toEqual([
      'iTerm.app',
      'xterm',
      ...['Ghostty.app', 'Terminal.app', 'kitty', 'foot', 'konsole', 'xdg-terminal-exec'],
    ]);
  });

  test('a TERMINAL given by its path is that very program', async () => {
    const path = join(folder, 'bin', 'konsole');
    const { found } = await findTerminals('auto', around({ ...x11, PATH: '/nowhere', TERMINAL: `${path} --old` }));
    expect(found.map(({ program }) => program)).toEqual([path]);
  });

  test('inside tmux the person is there', async () => {
    expect(
      (await names({ ...x11, TMUX: '/tmp/tmux-0/default,1,0', NO_TMUX: '', TERMINAL: 'xterm' })).slice(0, 3),
    ).toEqual(['tmux', 'xterm', 'kitty']);
    expect(await names({ ...x11, TMUX: 'dead', NO_TMUX: '' })).toEqual(inOrder);
  });

  test('a name means that one and no other', async () => {
    expect(await names({ ...x11, TERMINAL: 'kitty' }, 'linux', 'xterm')).toEqual(['xterm']);
    expect(await names(x11, 'linux', 'XTerm')).toEqual(['xterm']);
    expect(await names({}, 'darwin', 'ghostty')).toEqual(['Ghostty.app']);
    expect(await names({}, 'darwin', 'iTerm2')).toEqual(['iTerm.app']);
    expect(await names({}, 'darwin', 'Terminal')).toEqual(['Terminal.app']);
    expect(await findTerminals('ghostty', around(x11))).toEqual({ found: [], unusable: ['ghostty: not installed'] });
    expect(await findTerminals('iTerm', around(x11))).toEqual({ found: [], unusable: ['iTerm.app: only on macOS'] });
    expect((await findTerminals('kitty', around({}))).unusable[0]).toMatch(/needs a display/);
    expect((await findTerminals('alacritty', around(x11))).unusable).toEqual(['alacritty: not installed']);
    expect((await findTerminals('urxvt', around(x11))).unusable).toEqual(['urxvt: not installed']);
  });

  test.each(['nope', '', '../xterm', 'xterm; id'])(
    'the unknown name %j is refused with the known ones',
    async (name) => {
      await expect(findTerminals(name, around(x11))).rejects.toMatchObject({
        type: 'INVALID_ARGUMENT',
        fix: expect.stringMatching(/auto.*kitty.*xterm.*tmux/),
      });
    },
  );
});
