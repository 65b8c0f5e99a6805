import { evenParity } from '../../../chips/x86/flags.ts';
import { fields, registerPlaces, segmentNames } from '../../../chips/x86/registers.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import { compileCondition, type Reading, type Vocabulary } from '../../shared/condition/condition.ts';
import { parseCondition } from '../../shared/condition/parse-condition.ts';
import { ConditionWriter } from '../../shared/condition/write-condition.ts';

const result = `R[${fields.result}]`;
const auxiliary = `R[${fields.auxiliary}]`;
const eflags = `R[${fields.eflags}]`;
/** As the processor keeps them while it runs: see flags.ts in the chip. */
const flagTexts: Readonly<Record<string, string>> = {
  cf: `R[${fields.carry}]`,
  pf: `P[(${result} ^ (${auxiliary} >>> 8)) & 255]`,
  af: `((${auxiliary} >> 4) & 1)`,
  zf: `(${result} === 0 ? 1 : 0)`,
  sf: `((${result} ^ ${auxiliary}) >>> 31)`,
  of: `(R[${fields.overflow}] >>> 31)`,
  tf: `((${eflags} >> 8) & 1)`,
  if: `((${eflags} >> 9) & 1)`,
  df: `((${eflags} >> 10) & 1)`,
};

/**
 * As `compileCondition`, into one function that reads the processor's state where it lies: it is asked before each
 * instruction. What lies elsewhere is read as the vocabulary says.
 */
export function compileForProcessor(source: string, vocabulary: Vocabulary, cpu: X86): Reading {
  // Whatever is wrong with the condition is found there, with its column.
  compileCondition(source, vocabulary);
  const writer = new ConditionWriter(vocabulary, {
    name: (lower) => flagTexts[lower] ?? registerText(lower),
  });
  const text = writer.text(parseCondition(source));
  const { words, halves, bytes } = cpu.views;
  const surroundings = {
    R: words,
    H: halves,
    B: bytes,
    P: evenParity,
    V: writer.readings,
    W: writer.rows,
    M: vocabulary,
  };
  const make = new Function(...Object.keys(surroundings), `return () => Number(${text});`);
  return make(...Object.values(surroundings)) as Reading;
}

/** Registers whose words always hold what they are. */
function registerText(name: string): string | undefined {
  const place = registerPlaces.get(name);
  if (!place || place.word === fields.eflags) return undefined;
  const { word, bits, shift } = place;
  if ((segmentNames as readonly string[]).includes(name)) return `R[${word}]`;
  if (bits === 8) return `B[${word * 4 + shift / 8}]`;
  return bits === 16 ? `H[${word * 2}]` : `(R[${word}] >>> 0)`;
}
