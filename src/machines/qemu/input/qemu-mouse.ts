import { MachineError } from '../../../machine/errors.ts';
import type { MouseCapability, MouseReach, PictureSize } from '../../../machine/input.ts';
import type { InputOptions } from './qemu-keyboard.ts';

export interface MouseOptions extends InputOptions {
  /** Of the picture now. */
  size(): Promise<PictureSize>;
}

interface Pointer {
  readonly name: string;
  readonly current: boolean;
  readonly absolute: boolean;
}

const fullScale = 0x7fff;
const buttons = ['left', 'middle', 'right', 'side', 'extra'] as const;

/** The pointing devices: a tablet knows positions, a mouse movements. */
export class QemuMouse implements MouseCapability {
  readonly buttons = buttons;
  readonly #options: MouseOptions;

  constructor(options: MouseOptions) {
    this.#options = options;
  }

  async reach(): Promise<MouseReach> {
    const pointers = parsePointers(await this.#options.session.execute('query-mice'));
    return {
      positions: pointers.some(({ absolute, current }) => absolute && current),
      movements: pointers.some(({ absolute }) => !absolute),
      wheel: pointers.length > 0,
    };
  }

  async moveTo(x: number, y: number, size?: PictureSize): Promise<void> {
    await this.#require(true);
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
    await this.#require(false);
    await this.#send([axis('rel', 'x', dx), axis('rel', 'y', dy)]);
  }

  async button(name: string, down: boolean): Promise<void> {
    const known = buttons.find((button) => button === name);
    if (!known)
      throw new MachineError('INVALID_ARGUMENT', `There is no button ${name}.`, `Buttons: ${buttons.join(', ')}.`);
    await this.#require(undefined);
    await this.#send([press(known, down)]);
  }

  async wheel(clicks: number): Promise<void> {
    await this.#require(undefined);
    const direction = clicks > 0 ? 'wheel-up' : 'wheel-down';
    for (let click = 0; click < Math.abs(clicks); click++) {
      await this.#send([press(direction, true)]);
      await this.#send([press(direction, false)]);
    }
  }

  async #send(events: readonly unknown[]): Promise<void> {
    await this.#options.session.execute('input-send-event', { events });
  }

  /** Refuses when nobody in the guest would get it, and says what would help. */
  async #require(absolute: boolean | undefined): Promise<void> {
    const pointers = parsePointers(await this.#options.session.execute('query-mice'));
    if (!this.#options.isRunning()) {
      throw new MachineError('WRONG_STATE', 'The machine stands still and would not see the mouse.', 'Call run first.');
    }
    if (pointers.length === 0) {
      throw new MachineError(
        'MISSING_CAPABILITY',
        'This machine has no mouse.',
        'Start it with "gpu":"on" and "tablet":true.',
      );
    }
    if (absolute === undefined) return;
    const fitting = pointers.filter((pointer) => pointer.absolute === absolute);
    const heard = fitting.some(({ current }) => current);
    if (heard || (!absolute && fitting.length > 0)) return;
    const [other] = pointers.filter(({ current }) => current);
    const data = { pointers };
    if (fitting.length === 0) {
      const fix = absolute
        ? 'Start it with "tablet":true, or move by steps: "relative":true.'
        : 'Give positions: "relative":false.';
      throw new MachineError(
        'MISSING_CAPABILITY',
        `It has no pointer that knows ${absolute ? 'positions' : 'movements'}.`,
        fix,
        data,
      );
    }
    throw new MachineError(
      'WRONG_STATE',
      `The guest has no driver for the ${fitting[0]?.name ?? 'tablet'} yet, so positions go nowhere.`,
      other
        ? 'Wait until the guest has loaded it, or move by steps: "relative":true.'
        : 'Wait until the guest has loaded it.',
      data,
    );
  }
}

function parsePointers(answer: unknown): Pointer[] {
  if (!Array.isArray(answer)) return [];
  return answer.map(({ name, current, absolute }) => ({
    name: String(name),
    current: current === true,
    absolute: absolute === true,
  }));
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
