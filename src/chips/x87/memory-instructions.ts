import { compute, conditions, finishComparison, type MemoryAction, unordered } from './actions.ts';
import { compare } from './compare.ts';
import { loadDecimal, storeDecimal } from './decimal.ts';
import { loadDouble, loadSingle, quieten, storeDouble, storeSingle } from './formats.ts';
import { setLongInteger, setSmallInteger, toInteger } from './integer.ts';
import type { Real } from './real.ts';
import type { Work } from './work.ts';

/** By escape (three bits) and group (three bits). */
export const memoryActions: (MemoryAction | undefined)[] = [];

/** How operands of the formats in memory get into a number, and how the top gets out. */
type Read = (work: Work, words: Int32Array, real: Real) => void;
type Write = (work: Work, words: Int32Array) => void;

const readShort: Read = (_work, words, real) => setSmallInteger(real, (words[0] << 16) >> 16);
const readInteger: Read = (_work, words, real) => setSmallInteger(real, words[0]);
const readLong: Read = (_work, words, real) => setLongInteger(real, words[1], words[0]);
const readDecimal: Read = (_work, words, real) => loadDecimal(words, real);
const readExtended: Read = (_work, words, real) => {
  const head = words[2];
  real.set((head >>> 15) & 1, head & 0x7fff, words[1], words[0]);
};

function writeInteger(bits: 16 | 32 | 64): Write {
  return (work, words) => {
    toInteger(work, bits);
    words[0] = work.result.low;
    words[1] = work.result.high;
  };
}

const writeExtended: Write = ({ a }, words) => {
  words[0] = a.low;
  words[1] = a.high;
  words[2] = (a.sign << 15) | a.exponent;
};

function memoryArithmetic(code: number, read: Read): MemoryAction {
  const compares = code === 2 || code === 3;
  return (chip) => {
    const work = chip.begin();
    read(work, chip.operand, work.b);
    if (chip.isEmpty(0)) {
      if (compares) unordered(chip);
      else chip.stackFault(0);
    } else {
      chip.fetch(0, work.a);
      if (compares) conditions(chip, compare(work, false));
      else compute(work, code);
    }
    if (compares) finishComparison(chip, code - 2);
    else if (chip.settle()) chip.put(0, work.result);
    return false;
  };
}

function loading(read: Read): MemoryAction {
  return (chip) => {
    const work = chip.begin();
    read(work, chip.operand, work.result);
    if (read === loadSingle || read === loadDouble) quieten(work, work.result);
    chip.push();
    return false;
  };
}

function storing(write: Write, pops: boolean): MemoryAction {
  return (chip) => {
    const work = chip.begin();
    if (chip.isEmpty(0)) {
      chip.stackFault(0);
      // What is stored in its place is made of the NaN for no result.
      const { flags } = work;
      work.a.copy(work.result);
      write(work, chip.operand);
      work.flags = flags;
    } else {
      if (write === writeExtended) chip.read(0, work.a);
      else chip.fetch(0, work.a);
      write(work, chip.operand);
    }
    if (!chip.settleStore()) return false;
    if (pops) chip.pop();
    return true;
  };
}

function onMemory(esc: number, group: number, action: MemoryAction): void {
  memoryActions[esc * 8 + group] = action;
}

memoryActions.length = 64;
for (let code = 0; code < 8; code += 1) {
  onMemory(0, code, memoryArithmetic(code, loadSingle));
  onMemory(2, code, memoryArithmetic(code, readInteger));
  onMemory(4, code, memoryArithmetic(code, loadDouble));
  onMemory(6, code, memoryArithmetic(code, readShort));
}
const transfers = [
  [1, loadSingle, storeSingle],
  [3, readInteger, writeInteger(32)],
  [5, loadDouble, storeDouble],
  [7, readShort, writeInteger(16)],
] as const;
for (const [esc, read, write] of transfers) {
  onMemory(esc, 0, loading(read));
  onMemory(esc, 2, storing(write, false));
  onMemory(esc, 3, storing(write, true));
}
onMemory(3, 5, loading(readExtended));
onMemory(3, 7, storing(writeExtended, true));
onMemory(7, 4, loading(readDecimal));
onMemory(7, 5, loading(readLong));
onMemory(7, 6, storing(storeDecimal, true));
onMemory(7, 7, storing(writeInteger(64), true));
onMemory(1, 5, (chip) => {
  chip.control = chip.operand[0];
  return false;
});
onMemory(1, 7, (chip) => {
  chip.operand[0] = chip.control;
  return true;
});
onMemory(5, 7, (chip) => {
  chip.operand[0] = chip.status;
  return true;
});
