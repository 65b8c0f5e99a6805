import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VectorOptions } from '../../src/gym/gym.ts';

/** As another computer has it: other processes, and a V8 that compiles less, or not at all. */
const source = (name: string) => readFileSync(new URL(`../../examples/gym/${name}`, import.meta.url), 'utf8');
const player = fileURLToPath(new URL('player.mjs', import.meta.url));
const common = { seed: 3, sticky: 0.3, limit: 7, idle: 10 };
const worlds: Readonly<Record<string, VectorOptions>> = {
  c64: {
    ...common,
    ...{ kind: 'c64', options: { roms: 'own' }, from: { source: source('catcher.asm'), frames: 10 } },
    observe: { pixels: {}, memory: [{ address: 0, length: 0x1000 }] },
    reward: 'bcd($02, 2)',
  },
  /** Numbers with fractions, which each computer must round alike, and chance of the machine's own. */
  basic: {
    ...common,
    ...{ kind: 'c64', options: { roms: 'own' } },
    from: { source: '10 fori=1to9:printi^1.5,sin(i),rnd(1):next:goto10\n', format: 'basic', frames: 10 },
    observe: { memory: [{ address: 0, length: 0x1000 }] },
    action: [{ keys: [] }, { keys: ['a'] }, { keys: ['space'] }],
  },
  /** A 6560 with its own sound and raster counter, two 6522; RND comes from their timers too. */
  vic20: {
    ...common,
    ...{ kind: 'vic20', options: { roms: 'own' } },
    from: {
      source: '10 printi^1.5,rnd(0),rnd(1),peek(197);peek(37151):i=i+1:poke36879,i:poke36876,128+(iand127):goto10\n',
      ...{ format: 'basic', frames: 10 },
    },
    observe: { pixels: { max: true }, memory: [{ address: 0, length: 0x1000 }], text: { columns: 22, rows: 23 } },
    action: [{ keys: [] }, { keys: ['a'] }, { joystick: ['fire'], port: 1 }],
    reward: '[$a2]',
  },
  /** A TED, whose clock changes its pace with the picture. */
  plus4: {
    ...common,
    ...{ kind: 'plus4', options: { roms: 'own' } },
    from: {
      source:
        '10 printi^1.5,rnd(0),rnd(1),peek(198):poke65288,250:printpeek(65288):i=i+1:poke65305,i:poke65297,31:poke65294,i:goto10\n',
      ...{ format: 'basic', frames: 10 },
    },
    observe: { pixels: { max: true }, memory: [{ address: 0, length: 0x1000 }], text: { columns: 40, rows: 25 } },
    action: [{ keys: [] }, { keys: ['a'] }, { joystick: ['fire'], port: 1 }],
    reward: '[$a5]',
  },
  dos: {
    ...common,
    ...{ kind: 'dos', from: { source: source('letters.asm'), frames: 20 } },
    observe: { text: { columns: 80, rows: 25 }, memory: [{ address: 0, length: 0x1000 }] },
    action: [{ keys: [] }, { keys: ['a'] }, { keys: ['b'] }, { keys: ['c'] }],
    reward: 'word[0x4f0]',
  },
};

/** Of all that is heard, on every computer: they change only with a machine, its ROMs or a program above. */
const hashes: Readonly<Record<string, string>> = {
  c64: '87ed4e9a6e5f4043060453be4382b333b28745cbde22731edc15ed0ebdbbaef5',
  basic: '058065c9f04883a66e1cc7d02fb7ef3f0d15bc931b6ee7f798b1ba7a565ee7cd',
  vic20: 'cb85db116a93842b5a89d9ee2702ceadeb74445e914d97cc53b8ffd0b1e9248b',
  plus4: 'bdcfe34d76bcfffd231eafa07c3a0484c986d595ff908aebe0ec15f658afa333',
  dos: '668f4b9da7ef3b8d03405a96e2486a604b56822429a93e00d7e87f8eb2fbda41',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fp-alike-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Played {
  readonly flags?: readonly string[];
  readonly count?: number;
  readonly threads?: number;
  readonly save?: string;
  readonly restore?: string;
  readonly hurry?: number;
  readonly days?: number;
}

function played(world: string, { flags = [], count = 2, threads = 0, ...files }: Played = {}): string {
  const asked = { options: { ...worlds[world], count, threads }, rounds: 10, ...files };
  const given = [...flags, player, JSON.stringify(asked)];
  return execFileSync(process.execPath, given, { encoding: 'utf8', stdio: 'pipe' }).trim();
}

const kinds = Object.keys(worlds);

test.each(kinds)(
  '%s: every computer hears the same, in its own thread and in one, two and eight others',
  (world) => {
    for (const threads of [0, 1, 2, 8]) expect(played(world, { threads })).toBe(hashes[world]);
  },
  600_000,
);

test.each(kinds)(
  '%s: a V8 that optimizes nothing or compiles nothing hears the same',
  (world) => {
    for (const flag of ['--no-opt', '--jitless']) {
      expect(played(world, { flags: [flag], threads: 1 })).toBe(hashes[world]);
    }
  },
  600_000,
);

test.each(kinds)(
  '%s: a computer a thousand times as slow hears the same, on another day and in another country',
  (world) => {
    expect(played(world, { hurry: 1000, days: 400 })).toBe(hashes[world]);
  },
  600_000,
);

test.each(kinds)(
  '%s: what one process saved goes on the same way in another',
  (world) => {
    const file = join(folder, world);
    const hash = played(world, { count: 1, save: file });
    expect(played(world, { count: 1, restore: file })).toBe(hash);
    expect(played(world, { count: 1, restore: file, threads: 1, flags: ['--no-opt'] })).toBe(hash);
  },
  600_000,
);
