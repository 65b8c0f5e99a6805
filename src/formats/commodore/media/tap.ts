import { latin, long, MediaError } from './byte-fields.ts';

const headerLength = 20;
/** An hour of signals. */
const mostBytes = 4 * 1024 * 1024;

export interface Tap {
  /** 0: long pulses have no length; 1: they have; 2: half-waves. */
  readonly version: number;
  readonly platform: 'c64' | 'vic20' | 'c16' | 'pet' | 'c5x0' | 'c6x0';
  readonly video: 'pal' | 'ntsc' | 'old-ntsc' | 'pal-n';
  readonly data: Uint8Array;
}

const platforms: readonly Tap['platform'][] = ['c64', 'vic20', 'c16', 'pet', 'c5x0', 'c6x0'];
const videos: readonly Tap['video'][] = ['pal', 'ntsc', 'old-ntsc', 'pal-n'];

export const isTap = (file: Uint8Array): boolean => /^C(64|16)-TAPE-RAW$/.test(latin(file, 0, 12));

export function readTap(file: Uint8Array): Tap {
  if (!isTap(file) || file.length < headerLength) throw new MediaError('no TAP image: its signature is missing');
  if (file.length > mostBytes)
    throw new MediaError(`a TAP image of ${file.length} bytes; at most ${mostBytes} are read`);
  const length = Math.min(long(file, 16), file.length - headerLength);
  return {
    version: file[12] ?? 0,
    platform: platforms[file[13] ?? 0] ?? 'c64',
    video: videos[file[14] ?? 0] ?? 'pal',
    data: file.subarray(headerLength, headerLength + length),
  };
}

/** What a 0 in a version 0 image stands for: a pulse longer than the counter, as far as players agree. */
const overflowCycles = 20_000;

/** The pulse at an offset, so that a player can keep its place in its own state; undefined at the end. */
export function pulseAt(
  { version, data }: Tap,
  at: number,
): { readonly cycles: number; readonly next: number } | undefined {
  const value = data[at];
  if (value === undefined) return undefined;
  if (value !== 0) return { cycles: value * 8, next: at + 1 };
  if (version === 0) return { cycles: overflowCycles, next: at + 1 };
  if (at + 3 >= data.length) return undefined;
  const cycles = (data[at + 1] ?? 0) | ((data[at + 2] ?? 0) << 8) | ((data[at + 3] ?? 0) << 16);
  return { cycles, next: at + 4 };
}

/** How long all pulses take together. */
export function tapCycles({ version, data }: Tap): number {
  let cycles = 0;
  for (let at = 0; at < data.length; at++) {
    const value = data[at] ?? 0;
    if (value !== 0) cycles += value * 8;
    else if (version === 0) cycles += overflowCycles;
    else if (at + 3 < data.length) {
      cycles += (data[at + 1] ?? 0) | ((data[at + 2] ?? 0) << 8) | ((data[at + 3] ?? 0) << 16);
      at += 3;
    } else break;
  }
  return cycles;
}

/** The lengths of all pulses (half-waves in version 2) in cycles. */
export function* pulses(tap: Tap): Generator<number> {
  for (let pulse = pulseAt(tap, 0); pulse; pulse = pulseAt(tap, pulse.next)) yield pulse.cycles;
}

/** The longest pulse that an image can note. */
export const longestPulse = 0xff_ffff;

/** A pulse as version 1 notes it. */
export function encodePulse(cycles: number): readonly number[] {
  const eighths = Math.max(1, Math.round(cycles / 8));
  if (eighths <= 255) return [eighths];
  const exact = Math.min(Math.round(cycles), longestPulse);
  return [0, exact & 255, (exact >> 8) & 255, exact >> 16];
}

/** An image of version 1 with these pulses, for the computer that `like` was made for. */
export function writeTap(data: Uint8Array, like?: Uint8Array): Uint8Array {
  const file = new Uint8Array(headerLength + data.length);
  if (like) file.set(like.subarray(0, headerLength));
  else file.set(Array.from('C64-TAPE-RAW', (character) => character.charCodeAt(0)));
  file[12] = 1;
  new DataView(file.buffer).setUint32(16, data.length, true);
  file.set(data, headerLength);
  return file;
}
