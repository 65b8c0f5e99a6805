import type { PaddleCapability, PaddlePair } from '../../../machine/input.ts';
import { requirePort } from '../../shared/control-port.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreModel } from './commodore-model.ts';
import { joystickBits } from './joystick-bits.ts';

/** Paddles in the control ports: knobs on the inputs of a chip that measures them, buttons on the lines of left and right. */
export class CommodorePaddles implements PaddleCapability {
  readonly ports: readonly number[];
  readonly #name: string;
  readonly #engine: CommodoreEngine;

  constructor(engine: CommodoreEngine, { name, controlPorts }: CommodoreModel) {
    this.ports = controlPorts;
    this.#name = name;
    this.#engine = engine;
  }

  async set(port: number, { x, y, xButton, yButton }: PaddlePair): Promise<void> {
    requirePort(port, this.ports, this.#name);
    this.#engine.input({ type: 'paddles', port, x: x & 255, y: y & 255 });
    const bits = (xButton ? joystickBits.left : 0) | (yButton ? joystickBits.right : 0);
    this.#engine.input({ type: 'joystick', port, bits });
  }
}
