import { MachineError } from '../../../machine/errors.ts';
import { compileWideCondition } from '../../shared/condition/wide-condition.ts';
import type { RegisterNames } from './register-names.ts';
import type { TargetVocabulary } from './target-vocabulary.ts';

/** The value of `rsi+8`, `qword[rsp]`, `$sp - 16` now; undefined for what is no expression of this machine. */
export async function evaluate(
  text: string,
  vocabulary: TargetVocabulary,
  registers: RegisterNames,
): Promise<bigint | undefined> {
  // As GDB writes registers; a name of hex digits alone is a number here.
  const plain = text.replaceAll(/\$([a-z]\w*)/gi, (whole, name: string) =>
    registers.find(name) && !/^[0-9a-f]+$/i.test(name) ? name : whole,
  );
  const reading = compiled(plain, vocabulary) ?? vocabulary.typed(text);
  return reading?.();
}

function compiled(text: string, vocabulary: TargetVocabulary) {
  try {
    return compileWideCondition(text, vocabulary);
  } catch (error) {
    if (error instanceof MachineError && error.type === 'INVALID_ARGUMENT') return undefined;
    throw error;
  }
}
