import type { CoprocessorModel } from '../x87/models.ts';

/** The processors this chip can be. An 8088 is an 8086 here: its bus is not modelled. */
export const models = ['8086', '80186', '80286', '80386', '486'] as const;
export type Model = (typeof models)[number];

/** How the models differ beyond the instructions they know. */
export interface ModelRules {
  readonly model: Model;
  /** 0 for the 8086 and up to 4 for the 486. */
  readonly generation: number;
  /** Offsets wrap within 64 KiB; later models fault when an access crosses the limit. */
  readonly wrapsOffsets: boolean;
  /** Longest instruction, prefixes included. */
  readonly longestInstruction: number;
  /** Bits of the flags register that always read as one. */
  readonly fixedFlags: number;
  /** Bits of the flags register that POPF and IRET can change. */
  readonly loadableFlags: number;
  /** The same of the 32-bit forms; those for everybody, virtual 8086 mode not among them. */
  readonly wideFlags: number;
}

const rules: readonly ModelRules[] = [
  { model: '8086', wrapsOffsets: true, longestInstruction: 0xffff, fixedFlags: 0xf002, loadableFlags: 0xfd5 },
  { model: '80186', wrapsOffsets: true, longestInstruction: 0xffff, fixedFlags: 0xf002, loadableFlags: 0xfd5 },
  { model: '80286', wrapsOffsets: false, longestInstruction: 10, fixedFlags: 0x2, loadableFlags: 0xfd5 },
  { model: '80386', wrapsOffsets: false, longestInstruction: 15, fixedFlags: 0x2, loadableFlags: 0x7fd5 },
  {
    model: '486',
    wrapsOffsets: false,
    longestInstruction: 15,
    fixedFlags: 0x2,
    loadableFlags: 0x7fd5,
    wideFlags: 0x47fd5,
  },
].map((rule, generation) => {
  const { wideFlags = rule.loadableFlags, ...others } = rule as Omit<ModelRules, 'generation' | 'wideFlags'> & {
    readonly wideFlags?: number;
  };
  return { ...others, wideFlags, generation };
});

export function rulesOf(model: Model): ModelRules {
  return rules[models.indexOf(model)] as ModelRules;
}

/** The coprocessor that goes with a model. */
export function coprocessorOf(model: Model): CoprocessorModel {
  if (models.indexOf(model) >= 3) return '80387';
  return model === '80286' ? '80287' : '8087';
}
