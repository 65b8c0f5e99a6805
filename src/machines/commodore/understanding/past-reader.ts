import type { CommodoreEngine } from '../machine/commodore-engine.ts';

export interface PastReading {
  /** No more than this is run again. */
  readonly framesBack: number;
  /** Called before each instruction. */
  look(): void;
  /** What lies between the last reading and this moment has been missed. */
  missed?(until: number): void;
}

/** Runs again what has passed since it last did, and shows it instruction by instruction. */
export class PastReader {
  readonly #engine: CommodoreEngine;
  readonly #reading: PastReading;
  /** Up to this moment everything has been shown. */
  #knownTo = 0;

  constructor(engine: CommodoreEngine, reading: PastReading) {
    this.#engine = engine;
    this.#reading = reading;
    engine.whenMoved(() => {
      this.#knownTo = Math.min(this.#knownTo, engine.board.cycles);
    });
  }

  async read(signal: AbortSignal): Promise<void> {
    const { board, history } = this.#engine;
    const end = board.cycles;
    const { framesBack } = this.#reading;
    const first = Math.max(history.firstTime, this.#knownTo, end - framesBack * board.frameSpan);
    if (first > this.#knownTo) this.#reading.missed?.(first);
    if (first >= end) return;
    let reached = first;
    const look = () => {
      reached = board.cycles;
      this.#reading.look();
    };
    try {
      await this.#engine.revisit({ from: first, to: end }, look, signal);
      reached = end;
    } finally {
      this.#knownTo = reached;
    }
  }
}
