import { ownValue } from '../../../../formats/own-value.ts';
import { MachineError } from '../../../../machine/errors.ts';
import type { MouseCapability, MouseReach } from '../../../../machine/input.ts';
import type { CommodoreEngine } from '../../machine/commodore-engine.ts';
import { joystickBits } from '../../machine/joystick-bits.ts';

/** What a program that looks once a frame can tell: the mouse only shows its place in 64 steps. */
const farthest = 31;
const port = 1;
/** The two buttons lie on the joystick's lines. */
const buttonBits: Readonly<Record<string, number>> = { left: joystickBits.fire, right: joystickBits.up };

/** A 1351 in proportional mode, in control port 1. */
export class C64Mouse implements MouseCapability {
  readonly buttons = Object.keys(buttonBits);
  readonly #engine: CommodoreEngine;
  #held = 0;

  constructor(engine: CommodoreEngine) {
    this.#engine = engine;
  }

  async reach(): Promise<MouseReach> {
    return { positions: false, movements: true, wheel: false, longestStep: farthest };
  }

  async moveTo(): Promise<void> {
    throw new MachineError(
      'INVALID_ARGUMENT',
      'A 1351 mouse only reports how far it moved, not where it is.',
      'Move it by dx and dy, and look at the screen for the pointer.',
    );
  }

  async moveBy(dx: number, dy: number): Promise<void> {
    if (Math.abs(dx) > farthest || Math.abs(dy) > farthest) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `A program that looks once a frame sees at most ${farthest} steps each way.`,
        'Move it in several steps, a frame or two apart.',
        { valid_range: `-${farthest} to ${farthest}` },
      );
    }
    const { x, y } = this.#engine.board.paddles(port);
    // Its Y rises upwards, that of pictures downwards.
    this.#engine.input({ type: 'paddles', port, x: moved(x, dx), y: moved(y, -dy) });
  }

  async button(name: string, down: boolean): Promise<void> {
    const bit = ownValue(buttonBits, name);
    if (bit === undefined) {
      const message = `A 1351 mouse has no button ${JSON.stringify(name.slice(0, 20))}.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Buttons: ${this.buttons.join(', ')}.`);
    }
    this.#held = down ? this.#held | bit : this.#held & ~bit;
    this.#engine.input({ type: 'joystick', port, bits: this.#held, byHand: true });
  }

  async wheel(): Promise<void> {
    throw new MachineError('INVALID_ARGUMENT', 'A 1351 mouse has no wheel.', 'Use its buttons or the keyboard.');
  }
}

/** Bits 1-6 hold the place; the values lie in the middle of what the SID can measure. */
function moved(pot: number, steps: number): number {
  return 0x40 + (((((pot - 0x40) >> 1) + steps) & 63) << 1);
}
