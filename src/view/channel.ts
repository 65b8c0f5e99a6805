/**
 * Everything the server and the page say to each other, over one WebSocket: JSON both ways, pictures and sound as
 * binary frames. Both halves import this file, and nothing else of each other.
 */

import type {
  MachineInput,
  WatchedPicture as PagePicture,
  WatchedSound as PageSound,
  WatchedTerminal as PageTerminal,
  PersonAction,
} from '../api/watch.ts';

export type {
  MachineInput,
  MachineKeys as PageKeys,
  MachinePointer as PagePointer,
  ScrolledPart,
  TerminalPiece,
  WatchedPicture as PagePicture,
  WatchedSound as PageSound,
  WatchedTerminal as PageTerminal,
} from '../api/watch.ts';

/** The subprotocol of the socket, and what the one begins with that carries the token (base64url). */
export const viewProtocol = 'frontpanel';
export const tokenProtocol = 'frontpanel.token.';

/** From the server to the page. */
export type PageEvent =
  /** Who the token says you are, first of all. */
  | { readonly type: 'you'; readonly client: string; readonly role: ViewerRole }
  | { readonly type: 'machines'; readonly machines: readonly MachineLine[] }
  | { readonly type: 'calls'; readonly calls: readonly CallLine[] }
  /** How the watched machine can be used; comes again when that changes. */
  | { readonly type: 'input'; readonly machine: string; readonly input: MachineInput }
  /** What the watched console shows. */
  | { readonly type: 'terminal'; readonly machine: string; readonly console: string; readonly terminal: PageTerminal }
  /** How far a paste has come that is being typed; over when all is typed, or nothing more will be. */
  | { readonly type: 'typing'; readonly typed: number; readonly total: number; readonly isOver: boolean }
  | { readonly type: 'trouble'; readonly text: string };

/** Who may only observe sees and hears everything, and presses nothing. */
export type ViewerRole = 'observe' | 'use' | 'own';

export interface MachineLine {
  readonly handle: string;
  readonly kind: string;
  /** The state line, as agents see it. */
  readonly line: string;
  readonly state: string;
  readonly hasScreen: boolean;
  /** Names of its serial lines. */
  readonly consoles: readonly string[];
  /** It can be run, paused and reset. */
  readonly hasControl: boolean;
  /** It can be listened to. */
  readonly hasSound: boolean;
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

/** As much as a paste into a screen may have, in characters. */
export const longestPaste = 10_000;

/** From the page to the server. All but `watch` concern the machine that is watched. */
export type PageCommand =
  /** Its screen, or one of its consoles. */
  | { readonly type: 'watch'; readonly machine: string; readonly console?: string }
  /** Nobody sees the page now, or somebody does again. */
  | { readonly type: 'look'; readonly isLooking: boolean }
  /** Its sound is wanted from now on, or not any more; also that of machines watched later. */
  | { readonly type: 'listen'; readonly isListening: boolean }
  | PersonAction;

/** The first byte of a binary frame. */
const [pictureFrame, soundFrame] = [1, 2];
const pictureHead = 7;
const soundHead = 5;

/** After the first byte width, height and number of colours (16 bits each, little endian), RGB of each colour, the pixels. */
export function encodePicture({ width, height, palette, pixels }: PagePicture): Uint8Array {
  const bytes = new Uint8Array(pictureHead + palette.length + pixels.length);
  const colours = palette.length / 3;
  bytes.set([pictureFrame, width & 255, width >> 8, height & 255, height >> 8, colours & 255, colours >> 8]);
  bytes.set(palette, pictureHead);
  bytes.set(pixels, pictureHead + palette.length);
  return bytes;
}

/** After the first byte the samples a second (32 bits), then the samples (16 bits each), little endian. */
export function encodeSound({ sampleRate, samples }: PageSound): Uint8Array {
  const bytes = new Uint8Array(soundHead + samples.length * 2);
  const view = new DataView(bytes.buffer);
  bytes[0] = soundFrame;
  view.setUint32(1, sampleRate, true);
  for (const [index, sample] of samples.entries()) view.setInt16(soundHead + index * 2, sample, true);
  return bytes;
}

export function decodeFrame(
  bytes: Uint8Array,
): ({ readonly type: 'picture' } & PagePicture) | ({ readonly type: 'sound' } & PageSound) {
  return bytes[0] === soundFrame
    ? { type: 'sound', ...decodeSound(bytes) }
    : { type: 'picture', ...decodePicture(bytes) };
}

function decodePicture(bytes: Uint8Array): PagePicture {
  const [, w0 = 0, w1 = 0, h0 = 0, h1 = 0, c0 = 0, c1 = 0] = bytes;
  const first = pictureHead + (c0 | (c1 << 8)) * 3;
  return {
    width: w0 | (w1 << 8),
    height: h0 | (h1 << 8),
    palette: bytes.subarray(pictureHead, first),
    pixels: bytes.subarray(first),
  };
}

function decodeSound(bytes: Uint8Array): PageSound {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = Int16Array.from({ length: (bytes.length - soundHead) >> 1 }, (_, index) =>
    view.getInt16(soundHead + index * 2, true),
  );
  return { sampleRate: view.getUint32(1, true), samples };
}
