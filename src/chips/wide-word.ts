/** Counts of instructions and ticks outgrow 32 bits: they take two words of a chip's state, the low one first. */
export function readWide(state: Int32Array, index: number): number {
  return state[index + 1] * 0x1_0000_0000 + (state[index] >>> 0);
}

export function writeWide(state: Int32Array, index: number, value: number): void {
  state[index] = value | 0;
  state[index + 1] = Math.floor(value / 0x1_0000_0000);
}
