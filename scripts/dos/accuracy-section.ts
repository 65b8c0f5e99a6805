import { knownFailures } from './known-failures.ts';
import type { Judged } from './suite-test.ts';

/** Passed and total by area, in the order of the tests. */
export function totalsByArea(judged: readonly Judged[]): { area: string; passed: number; total: number }[] {
  const totals = new Map<string, { area: string; passed: number; total: number }>();
  for (const { test, why } of judged) {
    const { passed, total } = totals.get(test.area) ?? { passed: 0, total: 0 };
    totals.set(test.area, { area: test.area, passed: passed + Number(why === ''), total: total + 1 });
  }
  return [...totals.values()];
}

/** What the suite says of itself. */
export function accuracySection(judged: readonly Judged[]): string {
  const totals = totalsByArea(judged);
  const failures = totals.flatMap(({ area }) => {
    const own = judged.filter(({ test, why }) => test.area === area && why !== '');
    return own.map(({ test, why }) => {
      const reason = knownFailures[`${area}/${test.name}`] ?? knownFailures[test.name];
      return `- ${area}, \`${test.name}\`: ${why}${reason === undefined ? '' : `; ${reason}`}`;
    });
  });
  return [
    '# Accuracy of the DOS PC',
    '',
    "Spice86's ROM images, golden graphs and COM self-tests, and real programs driven by scripts, all from outside the repository.",
    '',
    '- ROM images: RAM at their HLT, apart from flags on the stack that Intel leaves undefined there (ours are the captured ones of a',
    '  386); of those whose RAM nobody states (12), only that they come to their HLT; of test386, its codes.',
    '- Graphs: the executed part of the golden ones, as `graph_read` shows ours. By blocks: each has the same instructions (operands',
    '  that are read from memory marked), the same selector, the same successors, is dead or an entry point as the golden one is, up to',
    '  names. By instructions: the same instructions and edges, wherever blocks are cut. Ways of conditional jumps that a trace shows',
    '  were never taken, and dead blocks where it never came, are guesses of the golden graph.',
    '- Self-tests: each in a folder of its own with the keys, files and redirections it needs. Those that stay resident count on',
    '  vector 22h where DOS uses the address in the prefix: they are judged by the exit code their caller sees.',
    '',
    '| area | passed | tests |',
    '| --- | --- | --- |',
    ...totals.map(({ area, passed, total }) => `| ${area} | ${passed} | ${total} |`),
    '',
    ...(failures.length > 0 ? ['## Failures of the DOS PC', '', ...failures, ''] : []),
  ].join('\n');
}
