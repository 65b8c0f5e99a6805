/** Bits of a cycle's flags. Bits 0-7: sprites for whose accesses BA is low in this cycle. */
export const cycleFlag = {
  spriteBa: 0xff,
  matrixBa: 0x100,
  /** Number of the sprite whose accesses these are. */
  spriteShift: 9,
  /** p-access in phi1, first s-access in phi2. */
  pointer: 0x1000,
  /** Second s-access in phi1, third in phi2. */
  spriteData: 0x2000,
  refresh: 0x4000,
  graphics: 0x8000,
  matrix: 0x1_0000,
  updateVc: 0x2_0000,
  updateRc: 0x4_0000,
  spriteDmaCheck: 0x8_0000,
  spriteExpansion: 0x10_0000,
  spriteDisplay: 0x20_0000,
  spriteMcBase: 0x40_0000,
  spriteCrunch: 0x80_0000,
  borderLeft: 0x100_0000,
  borderRight: 0x200_0000,
  /** The border compare of this cycle is the one for CSEL = 1 (bit 3 of $D016). */
  borderWide: 0x400_0000,
  firstOfLine: 0x800_0000,
  secondOfLine: 0x1000_0000,
} as const;

interface Layout {
  readonly cycles: number;
  /** Cycle of the p-access of sprite 0. */
  readonly sprite0: number;
  /** First of the two cycles in which sprites' Y is compared. */
  readonly spriteCheck: number;
  readonly spriteDisplay: number;
  /** Cycle whose X is the same as the one before (6567R8 only), 0 = none. */
  readonly repeatedX: number;
}

/** What happens in each cycle of a line. */
export function cycleTable(layout: Layout): { flags: Int32Array; x: Int32Array } {
  const flags = new Int32Array(layout.cycles);
  const add = (cycle: number, bits: number): void => {
    const index = (cycle - 1 + layout.cycles) % layout.cycles;
    flags[index] = (flags[index] ?? 0) | bits;
  };
  for (let sprite = 0; sprite < 8; sprite++) {
    const pointer = layout.sprite0 + 2 * sprite;
    for (let cycle = pointer - 3; cycle <= pointer + 1; cycle++) add(cycle, 1 << sprite);
    add(pointer, cycleFlag.pointer | (sprite << cycleFlag.spriteShift));
    add(pointer + 1, cycleFlag.spriteData | (sprite << cycleFlag.spriteShift));
  }
  for (let cycle = 11; cycle <= 15; cycle++) add(cycle, cycleFlag.refresh);
  for (let cycle = 12; cycle <= 54; cycle++) add(cycle, cycleFlag.matrixBa);
  for (let cycle = 15; cycle <= 54; cycle++) add(cycle, cycleFlag.matrix);
  for (let cycle = 16; cycle <= 55; cycle++) add(cycle, cycleFlag.graphics);
  add(1, cycleFlag.firstOfLine);
  add(2, cycleFlag.secondOfLine);
  add(14, cycleFlag.updateVc);
  add(15, cycleFlag.spriteCrunch);
  add(16, cycleFlag.spriteMcBase);
  add(17, cycleFlag.borderLeft | cycleFlag.borderWide);
  add(18, cycleFlag.borderLeft);
  add(56, cycleFlag.borderRight | cycleFlag.spriteExpansion);
  add(57, cycleFlag.borderRight | cycleFlag.borderWide);
  add(58, cycleFlag.updateRc);
  add(layout.spriteCheck, cycleFlag.spriteDmaCheck);
  add(layout.spriteCheck + 1, cycleFlag.spriteDmaCheck);
  add(layout.spriteDisplay, cycleFlag.spriteDisplay);

  const x = new Int32Array(layout.cycles);
  let next = 0;
  for (let step = 0; step < layout.cycles; step++) {
    const cycle = ((13 + step) % layout.cycles) + 1;
    if (cycle === layout.repeatedX) next -= 8;
    x[cycle - 1] = next;
    next += 8;
  }
  return { flags, x };
}
