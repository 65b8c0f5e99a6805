/**
 * `src/chips/mos6510/semantics` in a form whose functions say what they do: tsx packs what it runs, and `toString` of a function would give
 * the packed text.
 */
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

type Semantics = typeof import('../../src/chips/mos6510/semantics/cpu.ts') &
  typeof import('../../src/chips/mos6510/semantics/operations.ts') &
  typeof import('../../src/chips/mos6510/semantics/cycles.ts');

const files = ['cpu', 'operations', 'cycles'].map((name) => `export * from './${name}.ts';`);
const { outputFiles } = buildSync({
  stdin: {
    contents: files.join('\n'),
    resolveDir: fileURLToPath(new URL('../../src/chips/mos6510/semantics', import.meta.url)),
    loader: 'ts',
  },
  bundle: true,
  format: 'esm',
  write: false,
});

export const semantics: Semantics = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')}`
);
