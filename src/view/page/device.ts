/** The person has fingers to point with, and no keys but those on the screen. */
export const isByTouch = matchMedia('(hover: none) and (pointer: coarse)').matches;
