import type { Episodes } from '../../../machine/episodes.ts';
import { compileCondition, type Reading, type Vocabulary } from '../../shared/condition/condition.ts';
import { sameBytes } from '../../shared/same-bytes.ts';
import type { CommodoreEngine } from './commodore-engine.ts';

/** Frames without an engine around them: nothing is watched for, and nothing is kept. */
export class CommodoreEpisodes implements Episodes {
  readonly #engine: CommodoreEngine;
  readonly #vocabulary: Vocabulary;

  constructor(engine: CommodoreEngine, vocabulary: Vocabulary) {
    this.#engine = engine;
    this.#vocabulary = vocabulary;
  }

  begin(): void {
    this.#engine.history.end();
  }

  advance(frames: number, isSeen = true): void {
    const { board } = this.#engine;
    board.drives.letGo();
    for (let frame = 1; frame <= frames; frame += 1) {
      const isDrawn = isSeen && frame === frames;
      if (isDrawn || !board.runUnseen) board.runCycles(board.cyclesToFrame);
      else board.runUnseen(board.cyclesToFrame);
    }
    board.catchUp();
  }

  reading(expression: string): Reading {
    return compileCondition(expression, this.#vocabulary);
  }

  async mark(): Promise<() => void> {
    const { board } = this.#engine;
    const state = sameBytes(board.snapshot());
    const picture = sameBytes(board.frame.slice());
    return () => {
      board.restore(state);
      board.frame.set(picture);
    };
  }
}
