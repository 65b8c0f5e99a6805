/**
 * Waveforms by the upper 12 bits of the accumulator. Selecting several connects their outputs, and every bit that is low pulls
 * at the others: a weight per distance, a strength of the pulse line's driver, a threshold below which a bit reads as low.
 * The figures are those the combined-waveforms project (libsidplayfp) fitted to samples of a 6581 R3 and an 8580 R5.
 */
export type SidModel = '6581' | '8580';

type Falloff = 'exponential' | 'linear' | 'quadratic';

interface Pull {
  readonly falloff: Falloff;
  readonly threshold: number;
  readonly topBit: number;
  readonly pulse: number;
  /** Distance factors towards higher and towards lower bits. */
  readonly above: number;
  readonly below: number;
}

const pull = (
  falloff: Falloff,
  threshold: number,
  topBit: number,
  pulse: number,
  above: number,
  below: number,
): Pull => ({
  falloff,
  threshold,
  topBit,
  pulse,
  above,
  below,
});

/** By waveform bits: 3 triangle+sawtooth, 5 pulse+triangle, 6 pulse+sawtooth, 7 all three. */
const PULLS: Record<SidModel, Readonly<Record<3 | 5 | 6 | 7, Pull>>> = {
  '6581': {
    3: pull('exponential', 0.877322, 1.113497, 0, 2.145376, 9.086182),
    5: pull('linear', 0.941693, 1, 1.800727, 0.033125, 0.232303),
    6: pull('linear', 1.664942, 1.03761, 5.627053, 0.29159, 0.283632),
    7: pull('linear', 1.097625, 0.975266, 1.521967, 0.151528, 0.841949),
  },
  '8580': {
    3: pull('exponential', 0.853578, 1.096156, 0, 1.881938, 6.807949),
    5: pull('exponential', 0.929836, 1, 1.128368, 1.104537, 1.480657),
    6: pull('quadratic', 0.911939, 0.99644, 1.227807, 0.000117, 0.189485),
    7: pull('exponential', 0.938005, 1.048276, 1.211782, 0.915959, 1.42698),
  },
};

/** Noise with pulse, whose low four bits are grounded; on the 8580 a low bit just takes its upper neighbour along. */
const NOISE_PULSE_6581 = pull('exponential', 0.96, 1, 2.5, 1.1, 1.2);

const MODEL_WORDS = 16 * 4096;

/** By waveform bits 0-1 (none, triangle, sawtooth, both) * 4096 + accumulator. */
export const plainWaves = buildPlain();

/** By chip, all four waveform bits * 4096 + connected output: what the DAC gets. */
export const combinedWaves = new Uint16Array(2 * MODEL_WORDS);

const built = new Map<SidModel, number>();

/** Where a chip's part of `combinedWaves` begins. It is built once, when first asked for, and never changes. */
export function combinedWavesOf(model: SidModel): number {
  let start = built.get(model);
  if (start === undefined) {
    start = built.size * MODEL_WORDS;
    built.set(model, start);
    buildCombined(model, combinedWaves.subarray(start, start + MODEL_WORDS));
  }
  return start;
}

function buildCombined(model: SidModel, combined: Uint16Array): void {
  const pulls = PULLS[model];
  const down = { 3: pulled(pulls[3]), 5: pulled(pulls[5]), 6: pulled(pulls[6]), 7: pulled(pulls[7]) };
  const untouched = Uint16Array.from({ length: 4096 }, (_, value) => value);
  for (let waveform = 0; waveform < 16; waveform++) {
    const low = waveform & 7;
    let table = untouched;
    if (waveform === 12)
      table = model === '6581' ? pulled(NOISE_PULSE_6581) : untouched.map((value) => value & (value << 1));
    else if (low === 3 || low === 5 || low === 6 || low === 7) table = down[low];
    combined.set(table, waveform * 4096);
  }
}

function buildPlain(): Uint16Array {
  const plain = new Uint16Array(4 * 4096);
  for (let i = 0; i < 4096; i++) {
    plain[i] = 0xfff;
    plain[4096 + i] = ((i & 0x800 ? ~i : i) << 1) & 0xfff;
    plain[8192 + i] = i;
    plain[12_288 + i] = i & (i << 1) & 0xfff;
  }
  return plain;
}

function weight(falloff: Falloff, factor: number, distance: number): number {
  if (falloff === 'exponential') return factor ** -distance;
  return 1 / (1 + factor * (falloff === 'linear' ? distance : distance * distance));
}

function pulled({ falloff, threshold, topBit, pulse, above, below }: Pull): Uint16Array<ArrayBuffer> {
  const weights = new Float64Array(12 * 12);
  const totals = new Float64Array(12);
  for (let bit = 0; bit < 12; bit++) {
    for (let other = 0; other < 12; other++) {
      if (other === bit) continue;
      const w = other > bit ? weight(falloff, above, other - bit) : weight(falloff, below, bit - other);
      weights[bit * 12 + other] = w;
      totals[bit] += w;
    }
  }
  const table = new Uint16Array(4096);
  for (let value = 0; value < 4096; value++) {
    for (let bit = 0; bit < 12; bit++) {
      if ((value & (1 << bit)) === 0) continue;
      let down = -pulse;
      for (let other = 0; other < 12; other++) {
        const missing = (value & (1 << other)) === 0 ? 1 : other === 11 ? 1 - topBit : 0;
        down += missing * weights[bit * 12 + other];
      }
      if (1 - down / totals[bit] > threshold) table[value] |= 1 << bit;
    }
  }
  return table;
}
