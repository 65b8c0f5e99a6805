import type { CapturedAudio } from '../../machine/audio.ts';
import type { IndexedPicture } from '../../machine/screen.ts';
import type { TimeSlice } from '../../machines/shared/time-slice.ts';
import { Canvas, cellWidth } from '../graph/canvas.ts';
import { powerSpectrum } from './spectrum.ts';

const size = 4096;
const columns = 512;
const rows = 240;
const left = 44;
const bottom = 14;
const lowest = 40;
const highest = 16_000;
/** Below the loudest of the picture: what is still shown. */
const rangeDecibels = 70;
const shades = 64;
const ink = shades;
const grid = shades + 1;
const ticks = [50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/** From black over blue and red to white. */
const palette = Uint8Array.from([
  ...Array.from({ length: shades }, (_, shade) => {
    const level = shade / (shades - 1);
    const part = (from: number, to: number) => Math.round(255 * Math.min(1, Math.max(0, (level - from) / (to - from))));
    const blue = level < 0.35 ? part(0, 0.35) : level < 0.65 ? 255 - part(0.35, 0.65) : part(0.85, 1);
    return [part(0.2, 0.65), part(0.6, 0.9), blue];
  }).flat(),
  ...[230, 230, 230],
  ...[70, 70, 80],
]);

/** Which frequencies sound when: time to the right, pitch upwards an octave like the next, louder is brighter. */
export async function spectrogram({ samples, sampleRate }: CapturedAudio, slice: TimeSlice): Promise<IndexedPicture> {
  const canvas = new Canvas(left + columns, rows + bottom, palette);
  const levels = new Float64Array(columns * rows);
  let loudest = Number.NEGATIVE_INFINITY;
  for (let column = 0; column < columns; column += 1) {
    const middle = Math.floor(((column + 0.5) * samples.length) / columns);
    const from = Math.max(0, Math.min(samples.length - size, middle - size / 2));
    const power = await powerSpectrum(samples, from, Math.min(size, samples.length), size, slice);
    for (let row = 0; row < rows; row += 1) {
      const level = 10 * Math.log10(strongest(power, hertzAt(row), hertzAt(row + 1), sampleRate) + 1);
      levels[row * columns + column] = level;
      loudest = Math.max(loudest, level);
    }
    if (slice.isOver) await slice.next();
  }
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const part = ((levels[row * columns + column] ?? 0) - loudest + rangeDecibels) / rangeDecibels;
      canvas.dot(left + column, rows - 1 - row, Math.max(0, Math.round(part * (shades - 1))));
    }
  }
  drawAxes(canvas, samples.length / sampleRate);
  return canvas;
}

function hertzAt(row: number): number {
  return lowest * (highest / lowest) ** (row / rows);
}

function strongest(power: Float64Array, from: number, to: number, sampleRate: number): number {
  const first = Math.round((from * size) / sampleRate);
  const last = Math.max(first, Math.round((to * size) / sampleRate) - 1);
  let most = 0;
  for (let bin = first; bin <= last; bin += 1) most = Math.max(most, power[bin] ?? 0);
  return most;
}

function drawAxes(canvas: Canvas, seconds: number): void {
  for (const hertz of ticks) {
    const y = rows - 1 - Math.round((Math.log(hertz / lowest) / Math.log(highest / lowest)) * rows);
    const label = hertz < 1000 ? `${hertz} Hz` : `${hertz / 1000}k`;
    canvas.text(left - 4 - label.length * cellWidth, y - 3, label, ink);
    for (let x = left; x < canvas.width; x += 8) canvas.dot(x, y, grid);
  }
  for (let tick = 0; tick <= 4; tick += 1) {
    const label = `${((seconds * tick) / 4).toFixed(2)} s`;
    const x = left + Math.round((columns * tick) / 4);
    canvas.text(Math.min(x, canvas.width - label.length * cellWidth), rows + 4, label, ink);
  }
}
