/** Where the parts of a board's state lie: see `layOutState`. */
interface Layout<Part extends string> {
  readonly offsets: Readonly<Record<Part, number>>;
  readonly byteLength: number;
}

/** The words of one part of a board's state, for those who look at it. */
export function partWords<State extends Int32Array, Part extends string>(
  { buffer, byteOffset }: Uint8Array,
  layout: Layout<Part>,
  part: Part,
): State {
  const offset = layout.offsets[part];
  return new Int32Array(buffer, byteOffset + offset, (layout.byteLength - offset) >> 2) as State;
}
