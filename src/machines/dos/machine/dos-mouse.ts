import { MachineError } from '../../../machine/errors.ts';
import type { MouseCapability } from '../../../machine/input.ts';
import type { Engine } from './engine.ts';

const bits: Readonly<Record<string, number>> = { left: 1, right: 2, middle: 4 };
/** What one packet of a PS/2 mouse can say. */
const mostPerPacket = 255;

/** The PS/2 mouse. Where the pointer is, is the driver's business: positions are reached through INT 33h's. */
export class DosMouse implements MouseCapability {
  readonly buttons = Object.keys(bits);
  readonly #engine: Engine;
  readonly #position: () => { readonly x: number; readonly y: number } | undefined;
  #held = 0;

  /** `position` is where the driver of the machine has the pointer, while there is one. */
  constructor(engine: Engine, position: () => { readonly x: number; readonly y: number } | undefined) {
    this.#engine = engine;
    this.#position = position;
  }

  async moveTo(x: number, y: number): Promise<void> {
    const at = this.#position();
    if (at === undefined) {
      throw new MachineError(
        'UNAVAILABLE',
        'No program has started the mouse driver (INT 33h), so there is no pointer to move.',
        'Use "relative":true, or run the program until it uses the mouse.',
      );
    }
    await this.moveBy(x - at.x, y - at.y);
  }

  async moveBy(dx: number, dy: number): Promise<void> {
    let [restX, restY] = [dx, dy];
    do {
      const stepX = Math.max(-mostPerPacket, Math.min(mostPerPacket, restX));
      const stepY = Math.max(-mostPerPacket, Math.min(mostPerPacket, restY));
      this.#engine.input({ type: 'mouse', dx: stepX, dy: stepY, buttons: this.#held });
      restX -= stepX;
      restY -= stepY;
    } while (restX !== 0 || restY !== 0);
  }

  async button(name: string, down: boolean): Promise<void> {
    const bit = bits[name];
    if (bit === undefined) {
      const fix = `Buttons: ${this.buttons.join(', ')}.`;
      throw new MachineError('INVALID_ARGUMENT', `No button ${JSON.stringify(name.slice(0, 20))}.`, fix);
    }
    this.#held = down ? this.#held | bit : this.#held & ~bit;
    this.#engine.input({ type: 'mouse', dx: 0, dy: 0, buttons: this.#held });
  }

  async wheel(): Promise<void> {
    throw new MachineError('UNAVAILABLE', 'The PS/2 mouse of this machine has no wheel.', 'Use keys to scroll.');
  }
}
