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
    'error 1 seeds for 2 environments: give one seed for all, or one per environment',
    "agents ['player_0', 'player_1'] 0 Discrete(3) Box(0, 255, (84, 84), uint8)",
    'players [12.0, 0.0]',
    'ended []',
    "any options True ['player_0', 'player_1']",
    'begun []',
    "last object (3,) ['memory', 'pixels'] (84, 84) uint8",
    'of whom [ True  True  True] [ True  True  True] {}',
    'masked {}',
    "lost ['lost' None None] [ True False False] ['lost' None None] None",
    'error an answer was interrupted: open the environments again',
    'error an answer was interrupted: open the environments again',
    'error actions are whole numbers from 0 on, and below 3; these are [256, 0]',
    'error action 9 of environment 0: it is one of 0 to 2',
    'error environments are open',
  ]);
}, 300_000);

test('what is wrong is said with what to do about it, and changes nothing', () => {
  expect(python('test/gym/wrong.py').trim().split('\n')).toEqual([
    'FrontpanelError environments: there is no option colour. There are: kind, options, from, count, threads, frames, action, observe, reward, end, limit, seed, sticky, idle, autoreset.',
    'FrontpanelError environments: count: too small: expected number to be >=1. Correct that.',
    'FrontpanelError options of c64: sid: invalid option: expected one of "6581"|"8580". Correct that.',
    'FrontpanelError There are 2 rewards for 1 player. Give one expression for all, or a list with one for each player; "action" has a list of choices for each.',
    'FrontpanelError The memory cpu ends before 65535 + 2. Spaces: cpu (0x10000 bytes), ram (0x10000 bytes), rom (0x10000 bytes), io (0x10000 bytes), color (0x400 bytes), vic (0x4000 bytes).',
    'FrontpanelError There is no memory "rum". Spaces: cpu (0x10000 bytes), ram (0x10000 bytes), rom (0x10000 bytes), io (0x10000 bytes), color (0x400 bytes), vic (0x4000 bytes).',
    'FrontpanelError Episodes can begin at only one place, but "from" has program and source. Give one of them.',
    'ValueError actions of the shape (1,) for 2 environments: a number for each, (2,)',
    'ValueError actions of the shape (1, 2) for 2 environments: a number for each, (2,)',
    'ValueError actions are whole numbers from 0 on, and below 3; these are [0.0, 1.0]',
    'ValueError actions are whole numbers from 0 on, and below 3; these are [-1, 0]',
    'FrontpanelError action 9 of environment 0: it is one of 0 to 2',
    'kept True',
    'ValueError no option mask of reset: use reset_mask',
    'ValueError reset_mask is an array of 2 bool, not bool of the shape (1,)',
    'ValueError reset_mask is an array of 2 bool, not int64 of the shape (2,)',
    'ValueError 1.5 is not a seed: use a whole number from 0 on',
    'ValueError -1 is not a seed: use a whole number from 0 on',
    'ValueError 4294967296 is not a seed: seeds are below 2**32',
    'ValueError 1 seeds for 2 environments: give one seed for all, or one per environment',
    'ValueError -1 is not the number of an environment: use a whole number from 0 on',
    'ValueError no environment 2: there are 2, from 0 on',
    'received False True [ True  True] (2,) True',
    'ValueError one action for each of player_0, player_1: there is none for player_1',
    'ValueError one action for each of player_0, player_1: there is one for player_2',
    "NotImplementedError there is no rendering; observe the picture instead: observe={'pixels': {'width': 384, 'height': 272, 'grey': False}}",
    'FrontpanelError this connection is closed: open the environments again',
    'FrontpanelError the connection to the server is lost: start another server and open the environments again',
  ]);
}, 300_000);
