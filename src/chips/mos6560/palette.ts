/** The sixteen colors as a PAL monitor shows them, 0xRRGGBB. Only the first eight can be those of a border or a character. */
export const vicPalette: readonly number[] = [
  0x000000, 0xffffff, 0xb61f21, 0x4df0ff, 0xb43fff, 0x44e237, 0x1a34ff, 0xdcd71b, 0xca5400, 0xe9b072, 0xe79293,
  0x9af7fd, 0xe09fff, 0x8fe493, 0x8290ff, 0xe5de85,
];
