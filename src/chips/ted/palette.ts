/** The chip's output in volts, black first, then by brightness. */
const black = 2.0;
const volts = [2.4, 2.55, 2.7, 2.9, 3.3, 3.6, 4.1, 4.8] as const;
/** Hues as angles of a PAL monitor, 2 to 15; 0 is black in every brightness, 1 has no hue. */
const hues = [103, 283, 53, 240, 347, 167, 129, 148, 195, 83, 265, 323, 2, 213] as const;
const saturation = 0.18;

/** The 128 colours, 0xRRGGBB: bits 0-3 of an index are the hue, 4-6 the brightness. */
export const tedPalette: readonly number[] = Array.from({ length: 128 }, (_, index) => {
  const hue = index & 15;
  if (hue === 0) return 0;
  const luma = ((volts[index >> 4] ?? black) - black) / (4.8 - black);
  const angle = ((hues[hue - 2] ?? 0) * Math.PI) / 180;
  const strength = hue === 1 ? 0 : saturation;
  const [u, v] = [strength * Math.cos(angle), strength * Math.sin(angle)];
  const level = (value: number) => Math.max(0, Math.min(255, Math.round(255 * value)));
  return (level(luma + 1.14 * v) << 16) | (level(luma - 0.395 * u - 0.581 * v) << 8) | level(luma + 2.032 * u);
});
