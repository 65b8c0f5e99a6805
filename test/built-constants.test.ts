import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { withConstants } from '../scripts/keep-constants.js';

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
