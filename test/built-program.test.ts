import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { withConstants } from '../scripts/keep-constants.js';

const execute = promisify(execFile);

test('what never changes is declared so, what does is not', () => {
  const text = 'var A = 3;\nvar files = 0;\nvar files2 = 1;\nvar place4 = word("cpu");\nvar later;\n  var inner = 1;\n';
  const expected =
    'const A = 3;\nvar files = 0;\nvar files2 = 1;\nconst place4 = word("cpu");\nvar later;\n  var inner = 1;\n';
  expect(withConstants(text, new Set(['files']))).toBe(expected);
});

test('the built program has its constants, and gives none of them another value', { timeout: 120_000 }, async () => {
  const parts = readdirSync('dist').filter((name) => name.endsWith('.js'));
  const texts = parts.map((name) => readFileSync(join('dist', name), 'utf8'));
  // esbuild knows scopes, and warns of such an assignment.
  const warnings = await Promise.all(
    texts.map(async (text) => (await transform(text, { logLevel: 'silent' })).warnings),
  );
  expect(warnings.flat().map((warning) => warning.text)).toEqual([]);
  const declared = (kind: string) => texts.join('').match(new RegExp(`^${kind} [\\w$]+ = `, 'gm'))?.length ?? 0;
  expect(declared('const')).toBeGreaterThan(50 * declared('var'));
});

/** V8's own limit, in bytes: a longer function runs several times slower. */
const longestOptimised = 60 * 1024;

test('functions that processors run in are short enough for V8 to optimise', { timeout: 120_000 }, async () => {
  const parts = readdirSync('dist').filter((name) => name.endsWith('.js'));
  const found = parts.flatMap((part) => {
    const text = readFileSync(join('dist', part), 'utf8');
    const exported = /^export \{[^}]*\}/m.exec(text)?.[0] ?? '';
    return [...exported.matchAll(/\b(run\w*Instructions)\b/g)].map(([, name = '']) => ({ part, name }));
  });
  const expected = ['runInstructions', 'runObservedInstructions', 'runAskingInstructions'];
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(expected));
  for (const { part, name } of found) {
    // Bytecode is made when a function is called, whatever becomes of the call.
    const call = `import(${JSON.stringify(pathToFileURL(join('dist', part)).href)}).then((part) => part.${name}()).catch(() => {})`;
    const flags = ['--print-bytecode', `--print-bytecode-filter=${name}`];
    const { stdout } = await execute(process.execPath, [...flags, '--eval', call], { maxBuffer: 2 ** 28 });
    const lengths = [...stdout.matchAll(/^Bytecode length: (\d+)/gm)].map(([, length]) => Number(length));
    expect(lengths, name).toHaveLength(1);
    expect(lengths[0], name).toBeLessThan(longestOptimised);
  }
});
