/** What a ROM image is called, how long it is, and by what it is known. */
export interface RomSpec {
  /** As people say: `KERNAL`. */
  readonly title: string;
  /** File names under which it goes round, the preferred one first; case does not matter. */
  readonly names: readonly string[];
  readonly bytes: number;
  /** Its maker's part numbers by SHA-1, the preferred one first. */
  readonly revisions: Readonly<Record<string, string>>;
  /** Text that every revision carries, where one does: a sign of revisions that are not in the list. */
  readonly sign?: string;
}

/** The images that one machine needs all together. */
export interface RomSetSpec<Part extends string> {
  /** `C64`. */
  readonly machine: string;
  /** The subfolder that emulators keep them in. */
  readonly folder: string;
  readonly images: Readonly<Record<Part, RomSpec>>;
  /** Parts that also exist in one piece, in this order. */
  readonly inOne?: readonly Part[];
}

/** Whose work an image is, as far as its bytes tell. */
export type RomOrigin = { readonly maker: 'original' | 'open-roms' | 'unknown'; readonly revision?: string };

export interface RomFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly origin: RomOrigin;
}
