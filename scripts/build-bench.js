// Bundles the modules that benchmarks load with `built` into .cache/bench.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildParts } from './program-parts.js';

const folder = '.cache/bench';
const texts = readdirSync('bench', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
const paths = new Set(
  texts.flatMap((text) => [...text.matchAll(/\bbuilt\(\s*'([\w/.-]+)\.js'/g)].map(([, path]) => path)),
);
rmSync(folder, { recursive: true, force: true });
await buildParts(
  [...paths].map((path) => ({ in: `src/${path}.ts`, out: path })),
  folder,
);
