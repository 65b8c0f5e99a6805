import type { VideoMode } from './modes.ts';

type Colour = readonly [red: number, green: number, blue: number];

/** Two thirds, a third, and the exception that makes dark yellow brown. */
function cgaColour(index: number): Colour {
  if (index === 6) return [42, 21, 0];
  const bright = (index & 8) !== 0 ? 21 : 0;
  const level = (bit: number) => ((index & bit) !== 0 ? 42 : 0) + bright;
  return [level(4), level(2), level(1)];
}

/** Bits 0-2: two thirds of blue, green, red; bits 3-5: the last third. */
function egaColour(index: number): Colour {
  const level = (strong: number) => ((index & strong) !== 0 ? 42 : 0) + ((index & (strong << 3)) !== 0 ? 21 : 0);
  return [level(4), level(2), level(1)];
}

const greys = [0, 5, 8, 11, 14, 17, 20, 24, 28, 32, 36, 40, 45, 50, 56, 63];

/** Five steps from the least to the most of a colour: three saturations at three brightnesses. */
const ramps = [
  [0, 16, 31, 47, 63],
  [31, 39, 47, 55, 63],
  [45, 49, 54, 58, 63],
  [0, 7, 14, 21, 28],
  [14, 17, 21, 24, 28],
  [20, 22, 24, 26, 28],
  [0, 4, 8, 12, 16],
  [8, 10, 12, 14, 16],
  [11, 12, 13, 15, 16],
] as const;

/** Once around the colour circle in 24 steps: blue, magenta, red, yellow, green, cyan. Steps are numbers of the ramp. */
function hue(step: number): Colour {
  const part = step % 4;
  const circle: readonly Colour[] = [
    [part, 0, 4],
    [4, 0, 4 - part],
    [4, part, 0],
    [4 - part, 4, 0],
    [0, 4, part],
    [0, 4 - part, 4],
  ];
  return circle[step >> 2] ?? [0, 0, 0];
}

function vgaColour(index: number): Colour {
  if (index < 16) return cgaColour(index);
  if (index < 32) {
    const grey = greys[index - 16] ?? 0;
    return [grey, grey, grey];
  }
  const ramp = ramps[Math.floor((index - 32) / 24)];
  if (ramp === undefined) return [0, 0, 0];
  const [red, green, blue] = hue((index - 32) % 24);
  return [ramp[red] ?? 0, ramp[green] ?? 0, ramp[blue] ?? 0];
}

function monoColour(index: number): Colour {
  const level = [0, 42, 21, 63][((index >> 3) & 1) | ((index >> 3) & 2)] ?? 0;
  return [level, level, level];
}

/** Red, green, blue (six bits each) of the colours that a mode begins with: 64, or 256. */
export function paletteOf({ palette }: VideoMode): Uint8Array {
  if (palette === 'vga') return flat(256, vgaColour);
  if (palette === 'ega') return flat(64, egaColour);
  if (palette === 'mono') return flat(64, monoColour);
  return flat(64, (index) => cgaColour((index & 7) | ((index & 0x10) >> 1)));
}

const flat = (length: number, colour: (index: number) => Colour) =>
  Uint8Array.from(Array.from({ length }, (_, index) => colour(index)).flat());
