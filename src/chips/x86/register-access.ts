import { type Core, CpuFault } from './core.ts';
import { packFlags, unpackFlags } from './flags.ts';
import { fields, type RegisterPlace, registerPlaces } from './registers.ts';
import { loadSegment } from './segments.ts';

export function placeOf(name: string): RegisterPlace {
  const place = registerPlaces.get(name);
  if (!place) throw new RangeError(`no register ${name}`);
  return place;
}

/** While code runs the flags are in pieces. Registers are read as wide as they were written, which a processor need not wait for. */
export function readRegister(core: Core, { word, bits, shift }: RegisterPlace, isRunning: boolean): number {
  if (isRunning && word === fields.eflags) return packFlags(core.words) & (bits === 16 ? 0xffff : -1);
  if (bits === 16) return core.half(word * 2);
  return bits === 8 ? core.byte(word * 4 + (shift >> 3)) : core.word(word) >>> 0;
}

export function writeRegister(core: Core, place: RegisterPlace, value: number, isRunning: boolean): void {
  const { word, bits, shift } = place;
  if (word === fields.cs || word === fields.eip) core.words[fields.repeating] = 0;
  if (word < fields.es) {
    if (bits === 16) core.halves[word * 2] = value;
    else if (bits === 8) core.bytes[word * 4 + (shift >> 3)] = value;
    else core.words[word] = value;
    return;
  }
  if (word <= fields.gs) {
    writeSegment(core, word, value);
    return;
  }
  const inPieces = isRunning && word === fields.eflags;
  const mask = bits === 32 ? -1 : 0xffff;
  const old = inPieces ? packFlags(core.words) : core.word(word);
  const changed = (old & ~mask) | (value & mask);
  if (inPieces) unpackFlags(core.words, changed);
  else core.words[word] = changed;
  if (word === fields.cr0 || word === fields.cr3 || word === fields.eflags) core.refresh();
}

/** A selector that names nothing is written as it is; what the segment is stays. */
function writeSegment(core: Core, word: number, value: number): void {
  try {
    loadSegment(core, word, value);
  } catch (error) {
    if (!(error instanceof CpuFault)) throw error;
    core.words[word] = value & 0xffff;
  }
}

/** Written out for speed. */
export function makeCopier(words: Int32Array, from: readonly number[]): (to: Int32Array, at: number) => void {
  const lines = from.map((word, index) => `to[at + ${index}] = ${word === fields.eflags ? 'flags(R)' : `R[${word}]`};`);
  const make = new Function('R', 'flags', `return (to, at) => { ${lines.join(' ')} };`);
  return make(words, packFlags) as (to: Int32Array, at: number) => void;
}
