import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { defineConfig, type Plugin } from 'vitest/config';
import { plainSource } from './scripts/plain-source.ts';

/** Tests that change nothing outside of themselves share a process: each module is loaded, and made fast, once. */
const pure = [
  'src/chips/**/*.test.ts',
  'src/formats/**/*.test.ts',
  'src/machines/{commodore,dos,shared}/**/*.test.ts',
  'src/server/**/*.test.ts',
  // That one sets the clock.
  'src/tools/**/!(toolbox).test.ts',
  'test/{architecture,architecture-advice,architecture-errors,glossary,tour}.test.ts',
  'test/{c64,dos,plus4,understanding,vic20}/**/*.test.ts',
  'test/contract/{commodores,kinds}.test.ts',
];
/** These put something else in place of a module, which only vitest's own way of loading allows. */
const mocking = ['src/links/serial/device-link.test.ts'];
const outside = ['test/official/**', 'node_modules/**'];

/**
 * Chips whose work is spread over several files, as one piece, as the built program has them: here each use of something
 * imported goes through a getter, which makes them ten times as slow.
 */
const chipsInOnePiece: Plugin = {
  name: 'chips-in-one-piece',
  enforce: 'pre',
  load(id) {
    if (!inOnePiece.has(id)) return undefined;
    const { outputFiles } = buildSync({
      entryPoints: [id],
      bundle: true,
      format: 'esm',
      write: false,
      sourcemap: 'inline',
    });
    return outputFiles[0]?.text;
  },
};
const inOnePiece = new Set(
  [
    'ted/ted.ts',
    'vic2/vic2.ts',
    'mos6526/mos6526.ts',
    'via6522/via6522.ts',
    'mos6560/mos6560.ts',
    'wd1770/wd1770.ts',
  ].map((file) => join(import.meta.dirname, 'src/chips', file)),
);

/** While somebody edits, the modules are those of the source. */
const isPlain = process.argv.includes('run');
const source = plainSource();
const loadedByNode = isPlain
  ? { plugins: [source.plugin], test: { exclude: outside, server: { deps: { external: [source.external] } } } }
  : { test: { exclude: outside } };

export default defineConfig({
  plugins: [chipsInOnePiece],
  test: {
    // Only ends what hangs: on a busy machine a test that starts programs takes its time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A condition that is waited for holds at once, or a busy machine needs its time.
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    globalSetup: ['test/temporary-folder.ts'],
    projects: [
      { extends: true, ...loadedByNode, test: { ...loadedByNode.test, name: 'pure', include: pure, isolate: false } },
      {
        extends: true,
        ...loadedByNode,
        test: {
          ...loadedByNode.test,
          name: 'whole',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...pure, ...mocking, ...outside],
        },
      },
      { extends: true, test: { name: 'mocking', include: mocking } },
    ],
  },
});
