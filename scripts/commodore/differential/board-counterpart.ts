import { fields as cpu, interruptRow } from '../../../src/chips/mos6510/registers.ts';
import type { CommodoreBoard } from '../../../src/machines/commodore/board/commodore-board.ts';
import type { BinaryMonitor, MonitorPicture } from './binary-monitor.ts';
import type { Counterpart, Moment } from './machine.ts';

const mostInstructions = 100_000;

type Board = CommodoreBoard & { runUntilPc(address: number, maxCycles: number): boolean };

/** What our boards have in common beside VICE's machine. */
export abstract class BoardCounterpart<B extends Board> implements Counterpart {
  protected readonly board: B;
  readonly #startCycles: number;
  readonly #longestInstruction: number;

  /** `startCycles`: within them it comes to where VICE is; `longestInstruction`: in cycles, with an interrupt in front. */
  constructor(board: B, { startCycles, longestInstruction }: { startCycles: number; longestInstruction: number }) {
    this.board = board;
    this.#startCycles = startCycles;
    this.#longestInstruction = longestInstruction;
  }

  abstract adopt(moment: Moment, monitor: BinaryMonitor): Promise<void>;
  abstract memory(): Uint8Array;
  abstract comparable(memory: Uint8Array): Uint8Array;
  abstract differingPixels(picture: MonitorPicture): number | string;
  /** Where VICE's monitor says the beam is when the next instruction begins. */
  protected abstract beam(): readonly [line: number, cycle: number];
  /** Cycles until the beam comes to a line. */
  protected abstract cyclesTo(line: number): number;

  moment(): Moment {
    const { state, status } = this.board.cpu;
    const [line, cycle] = this.beam();
    return {
      pc: state[cpu.pc],
      a: state[cpu.a],
      x: state[cpu.x],
      y: state[cpu.y],
      sp: state[cpu.s],
      flags: status & ~0x10,
      line,
      cycle,
    };
  }

  protected adoptRegisters({ a, x, y, sp, flags }: Moment): void {
    const { cpu: processor } = this.board;
    Object.assign(processor.state, { [cpu.a]: a, [cpu.x]: x, [cpu.y]: y, [cpu.s]: sp });
    processor.status = flags;
  }

  runToPc(address: number): void {
    if (this.board.runUntilPc(address, this.#startCycles)) return;
    throw new Error('our machine does not start where VICE does');
  }

  runToLine(line: number): boolean {
    const { board } = this;
    // The way there in one go, as everybody runs it, the rest by instructions.
    const away = this.cyclesTo(line);
    if (away > this.#longestInstruction) board.runCycles(away - this.#longestInstruction);
    for (let count = 0; count < mostInstructions; count += 1) {
      if (!board.stepInstruction()) return false;
      if (this.beam()[0] === line && !this.#isInterruptNext()) return true;
    }
    throw new Error(`line ${line} was never reached`);
  }

  /** VICE does not stop where an interrupt is about to be taken. */
  #isInterruptNext(): boolean {
    const { board } = this;
    const before = board.snapshot();
    board.tick();
    // A cycle may be two of these.
    if (board.cpu.atInstruction) board.tick();
    const isInterrupt = board.cpu.state[cpu.step] >> 3 === interruptRow;
    board.restore(before);
    return isInterrupt;
  }

  write(address: number, bytes: Uint8Array): void {
    bytes.forEach((byte, index) => {
      this.board.write((address + index) & 0xffff, byte);
    });
  }
}
