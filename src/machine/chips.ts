import type { IndexedPicture } from './screen.ts';

/** The chips that can be looked into: registers decoded, sprites and characters as pictures, voices, timers. */
export interface ChipsCapability {
  readonly chips: readonly Chip[];
  /** Changes registers by their names or addresses, or what a part is called by: `{ x: 100, enabled: 1 }`. All or nothing. */
  write?(chip: string, part: string, index: number, values: ChipWrites): Promise<void>;
}

/** Text only for what a part lists among its `texts`. */
export type ChipWrites = Readonly<Record<string, number | string>>;

export interface Chip {
  /** Short, as programmers say it: `vic2`, `cia1`, `vga`. */
  readonly name: string;
  readonly description: string;
  /** The first is what is shown when nobody says which. */
  readonly parts: readonly ChipPart[];
  /** Neither this nor anything else here disturbs the machine. `index` lies below the part's count. */
  read(part: string, index: number): Promise<ChipReading>;
}

export interface ChipPart {
  /** `registers`, `sprite`, `voice`, `timer` … */
  readonly name: string;
  readonly count: number;
  readonly description: string;
  readonly hasPicture: boolean;
  /** What `write` can change of it. */
  readonly writable?: readonly string[];
  /** Of these, what takes text instead of a number. */
  readonly texts?: readonly string[];
}

export interface ChipReading {
  /** The same as text, for readers. */
  readonly lines: readonly string[];
  readonly values: Readonly<Record<string, number | string | boolean>>;
  /** The same for programs: plain numbers with their units in the names. */
  readonly numbers?: ChipNumbers;
  /** Every register as it reads. */
  readonly registers?: readonly ChipRegisterReading[];
  readonly picture?: ChipPicture;
}

/** Nested where something has parts of its own, such as the timers of a chip. */
export interface ChipNumbers {
  readonly [name: string]: number | string | boolean | readonly (number | string)[] | ChipNumbers;
}

export interface ChipRegisterReading {
  readonly address: number;
  readonly name: string;
  readonly value: number;
  readonly description: string;
}

export interface ChipPicture extends IndexedPicture {
  /** The pixel value that shows what lies behind. */
  readonly transparent?: number | undefined;
}
