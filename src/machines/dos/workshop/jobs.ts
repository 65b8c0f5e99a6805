import { type Assembly, assemble } from '../assembler/assemble.ts';

export interface AssembleJob {
  readonly source: string;
  /** See `assemble`. */
  readonly mostEffort?: number;
}

const shownChars = 300;

/** What is read here and was written elsewhere: it may be meant to take for ever. */
export const jobs = {
  assemble({ source, mostEffort }: AssembleJob): Assembly {
    const { errors, ...assembly } = assemble(source, '80386', mostEffort);
    return {
      ...assembly,
      errors: errors.map(({ line, message }) => ({
        line,
        message: message.length > shownChars ? `${message.slice(0, shownChars)}…` : message,
      })),
    };
  },
} as const;
