import { ownValue } from '../../../formats/own-value.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { MouseCapability, MouseReach, PictureSize } from '../../../machine/input.ts';
import type { DosEngine } from './dos-engine.ts';

const bits: Readonly<Record<string, number>> = { left: 1, right: 2, middle: 4 };
/** What one packet of a PS/2 mouse can say. */
const mostPerPacket = 255;
/** Across the largest screen several times. */
const farthest = 10_000;

/** A PS/2 mouse, and the driver behind INT 33h, which can be told positions. */
export class DosMouse implements MouseCapability {
  readonly buttons = Object.keys(bits);
  readonly #engine: DosEngine;
  #held = 0;

  constructor(engine: DosEngine) {
    this.#engine = engine;
  }

  async reach(): Promise<MouseReach> {
    // Only our own driver can be told positions; another system has its own.
    return { positions: this.#engine.system.isOwnDos, movements: true, wheel: false };
  }

  async moveTo(x: number, y: number, size?: PictureSize): Promise<void> {
    const { width, height } = size ?? this.#engine.system.board.vga.picture();
    if (x < 0 || y < 0 || x >= width || y >= height) {
      const message = `${x},${y} is not on the screen, which is ${width}x${height}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Use pixels of its picture.');
    }
    this.#engine.input({ type: 'pointer', x, y, width, height });
  }

  async moveBy(dx: number, dy: number): Promise<void> {
    if (Math.abs(dx) > farthest || Math.abs(dy) > farthest) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `A mouse moves by at most ${farthest} each way at once, not by ${dx},${dy}.`,
        'Move it in several steps.',
        { valid_range: `-${farthest} to ${farthest}` },
      );
    }
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
    const bit = ownValue(bits, name);
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
