import type { IndexedPicture } from './screen.ts';

/** The chips that can be looked into: registers decoded, sprites and characters as pictures, voices, timers. */
export interface ChipsCapability {
  readonly chips: readonly Chip[];
}

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
}

export interface ChipReading {
  /** The same as text, for readers. */
  readonly lines: readonly string[];
  readonly values: Readonly<Record<string, number | string | boolean>>;
  readonly picture?: ChipPicture;
}

export interface ChipPicture extends IndexedPicture {
  /** The pixel value that shows what lies behind. */
  readonly transparent?: number | undefined;
}
