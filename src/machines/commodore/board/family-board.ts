import type { Mos6510 } from '../../../chips/mos6510/mos6510.ts';
import type { Datasette } from '../drive/datasette.ts';
import type { DriveSet } from '../drive/drive-set.ts';
import type { Questions } from './commodore-board.ts';
import type { Observation } from './observation.ts';
import type { SoundClock } from './sound-clock.ts';
import type { BoardClock, Place, StateWords } from './state-words.ts';

/** The processor's bus. */
export interface Bus {
  read(address: number): number;
  write(address: number, value: number): void;
}

/** How time passes on a board. */
interface PassingTime {
  readonly hasAsked: boolean;
  cycle(): void;
  run(cycles: number): void;
  /** To the end of the instruction in progress, or through the next one. */
  step(): void;
  observe(observation: Observation | undefined): void;
  runObserved(cycles: number, questions: Questions): boolean;
}

/** What every board of the family has, wired by its own machine. */
interface Parts {
  readonly cpu: Mos6510;
  readonly drives: DriveSet;
  readonly tape: Datasette;
  readonly bytes: Uint8Array;
  readonly words: StateWords;
  readonly clock: BoardClock;
  readonly ram: Uint8Array;
  readonly frame: Uint8Array;
  readonly time: PassingTime;
  readonly soundClock: { listen(listener: SoundClock | undefined): void };
  readonly clockHz: number;
  powerUp(): void;
  reset(): void;
  catchUp(): void;
  restored(): void;
}

/** Where words of the state are, counted from its start. */
export interface StatePlaces {
  readonly pc: Place;
  readonly step: Place;
  readonly jammed: Place;
  readonly frameCount: Place;
  readonly exitCode: Place;
}

/** What the boards of the family do in the same way, each with its own parts. */
export abstract class FamilyBoard<P extends Parts> {
  readonly addressSpace = 0x10000;
  readonly cpu: Mos6510;
  readonly drives: DriveSet;
  readonly tape: Datasette;
  /** All mutable state, as bytes. */
  readonly bytes: Uint8Array;
  /** RAM at its addresses, as far as there is some. */
  readonly ram: Uint8Array;
  /** The whole raster as palette indexes; not part of the state. */
  readonly frame: Uint8Array;
  protected readonly parts: P;
  protected readonly words: StateWords;
  protected readonly clock: BoardClock;
  readonly #time: PassingTime;
  readonly #at: StatePlaces;

  /** `powerUp` is left to the board, which is not whole yet. */
  protected constructor(wire: (bus: Bus) => P, at: StatePlaces) {
    const parts = wire(this);
    this.cpu = parts.cpu;
    this.drives = parts.drives;
    this.tape = parts.tape;
    this.bytes = parts.bytes;
    this.ram = parts.ram;
    this.frame = parts.frame;
    this.parts = parts;
    this.words = parts.words;
    this.clock = parts.clock;
    this.#time = parts.time;
    this.#at = at;
  }

  abstract read(address: number): number;
  abstract write(address: number, value: number): void;
  abstract get cyclesPerLine(): number;
  abstract get cyclesToFrame(): number;

  /** Called when time has passed. */
  protected settle(): void {}

  powerUp(): void {
    this.parts.powerUp();
  }

  /** The RES line, as far as it goes on this board. */
  reset(): void {
    this.parts.reset();
  }

  /** Of `cycles`, in a second. */
  get clockHz(): number {
    return this.parts.clockHz;
  }

  /** Since power-up. */
  get cycles(): number {
    return this.clock[0];
  }

  get frameCount(): number {
    return this.words[this.#at.frameCount];
  }

  /** The exit code a test program left, or undefined. */
  get exitCode(): number | undefined {
    const code = this.words[this.#at.exitCode];
    return code === 0 ? undefined : code & 0xff;
  }

  tick(): void {
    this.#time.cycle();
    this.settle();
  }

  runCycles(cycles: number): void {
    this.#time.run(cycles);
    this.settle();
  }

  /** From now on this is watched; whoever covers `read` and `write` sees the accesses. */
  observe(observation: Observation | undefined): void {
    this.#time.observe(observation);
  }

  /** As `runCycles`, but asks where something is watched for, and ends there if the answer is true. True if it has. */
  runObserved(cycles: number, questions: Questions): boolean {
    const isEnded = this.#time.runObserved(cycles, questions);
    this.settle();
    return isEnded;
  }

  /** Where the last `runObserved` went through: whether it has asked about the instruction that comes next. */
  get hasAsked(): boolean {
    return this.#time.hasAsked;
  }

  /** Runs to the end of the instruction in progress, or through the next one. False if the processor is jammed. */
  stepInstruction(): boolean {
    this.#time.step();
    this.settle();
    return this.words[this.#at.jammed] === 0;
  }

  /** Runs until the next opcode fetched lies at `address`; false if that did not happen within `maxCycles`. */
  runUntilPc(address: number, maxCycles: number): boolean {
    const { words } = this;
    const { pc, step } = this.#at;
    let isThere = false;
    for (let i = 0; i < maxCycles && !isThere; i += 1) {
      this.#time.cycle();
      isThere = words[pc] === address && (words[step] & 7) === 0;
    }
    this.settle();
    return isThere;
  }

  /** Runs until a test program has left its exit code, and at most a line longer; false if it did not within `maxCycles`. */
  runUntilExit(maxCycles: number): boolean {
    const slice = this.cyclesPerLine;
    for (let left = maxCycles; left > 0 && this.exitCode === undefined; left -= slice) {
      this.runCycles(Math.min(left, slice));
    }
    return this.exitCode !== undefined;
  }

  /** Runs to the cycle in which the next frame begins. */
  runUntilFrame(): void {
    this.runCycles(this.cyclesToFrame);
  }

  /** From now on this runs the sound, which must be the same as if it did so itself. */
  listen(listener: SoundClock | undefined): void {
    this.parts.soundClock.listen(listener);
  }

  /** Copies the whole state into `target`, with everything that runs lazily brought up to date first. */
  snapshot(target: Uint8Array = new Uint8Array(this.bytes.length)): Uint8Array {
    this.catchUp();
    target.set(this.bytes);
    return target;
  }

  /** Brings everything that runs lazily up to the present. */
  catchUp(): void {
    this.parts.catchUp();
  }

  restore(snapshot: Uint8Array): void {
    this.bytes.set(snapshot);
    this.restored();
  }

  /** Rebuilds what is only a consequence of the state, after somebody wrote to it. */
  restored(): void {
    this.parts.restored();
  }
}
