import type { JoystickCapability } from '../../../machine/input.ts';
import { type Direction, requireDirections, requirePort } from '../../shared/control-port.ts';
import type { DosEngine } from './dos-engine.ts';

const [low, middle, high] = [0, 128, 255];

/** Two sticks at the game port, pushed all the way. `fire` is the first button. */
export class DosJoystick implements JoystickCapability {
  readonly ports = [1, 2];
  readonly #engine: DosEngine;

  constructor(engine: DosEngine) {
    this.#engine = engine;
  }

  async set(port: number, directions: readonly string[], byHand = false): Promise<void> {
    requirePort(port, this.ports, 'PC');
    const held = requireDirections(directions);
    const axis = (less: Direction, more: Direction) =>
      held.includes(less) ? low : held.includes(more) ? high : middle;
    this.#engine.input({
      type: 'stick',
      stick: port - 1,
      x: axis('left', 'right'),
      y: axis('up', 'down'),
      buttons: held.includes('fire') ? 1 : 0,
      byHand,
    });
  }
}
