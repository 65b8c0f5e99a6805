import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { MouseCapability, MouseReach, PictureSize } from '../../../machine/input.ts';
import { InputDevices, type Pointer } from './input-devices.ts';
import type { InputOptions } from './input-options.ts';
import { Ps2Queue } from './ps2-queue.ts';

export interface MouseOptions extends InputOptions {
  /** Of the picture now. */
  size(): Promise<PictureSize>;
}

const fullScale = 0x7fff;
const buttons = ['left', 'middle', 'right', 'side', 'extra'] as const;
/** A PS/2 mouse says no more at once; what is left of a longer movement QEMU keeps until the next one. */
const longestPacket = 127;
const longestMove = 32_767;

/** The pointing devices: a tablet knows positions, a mouse movements. */
export class QemuMouse implements MouseCapability {
  readonly buttons = buttons;
  readonly #options: MouseOptions;
  readonly #devices: InputDevices;
  readonly #queue: Ps2Queue;

  constructor(options: MouseOptions) {
    this.#options = options;
    this.#devices = new InputDevices(options.session);
    this.#queue = new Ps2Queue(options);
  }

  async reach(): Promise<MouseReach> {
    const pointers = (await this.#devices.pointers()).filter(({ bound }) => bound);
    return {
      positions: pointers.some(({ absolute }) => absolute),
      movements: pointers.some(({ absolute }) => !absolute),
      wheel: pointers.length > 0,
    };
  }

  async moveTo(x: number, y: number, size?: PictureSize): Promise<void> {
    await this.#require('positions');
    const { width, height } = size ?? (await this.#options.size());
    if (x < 0 || y < 0 || x >= width || y >= height) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `${x},${y} is not on the screen.`,
        `It has ${width}x${height} pixels.`,
      );
    }
    await this.#send([axis('abs', 'x', scaled(x, width)), axis('abs', 'y', scaled(y, height))]);
  }

  async moveBy(dx: number, dy: number): Promise<void> {
    const longest = Math.max(Math.abs(dx), Math.abs(dy));
    if (longest > longestMove) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `A mouse cannot move by ${dx},${dy}.`,
        `Move by at most ${longestMove}, several times.`,
      );
    }
    const { isPs2 } = await this.#require('movements');
    const parts = isPs2 ? Math.max(1, Math.ceil(longest / (longestPacket * Ps2Queue.packetsAtOnce))) : 1;
    let [doneX, doneY] = [0, 0];
    for (let part = 1; part <= parts; part++) {
      const [x, y] = [Math.round((dx * part) / parts), Math.round((dy * part) / parts)];
      await this.#send([axis('rel', 'x', x - doneX), axis('rel', 'y', y - doneY)]);
      if (isPs2) await this.#queue.emptied('mouse', () => `it took ${doneX},${doneY} of ${dx},${dy}.`);
      [doneX, doneY] = [x, y];
    }
  }

  async button(name: string, down: boolean): Promise<void> {
    const known = buttons.find((button) => button === name);
    if (!known)
      throw new MachineError('INVALID_ARGUMENT', `There is no button ${name}.`, `Buttons: ${buttons.join(', ')}.`);
    await this.#require('clicks');
    await this.#send([press(known, down)]);
  }

  async wheel(clicks: number): Promise<void> {
    const { isPs2 } = await this.#require('clicks');
    const direction = clicks > 0 ? 'wheel-up' : 'wheel-down';
    for (let click = 0; click < Math.abs(clicks); click++) {
      await this.#send([press(direction, true)]);
      await this.#send([press(direction, false)]);
      if (isPs2) await this.#queue.emptied('mouse', () => `it took ${click} of ${Math.abs(clicks)} clicks.`);
    }
  }

  async #send(events: readonly unknown[]): Promise<void> {
    await this.#options.session.execute('input-send-event', { events });
  }

  /** The pointer that gets it. Refuses when nobody in the guest would, and says what would help. */
  async #require(what: 'positions' | 'movements' | 'clicks'): Promise<Pointer> {
    const pointers = await this.#devices.pointers();
    if (!this.#options.isRunning()) {
      throw new MachineError(
        'WRONG_STATE',
        'The machine is stopped and would not see the mouse.',
        advice`Call ${call('run')} first.`,
      );
    }
    if (pointers.length === 0) {
      throw new MachineError(
        'MISSING_CAPABILITY',
        'This machine has no mouse.',
        advice`Start it with one: ${call('machine_start', { kind: 'qemu', options: { gpu: 'on', tablet: true } })}.`,
      );
    }
    const fitting = pointers.filter(({ absolute, current }) =>
      what === 'clicks' ? current : absolute === (what === 'positions'),
    );
    const heard = fitting.find(({ bound }) => bound);
    if (heard) return heard;
    const [deaf] = fitting;
    if (!deaf) {
      const fix =
        what === 'positions'
          ? 'Start it with "tablet":true, or move by steps: "relative":true.'
          : 'Give positions: "relative":false.';
      throw new MachineError('MISSING_CAPABILITY', `It has no pointer that supports ${what}.`, fix, { pointers });
    }
    const hasMouse = what === 'positions' && pointers.some(({ absolute, bound }) => !absolute && bound);
    throw new MachineError(
      'WRONG_STATE',
      `The guest has no driver for the ${deaf.name} yet, so ${what} go nowhere.`,
      `Wait until the guest has loaded it${hasMouse ? ', or move by steps: "relative":true' : ''}.`,
      { pointers },
    );
  }
}

/** The middle of the pixel, on the scale of the tablet. */
function scaled(at: number, size: number): number {
  return Math.min(fullScale, Math.round(((at + 0.5) / size) * fullScale));
}

function axis(type: 'abs' | 'rel', name: 'x' | 'y', value: number) {
  return { type, data: { axis: name, value } };
}

function press(button: string, down: boolean) {
  return { type: 'btn', data: { button, down } };
}
