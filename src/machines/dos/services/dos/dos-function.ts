import type { Guest, ServiceOutcome } from '../guest.ts';
import type { Dos } from './dos.ts';

/** One function of INT 21h: what it does, and how it reads in the call log. */
export interface DosFunction {
  /** AH. */
  readonly number: number;
  readonly name: string;
  /** How a failure is told: carry with the code in AX, FFh in AL, or not at all. */
  readonly failure: 'carry' | 'al' | 'none';
  /** Nothing returned means done. Failures are thrown. */
  run(guest: Guest, dos: Dos): ServiceOutcome | undefined;
  /** Parameters, before the call. */
  describe?(guest: Guest, dos: Dos): string;
  /** What it gave, after a call that did not fail. */
  result?(guest: Guest, dos: Dos): string;
}
