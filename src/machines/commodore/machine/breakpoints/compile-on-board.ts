import { fields as cpu } from '../../../../chips/mos6510/registers.ts';
import { ownValue } from '../../../../formats/own-value.ts';
import { compileCondition, type Reading } from '../../../shared/condition/condition.ts';
import { parseCondition } from '../../../shared/condition/parse-condition.ts';
import { ConditionWriter } from '../../../shared/condition/write-condition.ts';
import type { CommodoreVocabulary } from '../commodore-vocabulary.ts';
import { refuseMisplaced } from './refuse-misplaced.ts';

const registers: Readonly<Record<string, number>> = { pc: cpu.pc, a: cpu.a, x: cpu.x, y: cpu.y, sp: cpu.s };
const firstPlainByte = 2;

/** As `compileCondition`, into one function that reads the processor's registers, and RAM, where they lie. */
export function compileOnBoard(source: string, vocabulary: CommodoreVocabulary, isOfAccess: boolean): Reading {
  // Whatever is wrong with the condition is found there, with its column.
  compileCondition(source, vocabulary);
  refuseMisplaced(source, isOfAccess);
  const writer = new ConditionWriter(vocabulary, { name: registerText, memory: ramText });
  const text = writer.text(parseCondition(source));
  const { board } = vocabulary;
  const surroundings = {
    R: board.cpu.state,
    B: board.ram,
    T: board.memory,
    V: writer.readings,
    W: writer.rows,
    M: vocabulary,
  };
  const make = new Function(...Object.keys(surroundings), `return () => Number(${text});`);
  return make(...Object.values(surroundings)) as Reading;
}

function registerText(name: string): string | undefined {
  const word = ownValue(registers, name);
  return word === undefined ? undefined : `R[${word}]`;
}

/** RAM, if the processor sees that there. */
function ramText(address: number, bytes: number): string | undefined {
  if (bytes !== 1 || address < firstPlainByte || address > 0xffff) return undefined;
  const page = address >> 8;
  const plain = `B[${address}]`;
  // Of the zero page all but the port is RAM.
  return page === 0 ? plain : `(T.reads[${page}] === 0 ? ${plain} : M.peek(${address}, 1))`;
}
