import { fields, type SoundBlasterState } from './fields.ts';

/** How samples lie in a byte, the first uppermost: four of 2 bits; three, the last without its lower bit; two of 4 bits. */
export type AdpcmFormat = 2 | 2.6 | 4;

/** Samples of a byte. */
export const samplesOf: Readonly<Record<AdpcmFormat, number>> = { 2: 4, 2.6: 3, 4: 2 };

/** The formats as words of the state. */
export const formatWords: Readonly<Record<AdpcmFormat, number>> = { 2: 1, 2.6: 2, 4: 3 };

/** Of a word of the state: 2, 2.6 or 4; 0 where bytes are levels. */
export function packedBits(word: number): AdpcmFormat | 0 {
  return ([2, 2.6, 4] as const).find((format) => formatWords[format] === word) ?? 0;
}

interface Rule {
  /** Bits of a sample; the uppermost is its sign. */
  readonly bits: number;
  /** From this magnitude on the step doubles, up to this; at 0 it halves, down to 1. */
  readonly doublesAt: number;
  readonly largestStep: number;
}

const rules: readonly Rule[] = [
  { bits: 8, doublesAt: 0, largestStep: 1 },
  { bits: 2, doublesAt: 1, largestStep: 0x20 },
  { bits: 3, doublesAt: 3, largestStep: 0x10 },
  { bits: 4, doublesAt: 5, largestStep: 8 },
];
const byBitAndHalf = formatWords[2.6];

/**
 * The next sample of the byte at hand, as the DSP of version 2.02 works it out: the level moves by the magnitude times the step,
 * and half a step more, and stays within a byte. Source: its program, as disassembled by @TubeTimeUS (2020).
 */
export function decodeSample(s: SoundBlasterState): void {
  const format = s[fields.format];
  const { bits, doublesAt, largestStep } = rules[format] as Rule;
  const data = s[fields.adpcmData];
  // The third sample of 2.6 bits has one bit of magnitude.
  const taken = format === byBitAndHalf && s[fields.samplesLeft] === 1 ? 2 : bits;
  const magnitude = (data >> (8 - taken)) & ((1 << (taken - 1)) - 1);
  const step = s[fields.adpcmStep];
  const change = magnitude * step + (step >> 1);
  const level = s[fields.adpcmLevel] + ((data & 0x80) !== 0 ? -change : change);
  s[fields.adpcmLevel] = Math.max(0, Math.min(0xff, level));
  if (magnitude === 0) s[fields.adpcmStep] = Math.max(1, step >> 1);
  else if (magnitude >= doublesAt) s[fields.adpcmStep] = Math.min(largestStep, step * 2);
  s[fields.adpcmData] = ((data << taken) | (data >> (8 - taken))) & 0xff;
  setLevel(s, s[fields.adpcmLevel]);
}

/** A first byte that is the level itself. */
export function takeReference(s: SoundBlasterState, value: number): void {
  s[fields.adpcmLevel] = value;
  s[fields.adpcmStep] = 1;
  setLevel(s, value);
}

/** A byte on the DAC, for both sides. */
export function setLevel(s: SoundBlasterState, value: number): void {
  s[fields.level] = (value - 0x80) << 8;
  s[fields.levelRight] = s[fields.level];
}
