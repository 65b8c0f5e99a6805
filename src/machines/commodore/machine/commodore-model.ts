import type { MemorySpace } from '../../../machine/memory.ts';
import type { CommodoreBank } from '../board/commodore-board.ts';
import type { RomSetSpec } from '../roms/search/rom-spec.ts';

export type RomPart = 'kernal' | 'basic' | 'chargen';

/** Cells of the KERNAL and of BASIC, the same in every set of ROMs for a machine. */
export interface SystemCells {
  /** Characters in the keyboard buffer. */
  readonly keysWaiting: number;
  /** Where that buffer is. */
  readonly keyBuffer: number;
  /** How many characters it may hold, where that can be changed. */
  readonly keyBufferRoom?: number;
  /** Not 0 while no cursor blinks, where the KERNAL makes it blink. */
  readonly cursorOff?: number;
  /** Where the line with the cursor begins in memory, its last column where lines may be longer, and the cursor's place. */
  readonly line: number;
  readonly lineEnd?: number;
  readonly column: number;
  readonly row: number;
  /** The vector of BASIC's main loop. */
  readonly mainLoop: number;
  /** The address after what was loaded. */
  readonly endOfLoad: number;
  /** Where the datasette's buffer is. */
  readonly tapeBuffer: number;
}

/** Of the machines from the VIC-20 on. */
export const usualCells = {
  keysWaiting: 0xc6,
  keyBuffer: 0x0277,
  keyBufferRoom: 0x0289,
  cursorOff: 0xcc,
  line: 0xd1,
  lineEnd: 0xd5,
  column: 0xd3,
  row: 0xd6,
  mainLoop: 0x0302,
  endOfLoad: 0xae,
  tapeBuffer: 0xb2,
} as const satisfies SystemCells;

/** Facts about a Commodore that its chips and its board do not say; the board has the clock and the span of a frame. */
export interface CommodoreModel {
  /** As in `machine_start`. */
  readonly kind: string;
  /** As people say: `The C64 has no key for …`. */
  readonly name: string;
  readonly processor: string;
  /** The original ROMs by the names of their files. Not every machine has its characters in one of their own. */
  readonly roms: RomSetSpec<RomPart> | RomSetSpec<'kernal' | 'basic'>;
  readonly cells: SystemCells;
  /** What of its memory a debugger sees, other than that of cartridges and drives. */
  readonly banks: readonly (MemorySpace & { readonly name: CommodoreBank })[];
  /** Where chips answer; outside it, where there is no memory, the expansion port does. */
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
  /** Where the KERNAL's own code begins, after that of BASIC. */
  readonly kernalStart: number;
  /** Routines that BASIC keeps in RAM, above the zero page. */
  readonly systemCode?: readonly { readonly first: number; readonly last: number }[];
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
  /** Keys that are another one with shift, where they are not the usual ones; undefined: they are, and RESTORE is there. */
  readonly shifted?: Readonly<Record<string, string>>;
  /** Numbers of the ports for joysticks. */
  readonly controlPorts: readonly number[];
  /** Whether paddles and a light pen can be plugged in there. */
  readonly hasAnalogueInputs: boolean;
  /** Where VICE's test programs leave their exit code, if such a register is plugged in. */
  readonly exitRegister: number;
}
