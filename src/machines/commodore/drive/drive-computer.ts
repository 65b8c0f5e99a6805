import { runInstructionsOnBus } from '../../../chips/mos6510/instructions-on-bus.generated.ts';
import { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import { fields as cpu } from '../../../chips/mos6510/registers.ts';
import { type MechanicsWords, mechanicsFields as m } from './processor-state.ts';

/** Shorter stretches are left to single cycles. */
const shortestRun = 3;
const nothingMarked = new Uint8Array(0x10000);
const romStart = 0x8000;

/** What the processor of a drive is wired to, apart from plain memory. */
export interface DriveChips {
  /** As the processor does, anywhere. */
  read(address: number): number;
  write(address: number, value: number): void;
  /** A cycle of everything but the processor. */
  tickChips(): void;
  /** How many of the next cycles are of no consequence for the processor, and that so many have passed. */
  readonly quietCycles: number;
  pass(cycles: number): void;
  /** 1 while one of them pulls IRQ. */
  readonly irq: number;
}

/** The processor of a 1571 or 1581 with its RAM at $0000 and 32 KiB of ROM at $8000. */
export class DriveComputer {
  readonly #chips: DriveChips;
  readonly #mechanics: MechanicsWords;
  readonly #kept: Uint8Array;
  readonly #memory = new Uint8Array(0x10000);
  readonly ram: Uint8Array;
  readonly #readable: Int32Array;
  readonly #writable: Int32Array;
  readonly #shared = new Int32Array(2);
  readonly #cpu: Mos6510;
  #hasAccessed = false;

  constructor(
    parts: { readonly cpu: Int32Array; readonly mechanics: MechanicsWords; readonly ram: Uint8Array },
    rom: Uint8Array,
    chips: DriveChips,
  ) {
    this.#chips = chips;
    this.#mechanics = parts.mechanics;
    this.#kept = parts.ram;
    this.#memory.set(rom.subarray(0, romStart), romStart);
    this.ram = this.#memory.subarray(0, parts.ram.length);
    const ramPages = parts.ram.length >> 8;
    this.#readable = Int32Array.from({ length: 256 }, (_, page) => (page < ramPages || page >= 0x80 ? 0 : -1));
    this.#writable = Int32Array.from({ length: 256 }, (_, page) => (page < ramPages ? 0 : -1));
    this.#cpu = new Mos6510(parts.cpu, chips);
  }

  powerUp(): void {
    this.#kept.fill(0);
    this.ram.fill(0);
    this.#cpu.powerUp();
  }

  reset(): void {
    this.#cpu.reset();
  }

  restored(): void {
    this.ram.set(this.#kept);
  }

  /** The words follow. */
  catchUp(): void {
    this.#kept.set(this.ram);
    if (!this.isBetweenInstructions) return;
    // Of no consequence any more: the next cycle fetches an opcode.
    this.#cpu.forget();
    this.#mechanics[m.busByte] = 0;
  }

  get isBetweenInstructions(): boolean {
    return (this.#cpu.state[cpu.step] & 7) === 0;
  }

  /** RAM and ROM; what else there is answers with what is left on the bus. */
  peek(address: number): number {
    const isMemory = address < this.ram.length || address >= romStart;
    return isMemory ? (this.#memory[address] as number) : this.#mechanics[m.busByte];
  }

  tick(): void {
    this.#chips.tickChips();
    this.#cpu.state[cpu.irqLine] = this.#chips.irq;
    this.#cpu.tick();
  }

  /** Whole instructions while no chip has anything to tell the processor, and at most so many cycles; 0 where that cannot be. */
  runInstructions(limit: number): number {
    const chips = this.#chips;
    const { state } = this.#cpu;
    if (!this.isBetweenInstructions) return 0;
    const free = Math.min(limit, chips.quietCycles);
    if (free < shortestRun) return 0;
    const { irq } = chips;
    state[cpu.irqLine] = irq;
    if (state[cpu.pipe] !== 0 || (irq !== 0 && state[cpu.i] === 0)) return 0;
    this.#hasAccessed = false;
    const ran = runInstructionsOnBus(
      state,
      this.#memory,
      this.#readable,
      this.#writable,
      free,
      this,
      this.#shared,
      nothingMarked,
      undefined,
    );
    if (!this.#hasAccessed && ran > 0) chips.pass(ran);
    return ran;
  }

  /** An access in the given cycle of the instructions that are being run; there is no other in that run. */
  readAt(address: number, cycle: number, last: number): number {
    this.#hasAccessed = true;
    this.#chips.pass(cycle);
    this.#mechanics[m.busByte] = last;
    return this.#chips.read(address);
  }

  writeAt(address: number, value: number, cycle: number): void {
    this.#hasAccessed = true;
    this.#chips.pass(cycle);
    this.#chips.write(address, value);
  }
}
