import type { Registers } from '../../../src/machines/commodore/vice/twin/registers.ts';
import type { SuiteTest } from '../run-test.ts';
import type { BinaryMonitor, MonitorPicture } from './binary-monitor.ts';

/** Where the processor and the beam are, before an instruction. */
export interface Moment extends Registers {
  readonly line: number;
  readonly cycle: number;
}

/** Bytes to be put into a machine that waits at its prompt, and what is then typed. */
export interface Start {
  readonly blocks: readonly { readonly address: number; readonly bytes: Uint8Array }[];
  readonly typed: string;
}

/** Our side of a run in lock step. */
export interface Counterpart {
  moment(): Moment;
  /** Runs up to the first instruction after power-up that VICE stops at. */
  runToPc(address: number): void;
  /** Takes over what no two machines have in common after power-up: registers of the processor, counters that run. */
  adopt(moment: Moment, monitor: BinaryMonitor): Promise<void>;
  /** Runs to the first instruction that begins in this line of the picture; false if the processor jammed. */
  runToLine(line: number): boolean;
  write(address: number, bytes: Uint8Array): void;
  /** Memory as the processor sees it, with 0 where a comparison means nothing. */
  memory(): Uint8Array;
  /** The same of VICE's memory. */
  comparable(memory: Uint8Array): Uint8Array;
  /** How many pixels differ from VICE's picture; a text if the sizes do. */
  differingPixels(picture: MonitorPicture): number | string;
}

/** A machine that is here and in VICE. */
export interface DifferentialMachine {
  readonly executable: string;
  /** VICE's model of it is exact to the cycle. */
  readonly isExact: boolean;
  /** VICE's folders with its ROMs. */
  readonly folders: readonly string[];
  /** A line that comes once in every frame, whatever a program does, and is not 0. */
  readonly otherLine: number;
  /** Frames until it waits for input. */
  readonly readyFrames: number;
  readonly keyboardBuffer: { readonly start: number; readonly count: number };
  /** VICE's bank that is compared; what the processor sees unless told. */
  readonly memoryBank?: number;
  /** VICE's options for a machine that has what this program needs. */
  options(program: ProgramUnderTest): readonly string[];
  /** The same machine here; `data` is VICE's data folder. */
  counterpart(program: ProgramUnderTest, data: string): Counterpart;
  start(program: ProgramUnderTest): Start;
}

/** A program of a list, with its file. */
export interface ProgramUnderTest {
  readonly test: SuiteTest;
  readonly file: Uint8Array;
}
