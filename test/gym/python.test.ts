import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a script prints; fails with what it complains about. */
function python(script: string): string {
  expect(existsSync(`${root}/dist/cli.js`)).toBe(true);
  const done = spawnSync('/usr/bin/python3', [script, process.execPath, 'dist/cli.js'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 240_000,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  expect(done.stderr).toBe('');
  return done.stdout;
}

const scores = (printed: string) => [...printed.matchAll(/: (\d+) /g)].map(([, score]) => Number(score));

test('a Python client drives C64s, and one that looks plays better than one that does not', () => {
  const [random = 0, scripted = 0] = scores(python('examples/gym/catcher.py'));
  expect(scripted).toBeGreaterThan(2 * random);
}, 300_000);

test('the same on DOS PCs, by what is written on the screen', () => {
  const [random = 0, scripted = 0] = scores(python('examples/gym/letters.py'));
  expect(scripted).toBeGreaterThan(random);
}, 300_000);

test('saving, forking, waiting for some, two players and errors reach Python as they are', () => {
  expect(python('test/gym/client.py').trim().split('\n')).toEqual([
    'spaces Discrete(3) MultiDiscrete([3, 3]) Box(0, 255, (84, 84), uint8)',
    'within [True, True, False] True',
    'kept True',
    'restored True',
    'forked True',
    'received [0, 1]',
    'seeds True',
    'error 1 seeds for 2 environments',
    "agents ['player_0', 'player_1'] 0 Discrete(3) Box(0, 255, (84, 84), uint8)",
    'players [12.0, 0.0]',
    'ended []',
    'error actions are whole numbers below [3]',
    'error action 9 of environment 0: it is one of 0 to 2',
    'error environments are open',
  ]);
}, 300_000);
