import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outcomeText } from '../../src/api/outcome-text.ts';
import { AllowedFiles } from '../../src/host/files/allowed-files.ts';
import { kinds } from '../../src/machines/index.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { makeRack, settings } from '../make-rack.ts';
import { Guest } from '../support/guest.ts';
import { batches, patienceMs, seed } from './budget.ts';
import { corpusOf } from './corpus.ts';
import { valuesOf } from './json-cases.ts';
import { casesOf } from './mutations.ts';
import { targets } from './targets/index.ts';

/** After which a call is cancelled, and after which it must have been answered then. */
const callMs = 150;
const answerMs = 20_000;
const usualRuns = 40;

const folder = mkdtempSync(join(tmpdir(), 'fp-tools-'));
const bugs: unknown[] = [];
let guest: Guest;
let toolbox: Toolbox;

beforeAll(async () => {
  mkdirSync(join(folder, 'folder'));
  guest = await Guest.listen();
  toolbox = new Toolbox(
    tools,
    ['all'],
    makeRack(
      kinds,
      { machines: 6 },
      {
        files: new AllowedFiles({ read: [], write: [folder] }),
        settings: { ...settings, allowCommands: false, terminal: 'none' },
      },
    ),
    new Confirmations(false, () => 'none'),
    (bug) => bugs.push(bug),
  );
}, 180_000);
afterAll(async () => {
  await toolbox.rack.close();
  await guest[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}, 180_000);

interface Call {
  readonly tool: string;
  readonly input: unknown;
}

const schemas = new Map(tools.map((tool) => [tool.name, tool]));

test.each([...schemas.keys()].map((name) => ({ name })))(
  '$name: carried out or refused with advice',
  { timeout: patienceMs },
  async ({ name }) => {
    const schema = toolbox.tools.find((tool) => tool.name === name)?.inputSchema ?? {};
    const kept = [...corpusOf('tools')].map(([, text]) => JSON.parse(Buffer.from(text).toString()) as Call);
    for (const { tool, input } of kept) if (tool === name) await attempt({ tool, input });
    const machine = fc.constantFrom('m-c64', 'm-dos', 'm-console');
    const inputs = fc.tuple(valuesOf(schema), machine).map(([input, named]) => withMachine(schema, input, named));
    const property = fc.asyncProperty(inputs, (input) => attempt({ tool: name, input }));
    await batches(0.9 / schemas.size, usualRuns, (batch) => fc.assert(property, { ...batch, endOnFailure: true }));
  },
);

/** Files for tools that read them, each time broken in another way. */
const files: Readonly<Record<string, string>> = {
  'file.prg': 'prg',
  'disk.d64': 'd64',
  'tape.tap': 'tap',
  'cart.crt': 'crt',
  'floppy.img': 'fat',
  'labels.lbl': 'symbols-6502',
  'prog.com': 'exe',
};

test('broken files put into machines: taken or refused with advice', { timeout: patienceMs }, async () => {
  const cases = Object.entries(files).map(([file, reader]) => {
    const target = targets.find(({ name }) => name === reader);
    if (!target) throw new Error(`no reader ${reader}`);
    return casesOf(target, []).map((bytes) => ({ file, bytes }));
  });
  const useFile = async ({ file, bytes }: { readonly file: string; readonly bytes: Uint8Array }) => {
    writeFileSync(join(folder, file), bytes);
    const path = join(folder, file);
    for (const machine of ['m-c64', 'm-dos']) {
      await attempt({ tool: 'media_attach', input: { machine, path } });
      await attempt({ tool: 'program_run', input: { machine, path } });
      await attempt({ tool: 'symbols_load', input: { machine, path } });
      await attempt({ tool: 'run', input: { machine, timeout_ms: 30 } });
    }
  };
  for (const file of Object.keys(files)) await useFile({ file, bytes: new Uint8Array() });
  const property = fc.asyncProperty(fc.oneof(...cases), useFile);
  await batches(0.1, 15, (batch) => fc.assert(property, { ...batch, endOnFailure: true }));
});

const last: Call[] = [];

async function attempt(call: Call): Promise<void> {
  await ensureMachines();
  last.push(call);
  if (last.length > 8) last.shift();
  const cancel = new AbortController();
  const timer = setTimeout(() => cancel.abort(), callMs);
  let late: NodeJS.Timeout | undefined;
  const caller = { client: 'fuzz', role: 'own' as const, signal: cancel.signal, progress: () => {} };
  const outcome = await Promise.race([
    toolbox.call(call.tool, call.input, caller),
    new Promise<undefined>((resolve) => {
      late = setTimeout(() => resolve(undefined), answerMs);
    }),
  ]);
  clearTimeout(timer);
  clearTimeout(late);
  const story = () =>
    `seed ${seed}; the last calls were\n${last.map((each) => JSON.stringify(each).slice(0, 2000)).join('\n')}`;
  const [bug] = bugs.splice(0);
  if (bug !== undefined) expect.fail(`${bug instanceof Error ? bug.stack : bug}\n${story()}`);
  if (outcome === undefined) expect.fail(`not answered; ${story()}`);
  expect(typeof outcomeText(outcome)).toBe('string');
  if (outcome.type === 'error') expect(outcome.error.fix.length, outcomeText(outcome)).toBeGreaterThan(0);
}

/** Those that a case stopped are started again. */
async function ensureMachines(): Promise<void> {
  const wanted = {
    'm-c64': { kind: 'c64', options: { roms: 'own', boot: false } },
    'm-dos': { kind: 'dos', options: { run_to_prompt: false } },
    'm-console': { kind: 'console', options: { port: guest.port } },
  };
  const there = toolbox.rack.machines.map(({ handle }) => handle);
  for (const extra of there.filter((handle) => !(handle in wanted))) await toolbox.rack.stop(extra, 'the case is over');
  for (const [name, { kind, options }] of Object.entries(wanted)) {
    if (!there.includes(name)) await toolbox.rack.start(kind, options, name);
  }
}

function withMachine(schema: object, input: unknown, machine: string): unknown {
  const properties = Object(Reflect.get(schema, 'properties') ?? {});
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return {
    ...input,
    ...('machine' in properties && { machine }),
    ...('timeout_ms' in properties && !('timeout_ms' in input) && { timeout_ms: 50 }),
  };
}
