import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reportConformance } from '../../scripts/official-suites.ts';

let said: string[];
beforeEach(() => {
  said = [];
  vi.spyOn(console, 'log').mockImplementation((text) => void said.push(text));
});
afterEach(() => vi.restoreAllMocks());

const output = (extra: string, unscored: string) => `
✓ tools-list: 2 passed, 0 failed
✓ caching: 8 passed, 0 failed
✗ tasks-lifecycle: 1 passed, 8 failed
${extra}
Total: many

Not scored for 2026-07-28: some
  ✗ tasks-lifecycle (extension)
${unscored}`;

test('failures that are not scored are shown; those that are known do not fail the run', () => {
  expect(reportConformance('2026-07-28', output('', ''), 0)).toEqual({ passed: 2, failed: 0 });
  expect(said).toEqual([
    '2026-07-28: 2 of 2 required scenarios pass',
    '  not scored: 0 of 1 pass; 11 of 19 checks in all',
    '  fails: tasks-lifecycle (extension, known): 1 of 9 checks pass',
  ]);
});

test('one that nobody knows of does', () => {
  const extra = '✗ http-custom-header-server-validation: 4 passed, 6 failed';
  const unscored = '  ✗ http-custom-header-server-validation (pending)';
  expect(reportConformance('2026-07-28', output(extra, unscored), 0)).toEqual({ passed: 2, failed: 1 });
  expect(said.at(-1)).toBe('  fails: http-custom-header-server-validation (pending, NEW): 4 of 10 checks pass');
});

test('so do a required one, a suite that ends badly, and one that says nothing', () => {
  expect(reportConformance('x', output('✗ prompts-list: 1 passed, 1 failed', ''), 1)).toEqual({ passed: 2, failed: 1 });
  expect(reportConformance('x', output('', ''), 1)).toEqual({ passed: 2, failed: 1 });
  expect(reportConformance('x', 'it crashed', 1)).toEqual({ passed: 0, failed: 1 });
});
