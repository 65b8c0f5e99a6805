import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import type { Host } from '../../src/machine/host.ts';
import type { CommodoreMachine } from '../../src/machines/commodore/machine/commodore-machine.ts';
import { packStart, startFileName, unpackStart } from '../../src/machines/commodore/machine/shipped-starts.ts';
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
