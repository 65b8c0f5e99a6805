/** Colours as 0xRRGGBB, three bytes each. */
export function paletteBytes(colours: readonly number[]): Uint8Array {
  return Uint8Array.from(colours.flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]));
}
