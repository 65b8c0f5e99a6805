import { knownFailures } from './known-failures.ts';
import type { SuiteResult, SuiteTest } from './run-test.ts';
import { testName } from './test-name.ts';

export interface Judged {
  readonly test: SuiteTest;
  readonly result: SuiteResult;
}

/** Passed and total by group, or by the first folder of the path, in the order of the list. */
export function totalsByArea(judged: readonly Judged[]): { area: string; passed: number; total: number }[] {
  const totals = new Map<string, { area: string; passed: number; total: number }>();
  for (const { test, result } of judged) {
    const area = areaOf(test);
    const total = totals.get(area) ?? { area, passed: 0, total: 0 };
    totals.set(area, { area, passed: total.passed + Number(result.passed), total: total.total + 1 });
  }
  return [...totals.values()];
}

/** What is said before the table of a machine. */
const introductions = {
  c64: [
    '# Accuracy of the C64',
    '',
    "VICE's test programs, PAL C64 without media and expansions, run with the original ROMs from outside the repository. " +
      'Two tests that talk to a drive have a 1541 without a disk; those that the list calls unstable have three tries. ' +
      'For comparison, on the same list: Denise 934, x64sc 922, x64 836. x64sc was run as a C64C with an 8565, this machine with a 6569.',
  ],
  extended: [
    '# Accuracy of the C64 with other chips, expansions and drives',
    '',
    "VICE's test programs for NTSC and HMOS video chips, REU, GeoRAM, cartridges and the 1541, by what they need; run with the " +
      'original ROMs from outside the repository. A test whose needs are not emulated counts as failed. For comparison: ' +
      'x64sc passes 58 of the tests for the 6567, 15 of the 6567R56A, 30 of the 8565, 4 of the 8562, 83 of the REU, 60 of the ' +
      'cartridges, 4 of the GeoRAM and 38 of 45 of the 1541; Denise 67, 15, -, -, 103, 60, 4 and 45 of 45.',
  ],
  vic20: [
    '# Accuracy of the VIC-20',
    '',
    "VICE's test programs that judge themselves, run with the original ROMs from outside the repository on a machine with the " +
      'memory, GeoRAM or cartridge that the list asks for. They are about VIAs, interrupts and memory; none of them looks at the ' +
      'picture or listens. For comparison, on the same list: xvic 66.',
  ],
  plus4: [
    '# Accuracy of the Plus/4',
    '',
    "VICE's test programs that judge themselves, run with the original ROMs from outside the repository. There are three: two look " +
      'for what is left on the bus where nobody answers, one for memory. For comparison, on the same list: xplus4 3.',
  ],
} as const;

/** `docs/accuracy.md`: totals, then every failure by name. */
export function accuracyTable(judged: readonly Judged[], machine: keyof typeof introductions): string {
  const passed = judged.filter(({ result }) => result.passed).length;
  const failures = judged.filter(({ result }) => !result.passed);
  const rows = totalsByArea(judged).map((row) => `| ${row.area} | ${row.passed} | ${row.total} |`);
  const named = totalsByArea(judged).flatMap(({ area }) => {
    const own = failures.filter(({ test }) => areaOf(test) === area);
    if (own.length === 0) return [];
    const lines = own.map(({ test, result }) => {
      const known = knownFailures[testName(test)];
      return `- \`${testName(test)}\`: ${result.detail}${known === undefined ? '' : `; ${known}`}`;
    });
    return [`### ${area}`, '', ...lines, ''];
  });
  return [
    ...introductions[machine],
    '',
    `**${passed} of ${judged.length} pass.**`,
    '',
    '| area | passed | tests |',
    '| --- | --- | --- |',
    ...rows,
    '',
    ...(named.length > 0 ? ['## Failures', '', ...named] : []),
  ].join('\n');
}

function areaOf({ dir, group }: SuiteTest): string {
  return group ?? dir.split('/')[0] ?? dir;
}
