import type { MemorySpace } from '../../../machine/memory.ts';
import type { CommodoreBank } from '../board/commodore-board.ts';
import type { RomSetSpec } from '../roms/search/rom-spec.ts';

export type RomPart = 'kernal' | 'basic' | 'chargen';

/** Facts about a Commodore that its chips and its board do not say; the board has the clock and the span of a frame. */
export interface CommodoreModel {
  /** As in `machine_start`. */
  readonly kind: string;
  /** As people say: `The C64 has no key for …`. */
  readonly name: string;
  readonly processor: string;
  /** The original ROMs by the names of their files. */
  readonly roms: RomSetSpec<RomPart>;
  /** What of its memory a debugger sees, other than that of cartridges and drives. */
  readonly banks: readonly (MemorySpace & { readonly name: CommodoreBank })[];
  /** Where chips answer; outside of it, where there is no memory, the expansion port does. */
  readonly io: { readonly first: number; readonly last: number };
  /** What can be written to there, with the addresses under which programmers know each chip. */
  readonly chips: readonly {
    readonly name: string;
    readonly first: number;
    readonly last: number;
    readonly registers: number;
  }[];
  /** Where BASIC programs begin, with each memory that the machine can have. */
  readonly basicStarts: readonly number[];
  /** In BASIC's ROM: where a program that returns arrives. */
  readonly warmStartVector: number;
  /** A reset goes to the program that has left these bytes at this address. */
  readonly resetTrap: { readonly address: number; readonly sign: readonly number[] };
  readonly screen: {
    readonly columns: number;
    readonly rows: number;
    /** Pixels of the picture for each of the chip, so that it is about as wide as on a monitor. */
    readonly pixelWidth: number;
    /** Where the text begins in the picture of a PAL machine. */
    readonly textAt: readonly [number, number];
  };
  /** Keys by column and row of the matrix. RESTORE is not among them. */
  readonly keys: readonly (readonly string[])[];
  /** Numbers of the ports for joysticks and paddles. */
  readonly controlPorts: readonly number[];
  /** Where VICE's test programs leave their exit code, if such a register is plugged in. */
  readonly exitRegister: number;
}
