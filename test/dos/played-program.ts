import type { ProgramStage } from './program-stage.ts';

/** A program of `examples/dos` and how it is used. */
export interface PlayedProgram {
  /** Of its source and of the file on the drive, which is a COM file unless told otherwise. */
  readonly name: string;
  readonly file?: string;
  /** On the drive beside it. */
  readonly files?: Readonly<Record<string, Uint8Array | string>>;
  /** Of the machine. */
  readonly options?: Readonly<Record<string, unknown>>;
  play(stage: ProgramStage): Promise<void>;
}
