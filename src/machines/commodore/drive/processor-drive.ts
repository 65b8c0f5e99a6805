import { fields as cpu, type Mos6510State } from '../../../chips/mos6510/registers.ts';
import type { DiskShelf } from './disk-shelf.ts';
import { DriveClock } from './drive-clock.ts';
import { type DriveUnit, type DriveWords, driveFields as f } from './drive-state.ts';
import { type MechanicsWords, mechanicsFields as m, partsOfProcessor, processorWords } from './processor-state.ts';
import { type Surface, SurfaceSlot } from './surface-slot.ts';

/** What drives with a processor of their own have in common: a clock, a processor, a slot and a place on the bus. */
export abstract class ProcessorDrive {
  readonly unit: DriveUnit;
  readonly slot: SurfaceSlot;
  protected readonly words: DriveWords;
  protected readonly mechanics: MechanicsWords;
  protected readonly processor: Mos6510State;
  protected readonly clock: DriveClock;
  /** It pulls other lines of the bus than before. */
  protected readonly linesChanged: () => void;
  /** How long a disk is on its way in or out. */
  protected abstract readonly swapTicks: number;

  constructor(
    unit: DriveUnit,
    words: DriveWords,
    shelf: DiskShelf,
    surface: Surface,
    clockHz: number,
    linesChanged: () => void,
  ) {
    this.unit = unit;
    this.words = words;
    this.linesChanged = linesChanged;
    const { mechanics, pending, cpu: processor } = this.partsWith(0);
    this.mechanics = mechanics;
    this.processor = processor as Mos6510State;
    this.clock = new DriveClock(mechanics, clockHz);
    this.slot = new SurfaceSlot(words, mechanics, pending, shelf, surface);
  }

  /** Its parts with so much RAM. */
  protected partsWith(ramBytes: number) {
    return partsOfProcessor(this.words.subarray(f.processor, f.processor + processorWords), ramBytes);
  }

  abstract run(ticks: number): void;
  abstract catchUp(): void;
  abstract restored(): void;

  /** Another disk, or none: chips that sense it follow. */
  protected abstract swapped(): void;

  wake(awake: Int32Array): void {
    const now = this.mechanics[m.ranTo];
    this.words.set(awake, f.processor);
    this.mechanics[m.ranTo] = now;
    this.restored();
  }

  ticksDue(now: number, computerHz: number): number {
    return this.clock.ticksDue(now, computerHz);
  }

  isBehind(now: number, cycles: number): boolean {
    return this.clock.isBehind(now, cycles);
  }

  holdBack(ticks: number, computerHz: number): void {
    this.clock.holdBack(ticks, computerHz);
  }

  runForLines(now: number, computerHz: number): number {
    this.run(this.ticksDue(now, computerHz));
    return now;
  }

  insert(file: Uint8Array, readOnly: boolean): void {
    this.catchUp();
    this.slot.insert(file, readOnly);
    this.mechanics[m.swapLeft] = this.swapTicks;
    this.swapped();
  }

  eject(): void {
    this.catchUp();
    this.slot.eject();
    this.mechanics[m.swapLeft] = this.swapTicks;
    this.swapped();
  }

  get isBetweenInstructions(): boolean {
    return (this.processor[cpu.step] & 7) === 0;
  }

  get pc(): number {
    return this.isBetweenInstructions ? this.processor[cpu.pc] : this.processor[cpu.instructionPc];
  }
}
