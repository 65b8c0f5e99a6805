import { adviceText, MachineError, type SuggestedCall } from '../machine/errors.ts';

/** What our own tools are called in a dialect: its name for each, or how to say a call of it there. */
export type AdviceNames = Readonly<Record<string, string | ((args: Readonly<Record<string, unknown>>) => string)>>;

/** Advice in the words of a dialect; what needs a tool that it does not have is left out. */
export function adviceIn(names: AdviceNames, error: MachineError): string {
  const name = ({ tool, arguments: args = {} }: SuggestedCall) => {
    const known = Object.hasOwn(names, tool) ? names[tool] : undefined;
    return typeof known === 'function' ? known(args) : known;
  };
  return adviceText(error.advice, name) || 'Correct the call and try again.';
}

/** The same failure with that advice. */
export function inWordsOf(names: AdviceNames, error: MachineError): MachineError {
  return new MachineError(error.type, error.message, adviceIn(names, error), error.data, { cause: error });
}
