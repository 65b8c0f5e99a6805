import { z } from 'zod';
import { patternOf } from './pattern-argument.ts';
import type { WaitOptions } from './wait-for-output.ts';

export const waitArguments = {
  expect: z.string().optional().describe('Text to wait for; /…/ is a regex (RE2)'),
  fail_on: z.array(z.string()).max(16).optional().describe('e.g. ["Kernel panic"]'),
  quiet_ms: z.number().int().min(0).max(50_000).optional().describe('Silence ends the wait'),
  timeout_ms: z.number().int().min(0).max(50_000).optional(),
};

interface WaitArguments {
  readonly expect?: string | undefined;
  readonly fail_on?: readonly string[] | undefined;
  readonly quiet_ms?: number | undefined;
  readonly timeout_ms?: number | undefined;
}

/** The wait conditions an agent gave. */
export function waitOptionsOf(input: WaitArguments): Omit<WaitOptions, 'from'> & { readonly asked: boolean } {
  const patterns = input.expect === undefined ? [] : [patternOf(input.expect)];
  const failPatterns = (input.fail_on ?? []).map(patternOf);
  return {
    patterns,
    failPatterns,
    quietMs: input.quiet_ms,
    timeoutMs: input.timeout_ms ?? 20_000,
    withReason: true,
    asked: patterns.length + failPatterns.length > 0 || input.quiet_ms !== undefined,
  };
}
