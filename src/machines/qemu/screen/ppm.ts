import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { TrueColourPicture } from '../../../machine/screen.ts';

/** A picture as QEMU writes it: `P6`, width, height, 255, then red, green, blue. */
export function parsePpm(bytes: Uint8Array): TrueColourPicture {
  const { width, height, at } = parsePpmHeader(bytes);
  const rgb = bytes.subarray(at, at + width * height * 3);
  if (rgb.length !== width * height * 3) throw unreadable('it is cut off');
  return { width, height, rgb };
}

export function parsePpmHeader(bytes: Uint8Array): {
  readonly width: number;
  readonly height: number;
  readonly at: number;
} {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(64, bytes.length)).toString('latin1');
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(text);
  if (!header) throw unreadable('it is not a PPM file');
  return { width: Number(header[1]), height: Number(header[2]), at: header[0].length };
}

function unreadable(why: string): MachineError {
  return new MachineError(
    'UNAVAILABLE',
    `QEMU wrote a picture that cannot be read: ${why}.`,
    advice`Call ${call('screen_read')} again.`,
  );
}
