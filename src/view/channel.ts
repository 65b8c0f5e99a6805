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

/** With a palette a byte a pixel, without one red, green and blue of each. */
export interface PagePicture {
  readonly width: number;
  readonly height: number;
  readonly palette: Uint8Array;
  readonly pixels: Uint8Array;
}

const headBytes = 6;

/** Width, height and number of colours (16 bits each, little endian), then RGB of each colour, then the pixels. */
export function encodePicture({ width, height, palette, pixels }: PagePicture): Uint8Array {
  const bytes = new Uint8Array(headBytes + palette.length + pixels.length);
  const colours = palette.length / 3;
  bytes.set([width & 255, width >> 8, height & 255, height >> 8, colours & 255, colours >> 8]);
  bytes.set(palette, headBytes);
  bytes.set(pixels, headBytes + palette.length);
  return bytes;
}

export function decodePicture(bytes: Uint8Array): PagePicture {
  const [w0 = 0, w1 = 0, h0 = 0, h1 = 0, c0 = 0, c1 = 0] = bytes;
  const first = headBytes + (c0 | (c1 << 8)) * 3;
  return {
    width: w0 | (w1 << 8),
    height: h0 | (h1 << 8),
    palette: bytes.subarray(headBytes, first),
    pixels: bytes.subarray(first),
  };
}
