/**
 * Everything the server and the page say to each other, over one WebSocket: JSON both ways, and pictures as binary
 * frames. Both halves import this file, and nothing else of each other.
 */

/** From the server to the page. */
export type PageEvent =
  | { readonly type: 'machines'; readonly machines: readonly MachineLine[] }
  | { readonly type: 'calls'; readonly calls: readonly CallLine[] }
  | { readonly type: 'trouble'; readonly text: string };

export interface MachineLine {
  readonly handle: string;
  readonly kind: string;
  /** The state line, as agents see it. */
  readonly line: string;
  readonly hasScreen: boolean;
  readonly hasKeyboard: boolean;
}

export interface CallLine {
  readonly seq: number;
  readonly at: number;
  readonly client: string;
  readonly tool: string;
  readonly arguments: string;
  readonly answer: string;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** From the page to the server. */
export type PageCommand =
  | { readonly type: 'watch'; readonly machine: string }
  /** Exactly these keys of the watched machine are down from now on. */
  | { readonly type: 'keys'; readonly keys: readonly string[] }
  | { readonly type: 'joystick'; readonly port: 1 | 2; readonly directions: readonly string[] }
  | { readonly type: 'control'; readonly action: 'run' | 'pause' | 'reset' };

/** A picture: width and height (16 bits, little endian), number of colours, then RGB of each, then a byte a pixel. */
export function encodePicture(picture: {
  readonly width: number;
  readonly height: number;
  readonly palette: Uint8Array;
  readonly pixels: Uint8Array;
}): Uint8Array {
  const { width, height, palette, pixels } = picture;
  const bytes = new Uint8Array(5 + palette.length + pixels.length);
  bytes.set([width & 255, width >> 8, height & 255, height >> 8, palette.length / 3]);
  bytes.set(palette, 5);
  bytes.set(pixels, 5 + palette.length);
  return bytes;
}

export function decodePicture(bytes: Uint8Array): {
  readonly width: number;
  readonly height: number;
  readonly palette: Uint8Array;
  readonly pixels: Uint8Array;
} {
  const [w0 = 0, w1 = 0, h0 = 0, h1 = 0, colours = 0] = bytes;
  const first = 5 + colours * 3;
  return {
    width: w0 | (w1 << 8),
    height: h0 | (h1 << 8),
    palette: bytes.subarray(5, first),
    pixels: bytes.subarray(first),
  };
}
