/** How a family of instruments sounds: its wave, and how loud it is when. Times in seconds. */
export interface Instrument {
  readonly wave: (phase: number) => number;
  readonly attack: number;
  /** Until it is a third as loud; Infinity for one that is blown or bowed. */
  readonly decay: number;
  readonly release: number;
}

const turn = 2 * Math.PI;
const sine = (phase: number) => Math.sin(turn * phase);
const triangle = (phase: number) => 1 - 4 * Math.abs(phase - 0.5);
const saw = (phase: number) => 1 - 2 * phase;
const square = (phase: number) => (phase < 0.5 ? 0.7 : -0.7);
const soft = (phase: number) => 0.7 * sine(phase) + 0.25 * Math.sin(2 * turn * phase);
const bell = (phase: number) => 0.7 * sine(phase) + 0.3 * Math.sin(4 * turn * phase);
const organ = (phase: number) =>
  0.5 * sine(phase) + 0.3 * Math.sin(2 * turn * phase) + 0.2 * Math.sin(3 * turn * phase);
const hiss = (phase: number) => fraction(Math.sin(Math.floor(phase * 64) * 12.9898) * 43_758.5453) * 2 - 1;
const held = Number.POSITIVE_INFINITY;

/** The sixteen families of General MIDI, eight programs each. */
export const families: readonly Instrument[] = [
  { wave: soft, attack: 0.002, decay: 0.9, release: 0.15 },
  { wave: bell, attack: 0.001, decay: 0.5, release: 0.3 },
  { wave: organ, attack: 0.01, decay: held, release: 0.05 },
  { wave: saw, attack: 0.002, decay: 0.6, release: 0.1 },
  { wave: triangle, attack: 0.003, decay: 0.8, release: 0.08 },
  { wave: saw, attack: 0.08, decay: held, release: 0.2 },
  { wave: saw, attack: 0.12, decay: held, release: 0.3 },
  { wave: saw, attack: 0.03, decay: held, release: 0.1 },
  { wave: square, attack: 0.03, decay: held, release: 0.08 },
  { wave: sine, attack: 0.04, decay: held, release: 0.1 },
  { wave: square, attack: 0.005, decay: held, release: 0.08 },
  { wave: triangle, attack: 0.3, decay: held, release: 0.6 },
  { wave: bell, attack: 0.1, decay: held, release: 0.5 },
  { wave: saw, attack: 0.002, decay: 0.4, release: 0.1 },
  { wave: sine, attack: 0.001, decay: 0.15, release: 0.1 },
  { wave: hiss, attack: 0.05, decay: held, release: 0.3 },
];

const kicks = new Set([35, 36]);
const toms = new Set([41, 43, 45, 47, 48, 50, 60, 61, 62, 63, 64, 65, 66]);
const long = new Set([46, 49, 51, 52, 55, 57, 59]);

/** A drum so many seconds after it was struck, from -1 to 1; 0 for good after a second and a half. */
export function drum(note: number, seconds: number): number {
  if (kicks.has(note))
    return Math.sin(turn * (50 * seconds + 8 * (1 - Math.exp(-seconds * 30)))) * Math.exp(-seconds * 12);
  if (toms.has(note)) {
    const hertz = 60 + (note - 40) * 6;
    return Math.sin(turn * (hertz * seconds + 4 * (1 - Math.exp(-seconds * 20)))) * Math.exp(-seconds * 9);
  }
  const noise = fraction(Math.sin(Math.floor(seconds * 22_050) * 78.233) * 43_758.5453) * 2 - 1;
  if (long.has(note)) return noise * 0.5 * Math.exp(-seconds * 3.5);
  return noise * 0.6 * Math.exp(-seconds * (note === 38 || note === 40 ? 14 : 40));
}

export const drumSeconds = 1.5;

function fraction(value: number): number {
  return value - Math.floor(value);
}
