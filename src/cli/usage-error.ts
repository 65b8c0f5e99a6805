import { exitCodes } from './exit-codes.ts';

/** The command line, the environment or the configuration file is wrong; every problem found, one per line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode = exitCodes.usage;
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
