/** One line of a result. Ratios come first: they survive a noisy machine, absolute figures do not. */
export interface Row {
  readonly what: string;
  /** Ours to the reference's, measured in the same rounds. */
  readonly ratio?: string;
  /** The median of all rounds, unless the row says otherwise. */
  readonly measured: string;
  readonly best?: string;
  readonly reference?: string;
  readonly target?: Target;
}

export interface Target {
  readonly text: string;
  readonly met: boolean;
}

export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
  /** What a reader must know to judge the figures. */
  readonly notes: readonly string[];
}

export interface Bench {
  readonly summary: string;
  run(progress: (text: string) => void): Promise<readonly Table[]>;
}

export function atLeast(value: number, limit: number, text = `≥ ${limit}`): Target {
  return { text, met: value >= limit };
}

export function atMost(value: number, limit: number, text = `≤ ${limit}`): Target {
  return { text, met: value <= limit };
}
