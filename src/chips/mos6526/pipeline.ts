/**
 * What is under way inside the chip, one bit per stage, as in Wolfgang Lorenz's software model of the 6526: each cycle every
 * bit moves up one place, the control registers feed new ones in at the bottom.
 */
// Timer clocks: stage 2 lets a counter at zero reload, stage 3 decrements.
export const COUNT_A0 = 1 << 0;
export const COUNT_A1 = 1 << 1;
export const COUNT_A2 = 1 << 2;
export const COUNT_A3 = 1 << 3;
export const COUNT_B0 = 1 << 4;
export const COUNT_B1 = 1 << 5;
export const COUNT_B2 = 1 << 6;
export const COUNT_B3 = 1 << 7;
// Latch into counter; stage 2 is the cycle in which it happens.
export const LOAD_A0 = 1 << 8;
export const LOAD_A2 = 1 << 10;
export const LOAD_B0 = 1 << 11;
export const LOAD_B2 = 1 << 13;
// The one-shot bit is felt for two cycles.
export const ONE_SHOT_A0 = 1 << 14;
export const ONE_SHOT_A = 3 << 14;
export const ONE_SHOT_B0 = 1 << 16;
export const ONE_SHOT_B = 3 << 16;
export const PC_LOW0 = 1 << 18;
export const PC_LOW1 = 1 << 19;
// A read of ICR clears what it saw two cycles later.
export const CLEAR1 = 1 << 20;
export const CLEAR3 = 1 << 22;
// Bit 7 of ICR and the /IRQ pin: stage 3 is the cycle in which it happens.
export const BIT7_1 = 1 << 23;
export const BIT7_2 = 1 << 24;
export const BIT7_3 = 1 << 25;
export const RAISE1 = 1 << 26;
export const RAISE2 = 1 << 27;
export const RAISE3 = 1 << 28;
// ICR was read in the cycle before.
export const READ1 = 1 << 29;
export const READ2 = 1 << 30;

/** Bits that nothing moves into from below. */
export const KEEP = ~(
  COUNT_A0 |
  COUNT_B0 |
  LOAD_A0 |
  LOAD_B0 |
  ONE_SHOT_A0 |
  ONE_SHOT_B0 |
  PC_LOW0 |
  CLEAR1 |
  BIT7_1 |
  RAISE1 |
  READ1 |
  (1 << 31)
);
