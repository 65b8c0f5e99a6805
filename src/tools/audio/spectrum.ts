import type { TimeSlice } from '../../machines/shared/time-slice.ts';

/** The power of each frequency in a piece of sound, from 0 to half the sample rate. `size` is a power of two. */
export async function powerSpectrum(
  samples: Int16Array,
  from: number,
  length: number,
  size: number,
  slice: TimeSlice,
): Promise<Float64Array> {
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  let mean = 0;
  for (let index = 0; index < length; index += 1) mean += (samples[from + index] ?? 0) / length;
  for (let index = 0; index < length; index += 1) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (index + 0.5)) / length);
    real[index] = ((samples[from + index] ?? 0) - mean) * window;
  }
  await transform(real, imaginary, slice);
  const power = new Float64Array(size / 2);
  for (let bin = 0; bin < power.length; bin += 1) {
    power[bin] = (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2;
  }
  return power;
}

const longestPiece = 65_536;
const mostPieces = 64;
const lowestHertz = 16;

/** The strongest frequency of a sound, to about a hundredth of what a second of it resolves; 0 if there is none. */
export async function dominantHertz(samples: Int16Array, sampleRate: number, slice: TimeSlice): Promise<number> {
  const length = Math.min(samples.length, longestPiece);
  if (length < 64) return 0;
  // Twice as fine as the piece is long, so that a peak has neighbours to be found between.
  const size = 2 ** Math.ceil(Math.log2(2 * length));
  const pieces = Math.min(mostPieces, Math.max(1, Math.floor((2 * samples.length) / length) - 1));
  const sum = new Float64Array(size / 2);
  for (let piece = 0; piece < pieces; piece += 1) {
    const from = pieces === 1 ? 0 : Math.floor((piece * (samples.length - length)) / (pieces - 1));
    const powers = await powerSpectrum(samples, from, length, size, slice);
    for (let bin = 0; bin < sum.length; bin += 1) sum[bin] = (sum[bin] ?? 0) + (powers[bin] ?? 0);
    if (slice.isOver) await slice.next();
  }
  const first = Math.ceil((lowestHertz * size) / sampleRate);
  let best = first;
  for (let bin = first; bin < sum.length - 1; bin += 1) if ((sum[bin] ?? 0) > (sum[best] ?? 0)) best = bin;
  if ((sum[best] ?? 0) === 0) return 0;
  return ((best + summit(sum, best)) * sampleRate) / size;
}

/** Where between the bins a parabola through a peak and its neighbours is highest, on a logarithmic scale. */
function summit(power: Float64Array, peak: number): number {
  const [left, middle, right] = [-1, 0, 1].map((step) => Math.log((power[peak + step] ?? 0) + 1e-30)) as [
    number,
    number,
    number,
  ];
  const bend = left - 2 * middle + right;
  return bend === 0 ? 0 : (0.5 * (left - right)) / bend;
}

/** A fast Fourier transform in place. A long one takes longer than a slice, so it pauses between two of its passes. */
async function transform(real: Float64Array, imaginary: Float64Array, slice: TimeSlice): Promise<void> {
  const size = real.length;
  sortByReversedBits(real, imaginary);
  for (let span = 2; span <= size; span *= 2) {
    if (slice.isOver) await slice.next();
    pass(real, imaginary, span);
  }
}

function sortByReversedBits(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  for (let index = 1, other = 0; index < size; index += 1) {
    let bit = size >> 1;
    for (; other & bit; bit >>= 1) other ^= bit;
    other ^= bit;
    if (index >= other) continue;
    swap(real, index, other);
    swap(imaginary, index, other);
  }
}

/** Brings spectra of half a span together in pairs. */
function pass(real: Float64Array, imaginary: Float64Array, span: number): void {
  const half = span / 2;
  for (let step = 0; step < half; step += 1) {
    const angle = (-2 * Math.PI * step) / span;
    const cosine = Math.cos(angle);
    const sine = Math.sin(angle);
    for (let low = step; low < real.length; low += span) {
      const high = low + half;
      const a = real[high] as number;
      const b = imaginary[high] as number;
      const turnedReal = a * cosine - b * sine;
      const turnedImaginary = a * sine + b * cosine;
      real[high] = (real[low] as number) - turnedReal;
      imaginary[high] = (imaginary[low] as number) - turnedImaginary;
      real[low] = (real[low] as number) + turnedReal;
      imaginary[low] = (imaginary[low] as number) + turnedImaginary;
    }
  }
}

function swap(values: Float64Array, one: number, other: number): void {
  const kept = values[one] as number;
  values[one] = values[other] as number;
  values[other] = kept;
}
