import { defineConfig } from 'vitest/config';

/** Tests that change nothing outside of themselves share a process: each module is loaded, and made fast, once. */
const pure = [
  'src/chips/**/*.test.ts',
  'src/formats/**/*.test.ts',
  'src/machines/commodore/**/*.test.ts',
  'src/machines/shared/**/*.test.ts',
  'test/{c64,plus4,vic20}/**/*.test.ts',
];
const outside = ['test/official/**', 'node_modules/**'];

export default defineConfig({
  test: {
    // Only ends what hangs: on a busy machine a test that starts programs takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A condition that is waited for holds at once, or a busy machine needs its time.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    coverage: { provider: 'v8', include: ['src/**/*.ts'], exclude: ['src/**/*.test.ts'] },
    projects: [
      { extends: true, test: { name: 'pure', include: pure, exclude: outside, isolate: false } },
      {
        extends: true,
        test: { name: 'whole', include: ['src/**/*.test.ts', 'test/**/*.test.ts'], exclude: [...pure, ...outside] },
      },
    ],
  },
});
