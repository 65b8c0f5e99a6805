/** What a monitor shows. */
export interface ScreenCapability {
  picture(): Promise<Picture>;
  /** The characters on screen; undefined while no text mode is on. */
  text(): Promise<TextScreen | undefined>;
  /** The picture as a PNG file, where the machine makes one itself and quicker than we could. */
  png?(): Promise<EncodedPicture>;
  /** The part of the picture inside the border, as the chip's registers have it now. */
  window?(): PictureWindow;
}

export interface PictureWindow {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Picture = IndexedPicture | TrueColourPicture;

/** One byte a pixel, into a palette. */
export interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Red, green, blue for each colour. */
  readonly palette: Uint8Array;
}

/** Red, green, blue for each pixel. */
export interface TrueColourPicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

export interface EncodedPicture {
  readonly width: number;
  readonly height: number;
  readonly png: Uint8Array;
}

export interface TextScreen {
  readonly columns: number;
  readonly rows: number;
  readonly lines: readonly string[];
  readonly cursor?: { readonly column: number; readonly row: number } | undefined;
  /** Colour number (or attribute byte) of each character, row by row, where the machine has colours. */
  readonly colours?: Uint8Array;
}
