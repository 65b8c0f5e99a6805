/** Something that has to be asked when it wants a cycle of its own: a drive, the datasette, the light pen. */
export interface TimedPart {
  quietCycles(): number;
  tick(): void;
}
