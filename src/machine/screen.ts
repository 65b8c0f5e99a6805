/** What a monitor shows. */
export interface ScreenCapability {
  picture(): Promise<Picture>;
  /** The characters on screen; undefined while no text mode is on. */
  text(): Promise<TextScreen | undefined>;
}

/** One byte a pixel, into a palette. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Red, green, blue for each colour. */
  readonly palette: Uint8Array;
}

export interface TextScreen {
  readonly columns: number;
  readonly rows: number;
  readonly lines: readonly string[];
  readonly cursor?: { readonly column: number; readonly row: number } | undefined;
  /** Colour number of each character, row by row, where the machine has colours. */
  readonly colours?: Uint8Array;
}
