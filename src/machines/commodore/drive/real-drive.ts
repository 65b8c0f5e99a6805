import type { Mos6510State } from '../../../chips/mos6510/registers.ts';
import type { Mos6526State } from '../../../chips/mos6526/fields.ts';
import type { Via6522State } from '../../../chips/via6522/fields.ts';
import type { Wd1770State } from '../../../chips/wd1770/fields.ts';
import type { DriveUnit } from './drive-state.ts';
import type { SurfaceSlot } from './surface-slot.ts';

/** Drives that have a processor of their own here; their numbers in the words of a drive are their places, counted from 1. */
export const driveModels = ['1541', '1571', '1581'] as const;
export type DriveModel = (typeof driveModels)[number];
export type DriveRoms = Partial<Readonly<Record<DriveModel, Uint8Array>>>;

/** What can be looked at in one. */
export interface DriveParts {
  readonly cpu: Mos6510State;
  readonly vias: readonly Via6522State[];
  readonly cia?: Mos6526State;
  readonly controller?: Wd1770State;
}

/** A drive with a processor of its own. */
export interface RealDrive {
  readonly unit: DriveUnit;
  readonly model: DriveModel;
  /** Its ticks in a microsecond. */
  readonly ticksPerMicrosecond: number;
  readonly slot: SurfaceSlot;
  readonly parts: DriveParts;
  readonly isLightOn: boolean;
  readonly isMotorOn: boolean;
  /** Where the head is; halves lie between two tracks. */
  readonly track: number;
  readonly side: number;
  readonly isProtected: boolean;
  /** Whether its processor is between two instructions. */
  readonly isBetweenInstructions: boolean;
  /** Of the next instruction, or of the one under way. */
  readonly pc: number;

  powerUp(now: number): void;
  /** Until its DOS has tested memory and waits for commands. */
  readonly wakingTicks: number;
  /** It becomes one that has come so far with nothing on the bus, while no time has passed for the computer: see `wakingUp`. */
  wake(awake: Int32Array): void;
  /** The reset line. */
  reset(): void;
  /** How many ticks are due when the computer stands at this cycle; they count as done from now on. */
  ticksDue(now: number, computerHz: number): number;
  /** Whether it has been left alone for more of the computer's cycles than these. */
  isBehind(now: number, cycles: number): boolean;
  /** Of the ticks that were due, so many were not made: they stay due. */
  holdBack(ticks: number, computerHz: number): void;
  /** One tick. True if it was a cycle of the processor. */
  tick(): boolean;
  run(ticks: number): void;
  /** What is due when the computer stands at this cycle, as far as its lines depend on it. The answer is the cycle up to which they are sure to stay. */
  runForLines(now: number, computerHz: number): number;
  /** Brings what runs lazily up to the present. */
  catchUp(): void;

  /** The serial bus as it is now: 1 is high. */
  setLines(lines: number): void;
  /** The lines that it pulls low. */
  pulled(lines: number): number;

  insert(file: Uint8Array, readOnly: boolean): void;
  eject(): void;

  /** As the processor does. */
  read(address: number): number;
  write(address: number, value: number): void;
  /** What the processor sees, without side effects. */
  peek(address: number): number;
  poke(address: number, value: number): void;
  /** What kind of memory its processor finds there. */
  spaceOf(address: number): 'ram' | 'rom' | 'io';
  /** Rebuilds what is only a consequence of the words. */
  restored(): void;
}
