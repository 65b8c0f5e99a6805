import type { Battlefield } from './battlefield.ts';

/** One attempt at something that must not be possible. */
export interface AttackCase {
  readonly name: string;
  /** What got through; undefined where it was refused or did no harm. */
  run(field: Battlefield): Promise<string | undefined>;
}

export interface AttackGroup {
  readonly name: string;
  cases(field: Battlefield): readonly AttackCase[];
}
