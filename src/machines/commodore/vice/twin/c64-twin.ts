import { disassemble } from '../../../../chips/mos6510/disassemble.ts';
import { fields as cpu } from '../../../../chips/mos6510/registers.ts';
import { hex } from '../../../../formats/hex.ts';
import type { TwinPixel } from '../../../../machine/twin.ts';
import { C64Board } from '../../c64/c64-board.ts';
import type { C64Chips } from '../../c64/c64-parts.ts';
import { C64CartridgeSlot } from '../../c64/machine/c64-cartridge-slot.ts';
import type { RomImages } from '../../c64/memory-map.ts';

/** What both processors have, before an instruction. */
export interface Registers {
  readonly pc: number;
  readonly a: number;
  readonly x: number;
  readonly y: number;
  readonly sp: number;
  readonly flags: number;
}

/** Everything of the status but the two bits that are no flags. */
const flagMask = 0xcf;
/** Fewer than the processor takes to come to its first instruction. */
const resetCycles = 6;
/** Within them it comes to where VICE first stops. */
const startCycles = 1000;

/** A built-in C64 that keeps pace with a VICE, cycle by cycle. */
export class C64Twin {
  readonly board: C64Board;
  readonly #slot: C64CartridgeSlot;
  #file: Uint8Array | undefined;
  /** What VICE's clock has to be ahead to be ours. */
  #ahead = 0;

  constructor(roms: RomImages, chips: C64Chips) {
    this.board = new C64Board({ roms });
    this.board.refit(chips);
    this.#slot = new C64CartridgeSlot(this.board);
  }

  /** Plugs a cartridge in; throws a MediaError for what is none, or none that is known here. */
  insert(file: Uint8Array): void {
    this.#slot.insert(file);
    this.#file = file;
    this.board.powerUp();
  }

  /** Where the processor begins, by the vector that it finds. */
  get start(): number {
    return this.board.peek('cpu', 0xfffc) | (this.board.peek('cpu', 0xfffd) << 8);
  }

  /** Goes where VICE has stopped after power-up, with the registers that it has. False: it does not come there. */
  align(moment: Registers & { readonly time: number; readonly line: number; readonly cycle: number }): boolean {
    const { board } = this;
    const { cyclesPerLine, frameSpan } = board;
    board.powerUp();
    if (!board.runUntilPc(moment.pc, startCycles)) return false;
    // The beam goes on while the processor is held in reset, until it is as far ahead of it as VICE's.
    const lines = moment.line - board.rasterLine;
    const ahead = lines * cyclesPerLine + moment.cycle - board.rasterCycle;
    // A cartridge with a megabyte of flash takes a millisecond to reset.
    if (this.#file) this.#slot.remove();
    board.powerUp();
    for (let left = (ahead + frameSpan) % frameSpan; left > 0; left -= resetCycles) {
      board.runCycles(Math.min(left, resetCycles));
      board.reset();
    }
    if (this.#file) {
      this.#slot.insert(this.#file);
      board.reset();
    }
    if (!board.runUntilPc(moment.pc, startCycles)) return false;
    this.#ahead = board.cycles - moment.time;
    Object.assign(board.cpu.state, {
      [cpu.a]: moment.a,
      [cpu.x]: moment.x,
      [cpu.y]: moment.y,
      [cpu.s]: moment.sp,
    });
    board.cpu.status = moment.flags;
    return board.rasterLine === moment.line && board.rasterCycle === moment.cycle;
  }

  adopt(ram: Uint8Array, color: Uint8Array): void {
    this.board.ram.set(ram.subarray(2), 2);
    this.board.color.set(color.map((byte) => byte & 15));
    const { ram: own } = this.#slot;
    for (let at = 0; own && at < own.length; at++) own[at] = cartridgeByte(at);
  }

  /** To VICE's cycle. False: ours is in the middle of an instruction there, or past it. */
  runTo(time: number): boolean {
    const { board } = this;
    const cycles = time + this.#ahead - board.cycles;
    if (cycles < 0) return false;
    if (cycles > 0) board.runCycles(cycles);
    return board.cpu.atInstruction;
  }

  isAt(time: number): boolean {
    return this.board.cycles === time + this.#ahead;
  }

  get registers(): Registers {
    const { state, status } = this.board.cpu;
    const { [cpu.pc]: pc, [cpu.a]: a, [cpu.x]: x, [cpu.y]: y, [cpu.s]: sp } = state;
    return { pc, a, x, y, sp, flags: status };
  }

  agrees({ pc, a, x, y, sp, flags }: Registers): boolean {
    const ours = this.registers;
    const isSame = ours.pc === pc && ours.a === a && ours.x === x && ours.y === y && ours.sp === sp;
    return isSame && ((ours.flags ^ flags) & flagMask) === 0;
  }

  /** The instruction that comes, and the registers before it. */
  describe(): string {
    const { board } = this;
    if (!board.cpu.atInstruction) return `in the middle of the instruction at $${hex(this.#instruction, 4)}`;
    const { pc } = this.registers;
    const bytes = Uint8Array.from({ length: 3 }, (_, index) => board.peek('cpu', (pc + index) & 0xffff));
    return describeRegisters(this.registers, disassemble(bytes, pc, () => undefined).text);
  }

  get #instruction(): number {
    return this.board.cpu.state[cpu.instructionPc];
  }

  /** Addresses from 2 on whose bytes differ. */
  differingBytes(ram: Uint8Array): readonly number[] {
    const ours = this.board.ram;
    const found: number[] = [];
    for (let address = 2; address < 0x10000; address++) if (ours[address] !== ram[address]) found.push(address);
    return found;
  }

  /** Of the rows that both have drawn whole when a frame of VICE ends. Undefined if VICE shows a picture of another width. */
  differingPixels(
    theirs: Uint8Array,
    size: { readonly width: number; readonly height: number },
  ): { readonly count: number; readonly first?: TwinPixel } | undefined {
    const { frame, cyclesPerLine, rasterLines } = this.board;
    const { x: left, y: top, width } = this.board.vic.timing.visible;
    if (size.width !== width) return undefined;
    let count = 0;
    let first: TwinPixel | undefined;
    for (let y = 0; y < size.height && top + y < rasterLines; y++) {
      const line = top + y;
      for (let x = 0; x < width; x++) {
        const [our = 0, their = 0] = [frame[line * cyclesPerLine * 8 + left + x], theirs[y * width + x]];
        if (our === their) continue;
        count++;
        first ??= { x, y, line, cycle: ((left + x) >> 3) + 1, ours: our, theirs: their };
      }
    }
    return { count, ...(first && { first }) };
  }
}

/** What VICE has in the RAM of every cartridge at power-up: $FF $00 $00 $FF again and again, the other way about in each second page. */
function cartridgeByte(at: number): number {
  return (((at + 1) >> 1) + (at >> 8)) & 1 ? 0 : 0xff;
}

export function describeRegisters({ pc, a, x, y, sp, flags }: Registers, instruction: string): string {
  const bytes = [
    ['A', a],
    ['X', x],
    ['Y', y],
    ['SP', sp],
    ['P', flags & flagMask],
  ] as const;
  return `$${hex(pc, 4)} ${instruction}  ${bytes.map(([name, value]) => `${name}=${hex(value, 2)}`).join(' ')}`;
}
