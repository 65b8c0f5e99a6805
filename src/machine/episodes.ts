/**
 * The same stretch of a machine's life again and again, as fast as it goes: what training and testing agents takes. Between
 * `begin` and the machine's end there is no way back but to marks, and nothing else may let its time pass.
 */
export interface Episodes {
  begin(): void;
  /** Lets so many frames pass, of which at most the last has to be drawn; without `isSeen` none. */
  advance(frames: number, isSeen?: boolean): void | Promise<void>;
  /** An expression of the condition language, to be asked at any time. Throws with the column of a mistake. */
  reading(expression: string): () => number | Promise<number>;
  /** The present moment; the answer returns to it, any number of times. */
  mark(): Promise<() => void | Promise<void>>;
}
