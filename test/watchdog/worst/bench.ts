/** One call, as bad as it can be. */
export interface WorstCall {
  readonly tool: string;
  /** What is bad about it. */
  readonly what: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** How often, with a number in the place of `NUMBER` in all texts of the input. */
  readonly times?: number;
  /** It must be refused, with these words; else it must be carried out. */
  readonly refused?: RegExp;
}

/** Calls on one machine, in their order. */
export interface Bench {
  readonly name: string;
  /** Written into the server's folder first. */
  readonly files?: Readonly<Record<string, () => Uint8Array | string>>;
  /** Arguments of `machine_start`; none for calls that need no machine. */
  readonly machine?: Readonly<Record<string, unknown>>;
  readonly calls: readonly WorstCall[];
}

export const longCondition = `${'[0]+'.repeat(120)}0==99999`;
export const deepCondition = `${'['.repeat(240)}0${']'.repeat(240)}==255`;

/** What no engine finds a quick way through. */
export const costlyRegexes = [
  '(.*a){25}',
  '[ab ]*[a ][ab ]{240}[QZ]',
  '(?:[ab ]*[ab ][ab ]{30}){10}[QZ]',
  '(\\pL|\\pN| ){150}[QZ]',
  '(.){160}[QZ]',
];

/** A number of the same width each time. */
export function numbered(count: number, text: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => text(number)).join('\n');
}
