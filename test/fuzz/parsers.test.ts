import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batches, patienceMs, seed } from './budget.ts';
import { corpusFolders, corpusOf } from './corpus.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { casesOf } from './mutations.ts';
import { targets } from './targets/index.ts';

/** Of processor time for one small input; the slowest take some ten. */
const longestMs = 2000;
/** By which one input may make this process grow. */
const mostMb = 400;
const usualRuns = 250;
/** Of the formats: what only writes, or shortens texts of ours. */
const readsNothing = ['png.ts', 'iso/iso-image.ts', 'first-sentence.ts'].map((name) => join('src/formats', name));

console.log(`fuzz: seed ${seed}, ${targets.length} readers`);

test.each(targets)('$name: read or refused, soon and in little memory', { timeout: patienceMs }, async (target) => {
  const corpus = corpusOf(target.name);
  for (const [name, input] of corpus) await attempt(target, input).catch((error) => expect.fail(`${name}: ${error}`));
  for (const input of target.seeds()) await attempt(target, Buffer.from(input));
  let last: Uint8Array = new Uint8Array();
  const property = fc.asyncProperty(casesOf(target, [...corpus.values()]), async (input) => {
    last = input;
    await attempt(target, input);
  });
  await batches(1 / targets.length, usualRuns, async (batch) => {
    const found = await fc.check(property, batch);
    if (!found.failed) return;
    const input = found.counterexample?.[0] ?? last;
    const file = join(process.env.FUZZ_OUT ?? tmpdir(), `fuzz-${target.name}`);
    writeFileSync(file, input);
    const error = found.errorInstance instanceof Error ? found.errorInstance.stack : String(found.errorInstance);
    expect.fail(
      `seed ${batch.seed}, ${input.length} bytes in ${file}; keep it in test/fuzz/corpus/${target.name}.\n${error}`,
    );
  });
});

test('every folder of the corpus belongs to a reader', () => {
  const names = targets.map(({ name }) => name);
  expect(corpusFolders().filter((name) => !names.includes(name) && name !== 'tools')).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test('every file format is read by one of them', () => {
  const reached = new Set<string>();
  const follow = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import\()\s*'(\.[^']*\.ts)'/g))
      follow(join(dirname(file), path));
  };
  for (const name of readdirSync('test/fuzz/targets')) follow(join('test/fuzz/targets', name));
  const formats = readdirSync('src/formats', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/[.-]test(ing)?\.ts$/.test(name))
    .map((name) => join('src/formats', name));
  expect(formats.length).toBeGreaterThan(100);
  expect(formats.filter((file) => !reached.has(file) && !readsNothing.includes(file))).toEqual([]);
});

async function attempt({ read, refusals }: FuzzTarget, input: Uint8Array): Promise<void> {
  const before = { cpu: process.cpuUsage(), kilobytes: process.resourceUsage().maxRSS };
  try {
    await read(input);
  } catch (error) {
    if (!refusals.some((refusal) => error instanceof refusal)) throw error;
  }
  const { user, system } = process.cpuUsage(before.cpu);
  const tookMs = (user + system) / 1000;
  if (tookMs > longestMs) throw new Error(`took ${tookMs.toFixed(0)} ms of processor time`);
  const grownMb = (process.resourceUsage().maxRSS - before.kilobytes) / 1024;
  if (grownMb > mostMb) throw new Error(`took ${grownMb.toFixed(0)} MB`);
}
