import type { PaddleCapability, PaddlePair } from '../../../../machine/input.ts';
import type { Engine } from './engine.ts';
import { joystickBits } from './joystick-bits.ts';

/** Paddles in the control ports: knobs on the SID's inputs, buttons on the lines of left and right. */
export class C64Paddles implements PaddleCapability {
  readonly ports = [1, 2];
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async set(port: number, { x, y, xButton, yButton }: PaddlePair): Promise<void> {
    const control = port === 1 ? 1 : 2;
    this.#engine.input({ type: 'paddles', port: control, x: x & 255, y: y & 255 });
    const bits = (xButton ? joystickBits.left : 0) | (yButton ? joystickBits.right : 0);
    this.#engine.input({ type: 'joystick', port: control, bits });
  }
}
