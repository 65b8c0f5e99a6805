import { adviceText, MachineError, type SuggestedCall } from '../machine/errors.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * What our own tools are called in a dialect: the tool that does the same without arguments, or how to say a call of it
 * there, and nothing where it cannot be made.
 */
export type AdviceNames = Readonly<Record<string, string | ((args: Arguments) => string | undefined)>>;

/** Advice in the words of a dialect; what needs a call that cannot be made there is left out. */
export function adviceIn(names: AdviceNames, error: MachineError): string {
  return adviceText(error.advice, (suggested) => nameIn(names, suggested)) || 'Correct the call and try again.';
}

/** The same failure with that advice. */
export function inWordsOf(names: AdviceNames, error: MachineError): MachineError {
  return new MachineError(error.type, error.message, adviceIn(names, error), error.data, { cause: error });
}

function nameIn(names: AdviceNames, { tool, arguments: given = {} }: SuggestedCall): string | undefined {
  const known = Object.hasOwn(names, tool) ? names[tool] : undefined;
  // A dialect has its own way to say which machine is meant, or one machine only.
  const { machine: _, ...args } = given;
  if (typeof known === 'function') return known(args);
  return Object.keys(args).length === 0 ? known : undefined;
}
