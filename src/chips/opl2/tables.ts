/** A quarter of a sine as attenuation, in 256ths of an octave. */
export const logSine = Uint16Array.from({ length: 256 }, (_, index) =>
  Math.round(-Math.log2(Math.sin(((index + 0.5) * Math.PI) / 512)) * 256),
);

/** An octave of powers of two: what lies above 1024. */
export const powers = Uint16Array.from({ length: 256 }, (_, index) => Math.round((2 ** (index / 256) - 1) * 1024));

/** Frequency multipliers, in halves. */
export const multipliers = [1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 20, 24, 24, 30, 30] as const;

/** Attenuation of high notes by the upper bits of the frequency number; the step for key scale levels 0-3. */
export const keyScaleLevels = [0, 32, 40, 45, 48, 51, 53, 55, 56, 58, 59, 60, 61, 62, 63, 64] as const;
export const keyScaleShifts = [8, 1, 2, 0] as const;

/** Steps of an envelope over eight of its clocks, by the two low bits of its rate. */
export const envelopeSteps = Uint8Array.from('01010101 01011101 01110111 01111111'.replaceAll(' ', ''), Number);

/** Offsets of an operator's registers, and the operator at an offset (-1: none). */
export const operatorAt: readonly number[] = Array.from({ length: 32 }, (_, offset) => {
  const group = offset >> 3;
  return group < 3 && (offset & 7) < 6 ? group * 6 + (offset & 7) : -1;
});
export const offsetOf: readonly number[] = Array.from({ length: 18 }, (_, operator) => operatorAt.indexOf(operator));

/** A channel's first operator; its second one is three further on. */
export const firstOperator = [0, 1, 2, 6, 7, 8, 12, 13, 14] as const;
/** Channels whose operators may join those of the channel three further on. */
export const pairedChannels = 3;
export const channelOfOperator: readonly number[] = Array.from(
  { length: 18 },
  (_, operator) => Math.floor(operator / 6) * 3 + (operator % 3),
);
