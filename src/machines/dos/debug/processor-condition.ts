import { evenParity } from '../../../chips/x86/flags.ts';
import { fields, registerPlaces, segmentNames, toBase } from '../../../chips/x86/registers.ts';
import { dependsOn } from '../../../chips/x86/touches.ts';
import type { X86 } from '../../../chips/x86/x86.ts';
import { ownValue } from '../../../formats/own-value.ts';
import { compileCondition, type Reading, type Vocabulary } from '../../shared/condition/condition.ts';
import { parseCondition } from '../../shared/condition/parse-condition.ts';
import { ConditionWriter, type OwnTexts } from '../../shared/condition/write-condition.ts';

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

/** A condition about the processor and its memory, and what it depends on: see `dependsOn`. */
export interface ProcessorCondition {
  readonly holds: Reading;
  readonly depends: number;
}

/**
 * As `compileCondition`, into one function that reads the processor's state where it lies: it is asked very often. What
 * lies elsewhere is read as the vocabulary says.
 */
export function compileForProcessor(source: string, vocabulary: Vocabulary, cpu: X86): ProcessorCondition {
  // Whatever is wrong with the condition is found there, with its column.
  compileCondition(source, vocabulary);
  const places = new Places(vocabulary);
  const writer = new ConditionWriter(vocabulary, places);
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
  const reads = writer.readsMemory ? dependsOn.memory | dependsOn.segments : 0;
  return { holds: make(...Object.values(surroundings)) as Reading, depends: places.depends | reads };
}

/** Texts for names, and what they depend on. */
class Places implements OwnTexts {
  depends = 0;
  readonly #own: ReadonlySet<string>;

  constructor({ names }: Vocabulary) {
    this.#own = new Set(names);
  }

  name(lower: string): string | undefined {
    const flagText = ownValue(flagTexts, lower);
    const place = registerPlaces.get(lower);
    if (flagText !== undefined) this.depends |= dependsOn.flags;
    else if (place && place.word < fields.zero) this.depends |= 1 << place.word;
    else if (segmentNames.some((name) => lower === name || lower === `${name}.base`)) {
      this.depends |= dependsOn.segments;
    }
    // Anything else that is no symbol, whose address stays what it is.
    else if (this.#own.has(lower)) this.depends |= dependsOn.anything;
    return flagText ?? baseText(lower) ?? registerText(lower);
  }
}

function baseText(name: string): string | undefined {
  const segment = segmentNames.find((each) => name === `${each}.base`);
  return segment && `(R[${fields[segment] + toBase}] >>> 0)`;
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
