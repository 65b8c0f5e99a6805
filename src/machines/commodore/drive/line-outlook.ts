/*
 * How long a drive's processor is sure to leave its lines of the serial bus alone, whatever it reads and whenever it is interrupted:
 * worked out of its ROM, as the shortest ways through it.
 */
import { type Opcode, opcodes } from '../../../chips/mos6510/opcodes.ts';

const romStart = 0xc000;
const romBytes = 0x4000;
const interruptVector = 0xfffe;
const interruptCycles = 7;
/** No instruction writes to a chip before its fourth cycle. */
const untilWrite = 3;
/** Of the registers of a VIA, port B and its direction are 0 and 2. */
const portB = 2;
/** Longer than anybody needs to know. */
const far = 1000;
/** No place in the ROM: any instruction may be there. */
const outside = romBytes;

/** What an instruction is for the way through the ROM; `end`: it may write to the lines, or nobody knows what follows. */
const kind = { end: 0, onward: 1, branch: 2, call: 3, stack: 4, return: 5 } as const;
const movesStack = new Set(['PHA', 'PHP', 'PLA', 'PLP', 'TXS']);

export class LineOutlook {
  readonly #rom: Uint8Array;
  // By place in the ROM: what the instruction there is, its cycles, and where it leads.
  readonly #kinds = new Uint8Array(romBytes);
  readonly #cycles = new Uint8Array(romBytes);
  readonly #next = new Uint16Array(romBytes);
  readonly #target = new Uint16Array(romBytes);
  /** Cycles in which the lines stay, unless its subroutine returns first. */
  readonly #quiet = new Uint16Array(romBytes + 1).fill(far);
  /** Cycles after which its subroutine may have returned, unless the stack is used for something else on the way. */
  readonly #toReturn = new Uint16Array(romBytes + 1).fill(far);
  readonly #interrupted: number;

  /** `rom`: the 16 KiB from $C000 on. */
  constructor(rom: Uint8Array) {
    this.#rom = rom;
    this.#quiet[outside] = untilWrite;
    for (let place = 0; place < romBytes; place++) this.#decode(place);
    while (this.#shorten());
    this.#interrupted = interruptCycles + this.#after(placeOf(this.#wordAt(interruptVector - romStart)));
  }

  /** Cycles in which an instruction at `pc` and all that may follow it leave the lines alone. `returnTo`: the address on the stack. */
  cyclesFrom(pc: number, returnTo: number): number {
    const place = placeOf(pc);
    const quiet = Math.min(this.#quiet[place] as number, this.#interrupted);
    const toReturn = this.#toReturn[place] as number;
    return toReturn >= quiet ? quiet : Math.min(quiet, toReturn + this.#after(placeOf((returnTo + 1) & 0xffff)));
  }

  #decode(place: number): void {
    const row = opcodes[this.#rom[place] as number] as Opcode;
    const { mnemonic, pattern } = row;
    this.#cycles[place] = row.cycles;
    this.#next[place] = placeOf(romStart + place + row.length);
    this.#target[place] = outside;
    if (!row.documented || this.#mayWrite(row, place)) {
      this.#kinds[place] = kind.end;
      this.#quiet[place] = untilWrite;
    } else if (mnemonic === 'RTS') {
      this.#kinds[place] = kind.return;
      this.#toReturn[place] = row.cycles;
    } else if (mnemonic === 'RTI' || row.mode === '(absolute)') {
      this.#kinds[place] = kind.end;
      this.#quiet[place] = row.cycles + untilWrite;
    } else if (mnemonic === 'BRK') {
      this.#kinds[place] = kind.stack;
      this.#next[place] = placeOf(this.#wordAt(interruptVector - romStart));
    } else if (mnemonic === 'JMP') {
      this.#kinds[place] = kind.onward;
      this.#next[place] = placeOf(this.#wordAt(place + 1));
    } else if (mnemonic === 'JSR') {
      this.#kinds[place] = kind.call;
      this.#target[place] = placeOf(this.#wordAt(place + 1));
    } else if (pattern === 'branch') {
      this.#kinds[place] = kind.branch;
      const distance = ((this.#rom[place + 1] as number) << 24) >> 24;
      this.#target[place] = placeOf((romStart + place + row.length + distance) & 0xffff);
    } else this.#kinds[place] = movesStack.has(mnemonic) ? kind.stack : kind.onward;
  }

  /** Whether it may write to what drives the lines. */
  #mayWrite({ pattern, mode }: Opcode, place: number): boolean {
    if ((pattern !== 'write' && pattern !== 'modify') || mode.startsWith('zeropage')) return false;
    if (!mode.startsWith('absolute')) return true;
    const base = this.#wordAt(place + 1);
    if (mode === 'absolute') return isOfFirstVia(base) && (base & ~portB & 15) === 0;
    return isOfFirstVia(base) || isOfFirstVia((base + 255) & 0xffff);
  }

  /** One step towards the shortest ways; false when they are found. */
  #shorten(): boolean {
    const [quiets, returns] = [this.#quiet, this.#toReturn];
    let isShorter = false;
    for (let place = romBytes - 1; place >= 0; place--) {
      const what = this.#kinds[place] as number;
      if (what === kind.end || what === kind.return) continue;
      const cycles = this.#cycles[place] as number;
      const next = this.#next[place] as number;
      const target = this.#target[place] as number;
      let quiet = cycles + (quiets[next] as number);
      let toReturn = cycles + (returns[next] as number);
      if (what === kind.branch) {
        quiet = Math.min(quiet, cycles + 1 + (quiets[target] as number));
        toReturn = Math.min(toReturn, cycles + 1 + (returns[target] as number));
      } else if (what === kind.call) {
        const called = returns[target] as number;
        quiet = Math.min(called + quiet, cycles + (quiets[target] as number));
        toReturn += called;
      } else if (what === kind.stack) {
        quiet = cycles + this.#after(next);
        toReturn = far;
      }
      if (quiet < (quiets[place] as number)) {
        quiets[place] = quiet;
        isShorter = true;
      }
      if (toReturn < (returns[place] as number)) {
        returns[place] = toReturn;
        isShorter = true;
      }
    }
    return isShorter;
  }

  /** Where nobody knows to where it returns. */
  #after(place: number): number {
    return Math.min(this.#quiet[place] as number, (this.#toReturn[place] as number) + untilWrite);
  }

  #wordAt(place: number): number {
    return (this.#rom[place] as number) | ((this.#rom[place + 1] as number) << 8);
  }
}

function placeOf(address: number): number {
  return address >= romStart && address < romStart + romBytes ? address - romStart : outside;
}

/** VIA 1 and its mirrors, where nothing else is in a kilobyte. */
function isOfFirstVia(address: number): boolean {
  return address < 0x8000 && (address & 0x1c00) === 0x1800;
}
