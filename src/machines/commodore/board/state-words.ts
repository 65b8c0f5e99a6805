/** Where the parts of a board's state lie: see `layOutState`. */
interface Layout<Part extends string> {
  readonly offsets: Readonly<Record<Part, number>>;
}

/**
 * An index that the layout gave. It stands for all of them, and the compiler takes it for a key that every state has: what is read
 * there is a number, not perhaps one.
 */
export type Place = -1;
/** All words of a board's state. */
export type StateWords = Int32Array & Record<Place, number>;
/** The time of a board, in its smallest unit. */
export type BoardClock = Float64Array & Record<0, number>;

/** Finds where a field of a part lies among the words of the whole state. */
export function placesIn<Part extends string>({ offsets }: Layout<Part>): (part: Part, field: number) => Place {
  return (part, field) => ((offsets[part] >> 2) + field) as Place;
}
