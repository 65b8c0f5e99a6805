import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { SuiteResult, SuiteTest } from './run-test.ts';
import { testName } from './test-name.ts';

/** Results of tests in a file, one per line. Without a file nothing is kept. */
export class ResultRecord {
  readonly #path: string | undefined;
  readonly #results = new Map<string, SuiteResult>();

  constructor(path: string | undefined) {
    this.#path = path;
    if (path === undefined || !existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
      const { key, result } = JSON.parse(line) as { key: string; result: SuiteResult };
      this.#results.set(key, result);
    }
  }

  find(test: SuiteTest): SuiteResult | undefined {
    return this.#results.get(keyOf(test));
  }

  keep(test: SuiteTest, result: SuiteResult): void {
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify({ key: keyOf(test), result })}\n`);
  }
}

/** The same program can be in a list with several pictures and needs. */
function keyOf(test: SuiteTest): string {
  return [testName(test), test.reference, test.opts.join()].join(' ');
}
