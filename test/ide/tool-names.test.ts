import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tools } from '../../src/tools/index.ts';
import { innerTools } from '../../src/tools/inner/index.ts';

test('debuggers call tools that there are', () => {
  const known = new Set([...tools, ...innerTools].map(({ name }) => name));
  const folder = join(import.meta.dirname, '../../src/ide');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const called = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/\bcall\('(\w+)'/g)].map(([, name = '']) => name),
  );
  expect(called.length).toBeGreaterThan(30);
  expect(called.filter((name) => !known.has(name))).toEqual([]);
});
