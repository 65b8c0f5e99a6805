import { MachineError } from '../../../../machine/errors.ts';
import type { LightPenCapability } from '../../../../machine/input.ts';
import type { Engine } from './engine.ts';

/** A light pen in control port 1. */
export class C64LightPen implements LightPenCapability {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async aim(at: { readonly x: number; readonly y: number } | undefined): Promise<void> {
    const { width, height } = this.#engine.board.vic.timing.visible;
    if (at && (at.x < 0 || at.x >= width || at.y < 0 || at.y >= height)) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `The picture has ${width}x${height} pixels; ${at.x},${at.y} is not on it.`,
        `Use x from 0 to ${width - 1} and y from 0 to ${height - 1}; the text begins at 32,35 on PAL.`,
      );
    }
    this.#engine.input({ type: 'pen', at });
  }
}
