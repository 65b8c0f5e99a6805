import { MachineError } from '../../../machine/errors.ts';
import type { LightPenCapability } from '../../../machine/input.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreModel } from './commodore-model.ts';

/** A light pen in the first control port. */
export class CommodoreLightPen implements LightPenCapability {
  readonly #engine: CommodoreEngine;
  readonly #screen: CommodoreModel['screen'];

  constructor(engine: CommodoreEngine, screen: CommodoreModel['screen']) {
    this.#engine = engine;
    this.#screen = screen;
  }

  async aim(at: { readonly x: number; readonly y: number } | undefined): Promise<void> {
    const { pixelWidth, textAt } = this.#screen;
    const { width: pixels, height } = this.#engine.board.visible;
    const width = pixels * pixelWidth;
    if (at && (at.x < 0 || at.x >= width || at.y < 0 || at.y >= height)) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `The picture has ${width}x${height} pixels; ${at.x},${at.y} is not on it.`,
        `Use x from 0 to ${width - 1} and y from 0 to ${height - 1}; the text begins at ${textAt.join()} on PAL.`,
      );
    }
    this.#engine.input({ type: 'pen', at: at && { x: Math.floor(at.x / pixelWidth), y: at.y } });
  }
}
