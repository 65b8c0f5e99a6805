import type { CoprocessorModel } from '../x87/models.ts';

/** The processors this chip can be. An 8088 is an 8086 here: its bus is not modelled. */
export const models = ['8086', '80186', '80286', '80386'] as const;
export type Model = (typeof models)[number];

/** How the models differ beyond the instructions they know. */
export interface ModelRules {
  readonly model: Model;
  /** 0 for the 8086 and up to 3 for the 80386. */
  readonly generation: number;
  /** Offsets wrap within 64 KiB; later models fault when an access crosses the limit. */
  readonly wrapsOffsets: boolean;
  /** Longest instruction, prefixes included. */
  readonly longestInstruction: number;
  /** Bits of the flags register that always read as one. */
  readonly fixedFlags: number;
  /** Bits of the flags register that POPF and IRET can change. */
  readonly loadableFlags: number;
}

const rules: readonly ModelRules[] = [
  { model: '8086', wrapsOffsets: true, longestInstruction: 0xffff, fixedFlags: 0xf002, loadableFlags: 0xfd5 },
  { model: '80186', wrapsOffsets: true, longestInstruction: 0xffff, fixedFlags: 0xf002, loadableFlags: 0xfd5 },
  { model: '80286', wrapsOffsets: false, longestInstruction: 10, fixedFlags: 0x2, loadableFlags: 0xfd5 },
  { model: '80386', wrapsOffsets: false, longestInstruction: 15, fixedFlags: 0x2, loadableFlags: 0x7fd5 },
].map((rule, generation) => ({ ...(rule as Omit<ModelRules, 'generation'>), generation }));

export function rulesOf(model: Model): ModelRules {
  return rules[models.indexOf(model)] as ModelRules;
}

/** The coprocessor that goes with a model. */
export function coprocessorOf(model: Model): CoprocessorModel {
  return model === '80386' ? '80387' : model === '80286' ? '80287' : '8087';
}
