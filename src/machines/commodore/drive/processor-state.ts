import { stateWords as cpuWords } from '../../../chips/mos6510/registers.ts';
import { stateWords as ciaWords } from '../../../chips/mos6526/fields.ts';
import { stateWords as viaWords } from '../../../chips/via6522/fields.ts';
import { stateWords as controllerWords } from '../../../chips/wd1770/fields.ts';

const pendingBytes = 256;

/** The words of the mechanics and of what is not a chip in a drive with a processor of its own. */
export const mechanicsFields = {
  /** Clocks: the computer's cycle up to which it has run (low 32 bits), and what is left of a cycle of its own. */
  ranTo: 0,
  fraction: 1,
  /** How many cycles the VIAs may be left alone, and what is left of it. */
  viaSpan: 2,
  viaLeft: 3,
  /** The head: half track (0 is track 1), bit under it, how far into that bit (see `DiskHead`). */
  halfTrack: 4,
  bit: 5,
  clock: 6,
  /** The last ten bits, how many of a byte have passed, and the byte that is being written. */
  shifter: 7,
  bitCount: 8,
  writing: 9,
  /** Cycles during which a disk that is put in or taken out covers the light barrier. */
  swapLeft: 10,
  /** The page of the disk that is being written (counted from 1; 0: none), as it is now. */
  pendingPage: 11,
  /** The clock of the read circuit and the counter behind it: both begin anew with each one on the disk. */
  readClock: 12,
  readCounter: 13,
  /** The byte that was last on the processor's bus: where nobody answers it is still there. */
  busByte: 14,
  /** Sixteenths of a microsecond until noise is taken for a one, the state of its generator, and a byte that is ready next cycle. */
  noiseLeft: 15,
  noiseSeed: 16,
  lateByte: 17,
  /** The coil that was last on, the cycles until the head is at it, and those for which it swings (see `DiskHead`). */
  coil: 18,
  moveLeft: 19,
  swingLeft: 20,
  /** The head that is chosen, of drives with two. */
  side: 21,
  /** 1571: 1 in the first half of a cycle of 1 MHz, and 1 from a byte until it is taken. */
  half: 22,
  byteReady: 23,
  /** 1541 that works as VICE's (which has no halves): the last byte that came in whole. `byteReady`: its processor has not noticed it. */
  lastByte: 22,
  pending: 24,
} as const;

const mechanicsWords = mechanicsFields.pending + pendingBytes / 4;

/** Where the parts lie in the words of a drive, whichever it is: none has all of them. */
export const processorParts = {
  cpu: 0,
  via1: cpuWords,
  via2: cpuWords + viaWords,
  mechanics: cpuWords + 2 * viaWords,
  cia: cpuWords + 2 * viaWords + mechanicsWords,
  controller: cpuWords + 2 * viaWords + mechanicsWords + ciaWords,
  ram: cpuWords + 2 * viaWords + mechanicsWords + ciaWords + controllerWords,
} as const;

/** As much as the largest has, a 1581. */
const mostRamBytes = 0x2000;

export const processorWords = processorParts.ram + mostRamBytes / 4;

export type MechanicsWords = Int32Array & Record<(typeof mechanicsFields)[keyof typeof mechanicsFields], number>;

export function partsOfProcessor(words: Int32Array, ramBytes: number) {
  const { cpu, via1, via2, mechanics, cia, controller, ram } = processorParts;
  const bytes = (start: number, length: number) => new Uint8Array(words.buffer, words.byteOffset + start * 4, length);
  return {
    cpu: words.subarray(cpu, via1),
    via1: words.subarray(via1, via2),
    via2: words.subarray(via2, mechanics),
    mechanics: words.subarray(mechanics, cia) as MechanicsWords,
    pending: bytes(mechanics + mechanicsFields.pending, pendingBytes),
    cia: words.subarray(cia, controller),
    controller: words.subarray(controller, ram),
    ram: bytes(ram, ramBytes),
  };
}
