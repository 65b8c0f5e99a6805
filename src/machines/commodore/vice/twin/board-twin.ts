import { disassemble } from '../../../../chips/mos6510/disassemble.ts';
import { fields as cpu } from '../../../../chips/mos6510/registers.ts';
import { hex, hexWord } from '../../../../formats/hex.ts';
import type { TwinPixel } from '../../../../machine/twin.ts';
import type { CommodoreBoard } from '../../board/commodore-board.ts';
import type { ViceScreen } from '../vice-screen.ts';
import type { ViceSession } from '../vice-session.ts';
import type { Registers } from './registers.ts';

/** Where VICE has stopped after power-up. */
export interface Moment extends Registers {
  readonly time: number;
  readonly line: number;
  readonly cycle: number;
}

export interface DifferingPixels {
  readonly count: number;
  readonly first?: TwinPixel;
}

/** Where VICE has stopped, and what is to be the same there. */
export interface Meeting {
  readonly time: number;
  readonly registers: Registers;
  readonly comparesProcessor: boolean;
  /** Whether ours has in memory what VICE has. */
  hasSameMemory(): boolean;
}

export type TwinBoard = CommodoreBoard & { runUntilPc(address: number, maxCycles: number): boolean };

/** A fifth of a frame. */
const turnCycles = 4000;

/** Everything of the status but the two bits that are no flags. */
const flagMask = 0xcf;

/** A built-in machine that keeps pace with a VICE, cycle by cycle. */
export abstract class BoardTwin<B extends TwinBoard = TwinBoard> {
  readonly board: B;
  /** Both processors are in the same cycle of the same instruction. */
  readonly isExact: boolean = true;
  /** What VICE's clock has to be ahead to be ours. */
  #ahead = 0;

  protected get ahead(): number {
    return this.#ahead;
  }

  constructor(board: B) {
    this.board = board;
  }

  /** Goes where VICE has stopped after power-up, with the registers that it has. False: it does not come there. */
  abstract align(moment: Moment): Promise<boolean>;
  /** Takes over what no two machines have in common after power-up: what is in memory, counters that run. */
  abstract adoptFrom(session: ViceSession): Promise<void>;
  /** Both are at their prompts, and about to begin. Those in the same cycle are the same already. */
  async beginFrom(_session: ViceSession): Promise<void> {}
  /** Addresses whose bytes differ. */
  abstract differingBytes(memory: Uint8Array): readonly number[];
  /** Undefined if VICE shows a picture of another size. */
  abstract pixels(screen: ViceScreen): Promise<DifferingPixels | undefined>;

  /** One of those that are compared. */
  byteAt(address: number): number {
    return this.board.ram[address] ?? 0;
  }

  /** At the instruction where VICE is, in the cycle where it is. */
  protected meet(moment: Moment): void {
    const { board } = this;
    this.#ahead = board.cycles - moment.time;
    this.setRegisters(moment);
  }

  /** All but the place where it is. */
  protected setRegisters({ a, x, y, sp, flags }: Registers): void {
    const { cpu: processor } = this.board;
    Object.assign(processor.state, { [cpu.a]: a, [cpu.x]: x, [cpu.y]: y, [cpu.s]: sp });
    processor.status = flags;
  }

  /** Where the processor begins, by the vector that it finds. */
  get start(): number {
    return this.board.peek('cpu', 0xfffc) | (this.board.peek('cpu', 0xfffd) << 8);
  }

  /** To VICE's cycle. False: ours is in the middle of an instruction there, or past it. */
  runTo(time: number): boolean {
    const { board } = this;
    const cycles = time + this.#ahead - board.cycles;
    if (cycles < 0) return false;
    if (cycles > 0) board.runCycles(cycles);
    return board.cpu.atInstruction;
  }

  /** The same, with turns for others on the way: cycles of a program that has just begun take long. */
  async runToInTurns(time: number): Promise<boolean> {
    while (this.board.cycles + turnCycles < time + this.#ahead) {
      this.board.runCycles(turnCycles);
      await new Promise(setImmediate);
    }
    return this.runTo(time);
  }

  /** Brings ours to where VICE is. False: ours does something else there. */
  async arrive({ time, registers }: Meeting): Promise<boolean> {
    return (await this.runToInTurns(time)) && this.agrees(registers);
  }

  isAt(time: number): boolean {
    return this.board.cycles === time + this.#ahead;
  }

  get registers(): Registers {
    const { state, status } = this.board.cpu;
    const { [cpu.pc]: pc, [cpu.a]: a, [cpu.x]: x, [cpu.y]: y, [cpu.s]: sp } = state;
    return { pc, a, x, y, sp, flags: status };
  }

  agrees(theirs: Registers): boolean {
    return this.areSame(this.registers, theirs);
  }

  areSame(ours: Registers, { pc, a, x, y, sp, flags }: Registers): boolean {
    const isSame = ours.pc === pc && ours.a === a && ours.x === x && ours.y === y && ours.sp === sp;
    return isSame && ((ours.flags ^ flags) & flagMask) === 0;
  }

  /** The instruction that comes, and the registers before it. */
  describe(): string {
    const { board } = this;
    if (!board.cpu.atInstruction) {
      return `in the middle of the instruction at ${hexWord(board.cpu.state[cpu.instructionPc])}`;
    }
    const { pc } = this.registers;
    const bytes = Uint8Array.from({ length: 3 }, (_, index) => board.peek('cpu', (pc + index) & 0xffff));
    return describeRegisters(this.registers, disassemble(bytes, pc, () => undefined).text);
  }
}

export function describeRegisters({ pc, a, x, y, sp, flags }: Registers, instruction: string): string {
  const bytes = [
    ['A', a],
    ['X', x],
    ['Y', y],
    ['SP', sp],
    ['P', flags & flagMask],
  ] as const;
  return `${hexWord(pc)} ${instruction}  ${bytes.map(([name, value]) => `${name}=${hex(value, 2)}`).join(' ')}`;
}
