import type { Episodes } from '../../../machine/episodes.ts';
import { compileCondition, type Reading, type Vocabulary } from '../../shared/condition/condition.ts';
import type { DosEngine } from './dos-engine.ts';

/** As long as a step of an environment may take on a computer that is busy. */
const mostMs = 60_000;

/** A DOS PC lives through the same stretch again and again. */
export class DosEpisodes implements Episodes {
  readonly #engine: DosEngine;
  readonly #vocabulary: Vocabulary;

  constructor(engine: DosEngine, vocabulary: Vocabulary) {
    this.#engine = engine;
    this.#vocabulary = vocabulary;
  }

  begin(): void {
    this.#engine.history.end();
  }

  async advance(frames: number): Promise<void> {
    await this.#engine.run({ frames, wallMs: mostMs }, new AbortController().signal);
  }

  reading(expression: string): Reading {
    return compileCondition(expression, this.#vocabulary);
  }

  async mark(): Promise<() => void> {
    const { timeline } = this.#engine;
    const moment = timeline.save();
    return () => timeline.restore(moment);
  }
}
