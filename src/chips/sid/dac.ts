import type { SidModel } from './waveforms.ts';

/**
 * Output of an R-2R ladder for every input, 0 to 1. The 6581's resistors are off (2R/R is about 2.2) and its ladder has no
 * termination, so its steps are uneven; the 8580's is as it should be.
 */
export function dacTable(model: SidModel, bits: number): Float64Array {
  const branch = model === '6581' ? 2.2 : 2;
  const weights = Array.from({ length: bits }, (_, bit) => ladder(bits, bit, branch, model === '8580'));
  const full = weights.reduce((sum, weight) => sum + weight, 0);
  return Float64Array.from({ length: 1 << bits }, (_, input) =>
    weights.reduce((sum, weight, bit) => sum + (input & (1 << bit) ? weight / full : 0), 0),
  );
}

/** The voltage a single set bit makes at the end of the ladder: source and resistance seen from below, node by node. */
function ladder(bits: number, set: number, branch: number, terminated: boolean): number {
  let conductance = terminated ? 1 / branch : 0;
  let volts = 0;
  for (let bit = 0; bit < bits; bit++) {
    const total = conductance + 1 / branch;
    volts = (volts * conductance + (bit === set ? 1 / branch : 0)) / total;
    conductance = 1 / (1 / total + 1);
  }
  return volts;
}
