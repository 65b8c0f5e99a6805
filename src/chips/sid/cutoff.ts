import type { SidModel } from './waveforms.ts';

/** Cutoff register against Hertz, measured on single chips by Dag Lem; the 6581 falls back at 1024. Straight lines between. */
const MEASURED: Record<SidModel, readonly (readonly [register: number, hertz: number])[]> = {
  '6581': [
    [0, 220],
    [128, 230],
    [256, 250],
    [384, 300],
    [512, 420],
    [640, 780],
    [768, 1600],
    [832, 2300],
    [896, 3200],
    [960, 4300],
    [992, 5000],
    [1008, 5400],
    [1016, 5700],
    [1023, 6000],
    [1024, 4600],
    [1032, 4800],
    [1056, 5300],
    [1088, 6000],
    [1120, 6600],
    [1152, 7200],
    [1280, 9500],
    [1408, 12_000],
    [1536, 14_500],
    [1664, 16_000],
    [1792, 17_100],
    [1920, 17_700],
    [2047, 18_000],
  ],
  '8580': [
    [0, 30],
    [128, 800],
    [256, 1600],
    [384, 2500],
    [512, 3300],
    [640, 4100],
    [768, 4800],
    [896, 5600],
    [1024, 6500],
    [1152, 7500],
    [1280, 8400],
    [1408, 9200],
    [1536, 9800],
    [1664, 10_500],
    [1792, 11_000],
    [1920, 11_700],
    [2047, 12_500],
  ],
};

/** Hertz for each of the 2048 values of the cutoff register. */
export function cutoffCurve(model: SidModel): Float64Array {
  const curve = new Float64Array(2048);
  const points = MEASURED[model];
  for (let i = 1; i < points.length; i++) {
    const [from, low] = points[i - 1] as readonly [number, number];
    const [to, high] = points[i] as readonly [number, number];
    for (let x = from; x <= to; x++) curve[x] = low + ((high - low) * (x - from)) / (to - from);
  }
  return curve;
}
