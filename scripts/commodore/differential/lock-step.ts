import type { BinaryMonitor } from './binary-monitor.ts';
import type { Counterpart, DifferentialMachine, Moment, ProgramUnderTest } from './machine.ts';
import { ViceProcess } from './vice-process.ts';

/** What was found at one of the frames that were asked for. */
export interface Finding {
  readonly frame: number;
  readonly pixels: number | string;
  /** Addresses that differ. */
  readonly bytes: readonly number[];
  readonly ours: Moment;
  readonly theirs: Moment;
  readonly isJammed: boolean;
}

/** Where frames are counted: the picture before it is whole. */
const frameLine = 0;
const resetVector = 0xfffc;

/** Runs a program here and on a real VICE, from power-up on, and compares them before the given frames. */
export class LockStep {
  readonly #machine: DifferentialMachine;
  readonly #vice: ViceProcess;
  readonly #ours: Counterpart;
  readonly #monitor: BinaryMonitor;
  #atLine = 0;
  #elsewhere = 0;

  private constructor(machine: DifferentialMachine, vice: ViceProcess, ours: Counterpart) {
    this.#machine = machine;
    this.#vice = vice;
    this.#ours = ours;
    this.#monitor = vice.monitor;
  }

  static async open(
    machine: DifferentialMachine,
    program: ProgramUnderTest,
    setup: { readonly data: string; readonly executable: string },
  ): Promise<LockStep> {
    const ours = machine.counterpart(program, setup.data);
    const vice = await ViceProcess.start({ ...setup, folders: machine.folders, options: machine.options(program) });
    return new LockStep(machine, vice, ours);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#vice.end();
  }

  async run(program: ProgramUnderTest, frames: readonly number[]): Promise<readonly Finding[]> {
    await this.#powerUp();
    await this.#advance(this.#machine.readyFrames);
    const { blocks, typed } = this.#machine.start(program);
    for (const { address, bytes } of blocks) await this.#write(address, bytes);
    const { start, count } = this.#machine.keyboardBuffer;
    if (typed !== '') {
      await this.#write(start, new TextEncoder().encode(typed));
      await this.#write(count, Uint8Array.of(typed.length));
    }
    const findings: Finding[] = [];
    let now = 0;
    for (const frame of frames) {
      const isRunning = await this.#advance(frame - now);
      findings.push(await this.#compare(frame, !isRunning));
      now = frame;
      if (!isRunning) break;
    }
    return findings;
  }

  async #write(address: number, bytes: Uint8Array): Promise<void> {
    this.#ours.write(address, bytes);
    await this.#monitor.setMemory(address, bytes);
  }

  /** VICE does not stop before the very first instruction, but before the next. */
  async #powerUp(): Promise<void> {
    const [low = 0, high = 0] = await this.#monitor.memory(resetVector, resetVector + 1);
    const start = low | (high << 8);
    const checkpoint = await this.#monitor.checkpoint(start, start + 8);
    await this.#monitor.powerCycle();
    await this.#monitor.toggle(checkpoint, false);
    const theirs = await this.#moment();
    this.#ours.runToPc(theirs.pc);
    await this.#ours.adopt(theirs, this.#monitor);
    this.#atLine = await this.#monitor.checkpoint(0, 0xffff, `RL == $${frameLine.toString(16)}`);
    this.#elsewhere = await this.#monitor.checkpoint(0, 0xffff, `RL == $${this.#machine.otherLine.toString(16)}`);
    await this.#monitor.toggle(this.#atLine, false);
  }

  /** So many frames on; false if the processor jammed on either side. */
  async #advance(frames: number): Promise<boolean> {
    for (let count = 0; count < frames; count += 1) {
      for (const [line, on, off] of [
        [this.#machine.otherLine, this.#elsewhere, this.#atLine],
        [frameLine, this.#atLine, this.#elsewhere],
      ] as const) {
        await this.#monitor.toggle(off, false);
        await this.#monitor.toggle(on, true);
        const isRunning = await this.#monitor.run();
        if (!this.#ours.runToLine(line) || !isRunning) return false;
      }
    }
    return true;
  }

  async #compare(frame: number, isJammed: boolean): Promise<Finding> {
    const [ours, theirs] = [
      this.#ours.memory(),
      this.#ours.comparable(await this.#monitor.memory(0, 0xffff, this.#machine.memoryBank)),
    ];
    const bytes = Array.from(ours.keys()).filter((address) => ours[address] !== theirs[address]);
    const pixels = this.#ours.differingPixels(await this.#monitor.picture());
    return { frame, pixels, bytes, ours: this.#ours.moment(), theirs: await this.#moment(), isJammed };
  }

  async #moment(): Promise<Moment> {
    const values = await this.#monitor.registers();
    const of = (name: string) => values.get(name) ?? 0;
    return {
      pc: of('PC'),
      a: of('A'),
      x: of('X'),
      y: of('Y'),
      sp: of('SP'),
      flags: (of('FL') | 0x20) & ~0x10,
      line: of('LIN'),
      cycle: of('CYC'),
    };
  }
}
