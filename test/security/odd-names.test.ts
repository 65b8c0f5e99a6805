import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { outcomeText } from '../../src/api/outcome-text.ts';
import { AllowedFiles } from '../../src/host/files/allowed-files.ts';
import { kinds } from '../../src/machines/index.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { makeRack, settings } from '../make-rack.ts';
import { Guest } from '../support/guest.ts';
import { oddNames, placesIn, withName } from './odd-names.ts';

const callMs = 300;
const patience = { timeout: 300_000 };
const folder = mkdtempSync(join(tmpdir(), 'fp-odd-'));
const bugs: unknown[] = [];
let guest: Guest;
let toolbox: Toolbox;

beforeAll(async () => {
  guest = await Guest.listen();
  const files = new AllowedFiles({ read: [], write: [folder] });
  const rack = makeRack(
    kinds,
    { machines: 8 },
    { files, settings: { ...settings, allowCommands: false, terminal: 'none' } },
  );
  toolbox = new Toolbox(tools, ['all'], rack, new Confirmations(false, () => 'none'), (bug) => bugs.push(bug));
});
afterAll(async () => {
  await toolbox.rack.close();
  await guest[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** What a tool cannot do without, so that the odd name is looked at. */
const samples: Readonly<Record<string, unknown>> = {
  ...{ address: '0x400', bytes: '01', expression: '1', pattern: '01', values: { a: 1 }, command: 'query-status' },
  ...{ name: 'x', slot: 'drive8', user: 'u', password: 'p', chip: 'vic', steps: [{ tool: 'machine_list' }], id: 1 },
};

const subjects: Readonly<Record<string, () => Record<string, unknown>>> = {
  c64: () => ({ roms: 'own', boot: false }),
  dos: () => ({ run_to_prompt: false }),
  console: () => ({ port: guest.port }),
  qemu: () => ({ arch: 'x86_64', memory: 16, paused: true }),
};

/** Carried out or refused: never an error of our own, and nothing of the language this is written in shows. */
async function attempt(tool: string, input: unknown): Promise<void> {
  const cancel = new AbortController();
  const timer = setTimeout(() => cancel.abort(), callMs);
  const caller = { client: 'odd', role: 'own' as const, signal: cancel.signal, progress: () => {} };
  const text = outcomeText(await toolbox.call(tool, input, caller));
  clearTimeout(timer);
  const story = `${tool} ${JSON.stringify(input)}`;
  for (const bug of bugs.splice(0)) expect.fail(`${story}\n${bug instanceof Error ? bug.stack : bug}`);
  expect(text, story).not.toMatch(/\[native code\]|\[object |\u202e|\u200b|\ufeff|\0/);
  // Half a character would become another one on its way.
  expect(Buffer.from(text).toString(), story).toBe(text);
}

function requiredOf({ required }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(required) ? required : [];
}

describe.each(Object.keys(subjects))('a %s as the subject', (kind) => {
  test('takes or refuses odd names as every argument of every tool', patience, async () => {
    let turn = 0;
    for (const { name: tool, inputSchema } of toolbox.tools) {
      const properties = Object(inputSchema.properties ?? {});
      if (!('machine' in properties) && kind !== 'c64') continue;
      const required = requiredOf(inputSchema).map((name) => {
        const [first] = Array.isArray(properties[name]?.enum) ? properties[name].enum : [];
        return [name, samples[name] ?? first ?? 'x'];
      });
      const usual = {
        ...Object.fromEntries(required),
        ...('machine' in properties && { machine: kind }),
        ...('timeout_ms' in properties && { timeout_ms: 60 }),
        ...('wait_ms' in properties && { wait_ms: 10 }),
      };
      for (const place of placesIn(inputSchema)) {
        if (!toolbox.rack.handles.includes(kind)) await toolbox.rack.start(kind, subjects[kind]?.(), kind);
        const names = ['__proto__', 'constructor', oddNames[turn++ % oddNames.length] ?? ''];
        for (const name of names) await attempt(tool, withName(usual, place, name));
      }
    }
    for (const { handle } of toolbox.rack.machines) await toolbox.rack.stop(handle, 'the end');
  });
});

test.each(kinds.map((kind) => [kind.kind, kind] as const))(
  'options of a %s may have odd names',
  patience,
  async (name, { options }) => {
    const schema = Object(z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' }));
    const usual = name === 'console' ? {} : (subjects[name]?.() ?? { boot: false });
    let turn = 0;
    for (const place of placesIn(schema)) {
      for (const odd of ['__proto__', 'constructor', oddNames[turn++ % oddNames.length] ?? '']) {
        await attempt('machine_start', { kind: name, options: withName(usual, place, odd) });
        for (const { handle } of toolbox.rack.machines) await toolbox.rack.stop(handle, 'the case is over');
      }
    }
  },
);

test('arguments that are nested without end are refused by every tool', patience, async () => {
  await toolbox.rack.start('c64', subjects.c64?.(), 'c64');
  let [list, object]: unknown[] = [[], {}];
  for (let level = 0; level < 10_000; level++) [list, object] = [[list], { a: object }];
  const caller = { client: 'odd', role: 'own' as const, signal: AbortSignal.timeout(300_000), progress: () => {} };
  for (const { name, inputSchema } of toolbox.tools) {
    for (const property of Object.keys(Object(inputSchema.properties ?? {}))) {
      for (const deep of [list, object, [object], { a: list }]) {
        const outcome = await toolbox.call(name, { machine: 'c64', [property]: deep }, caller);
        expect(bugs, `${name} ${property}`).toEqual([]);
        expect(outcome.type, `${name} ${property}`).toBe('error');
      }
    }
  }
  await toolbox.rack.stop('c64', 'the end');
});

test('nothing of it has changed what every object has', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
});
