import { MachineError } from '../../../machine/errors.ts';
import { compileWideCondition, type WideVocabulary } from '../../shared/condition/wide-condition.ts';
import type { RegisterNames } from './register-names.ts';

/** The value of `rsi+8`, `qword[rsp]`, `$sp - 16` now; undefined for what is no expression of this machine. */
export async function evaluate(
  text: string,
  vocabulary: WideVocabulary,
  registers: RegisterNames,
): Promise<bigint | undefined> {
  // As GDB writes registers; a name of hex digits alone is a number here.
  const plain = text.replaceAll(/\$([a-z]\w*)/gi, (whole, name: string) =>
    registers.find(name) && !/^[0-9a-f]+$/i.test(name) ? name : whole,
  );
  const reading = compiled(plain, vocabulary);
  return reading?.();
}

function compiled(text: string, vocabulary: WideVocabulary) {
  try {
    return compileWideCondition(text, vocabulary);
  } catch (error) {
    if (error instanceof MachineError && error.type === 'INVALID_ARGUMENT') return undefined;
    throw error;
  }
}
