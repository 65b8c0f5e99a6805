import type { Model } from '../../../chips/x86/models.ts';
import { type Assembly, assemble } from '../assembler/assemble.ts';

export interface AssembleJob {
  readonly source: string;
  /** The processor it is for; older ones than the 80386 have sources that look what they run on. */
  readonly model: Model;
  /** See `assemble`. */
  readonly mostEffort?: number;
}

const shownChars = 300;

/** What is read here and was written elsewhere: it may be meant to take for ever. */
export const jobs = {
  assemble({ source, model, mostEffort }: AssembleJob): Assembly {
    const { errors, ...assembly } = assemble(source, model === '486' ? model : '80386', mostEffort);
    return {
      ...assembly,
      errors: errors.map(({ line, message }) => ({
        line,
        message: message.length > shownChars ? `${message.slice(0, shownChars)}…` : message,
      })),
    };
  },
} as const;
