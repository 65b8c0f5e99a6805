import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import type { Host } from '../../src/machine/host.ts';
import type { CommodoreMachine } from '../../src/machines/commodore/machine/commodore-machine.ts';
import {
  packStart,
  shippedStart,
  startFileName,
  unpackStart,
} from '../../src/machines/commodore/machine/shipped-starts.ts';
import { startTemplates } from '../../src/machines/commodore/machine/start-templates.ts';
import { kinds } from '../../src/machines/index.ts';
import { settings } from '../make-rack.ts';

const host = {
  report: () => {},
  settings,
  signal: new AbortController().signal,
} satisfies Partial<Host> as unknown as Host;
const machines = [
  ['c64', {}],
  ['c64', { video: 'ntsc' }],
  ['vic20', {}],
  ['plus4', {}],
  ['c16', {}],
] as const;

beforeEach(() => startTemplates.forget());

test.for(machines)('the build lays a start of %s %o beside the program: what a boot makes', async ([name, options]) => {
  const kind = kinds.find((each) => each.kind === name);
  if (!kind) throw new Error(`There is no ${name}.`);
  const { recipe } = (await kind.start(kind.options.parse({ ...options, roms: 'own' }), host)) as CommodoreMachine;
  const [, booted] = [...startTemplates.kept].find(([each]) => each === recipe) ?? [];
  if (!booted) throw new Error('The boot was not kept.');
  const packed = readFileSync(`dist/${startFileName(recipe)}`);
  expect(Buffer.compare(packStart(booted), packed)).toBe(0);
  const shipped = await unpackStart(packed);
  expect(shipped.stop).toEqual(booted.stop);
  expect(shipped.passed.length).toBe(booted.passed.length);
  const states = [...shipped.passed, shipped.last, shipped.picture];
  const differing = [...booted.passed, booted.last, booted.picture].filter(
    (state, index) => !states[index] || Buffer.compare(states[index], state) !== 0,
  );
  expect(differing).toHaveLength(0);
});

test('and no others', () => {
  expect(readdirSync('dist').filter((name) => name.startsWith('start-'))).toHaveLength(machines.length);
});

test('one that is damaged is named in the log and not used; one that is missing is no fault', async () => {
  const start = {
    passed: [Uint8Array.of(1, 2)],
    last: Uint8Array.of(3, 4),
    picture: Uint8Array.of(5),
    stop: { seq: 1, cause: 'limit', reason: 'frames' },
  } as const;
  const folder = mkdtempSync(join(tmpdir(), 'starts-'));
  try {
    const path = join(folder, startFileName('some'));
    const log: string[] = [];
    const read = () => shippedStart('some', (text) => log.push(text), pathToFileURL(join(folder, 'cli.js')).href);
    expect([await read(), log]).toEqual([undefined, []]);
    const packed = packStart(start);
    writeFileSync(path, packed);
    expect((await read())?.last).toEqual(start.last);
    for (const damaged of [
      packed.subarray(0, packed.length - 4),
      packed.map((byte, at) => (at === 3 ? byte ^ 1 : byte)),
      [],
    ]) {
      writeFileSync(path, Uint8Array.from(damaged));
      expect(await read()).toBeUndefined();
    }
    expect(log.map((text) => text.startsWith(`${path} cannot be used, so the machine boots instead: `))).toEqual([
      true,
      true,
      true,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
