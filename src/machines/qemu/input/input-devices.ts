import { MachineError } from '../../../machine/errors.ts';
import type { QemuSession } from '../qemu-session.ts';

export interface Pointer {
  readonly name: string;
  /** The one that gets clicks. */
  readonly current: boolean;
  readonly absolute: boolean;
  /** A driver of the guest listens to it, as far as QEMU tells; of a PS/2 mouse it does not. */
  readonly bound: boolean;
  /** Behind the controller of a PC. */
  readonly isPs2: boolean;
}

/** The keyboard that QEMU gives keys to. */
export interface KeyboardDevice {
  readonly name: string;
  readonly bound: boolean;
  readonly isPs2: boolean;
}

interface VirtioInput {
  /** `virtio-keyboard-device` and the like. */
  readonly type: string;
  readonly bound: boolean;
}

type Mouse = Pick<Pointer, 'name' | 'current' | 'absolute'>;

/** A mouse that is moved is asked for many times a second, and drivers do not go away on their own. */
const knownForMs = 1000;
const pcController = 'dev: i8042';
const otherKeyboards = /dev: (?:ps2-kbd|pl050_keyboard|adb-keyboard|next-kbd|escc|sun-kbd)/;

/** The guest's keyboards and mice: QEMU takes events without a word when there is nobody to get them. */
export class InputDevices {
  readonly #session: QemuSession;
  readonly #pointers = new Map<string, { readonly pointer: Pointer; readonly until: number }>();

  constructor(session: QemuSession) {
    this.#session = session;
  }

  /** Undefined if there is none. */
  async keyboard(): Promise<KeyboardDevice | undefined> {
    const tree = await this.#session.hmp('info qtree');
    // One of USB takes all keys from the moment it is plugged in, those of virtio when a driver is there.
    if (tree.includes('dev: usb-kbd')) {
      return { name: 'USB keyboard', bound: await this.#isAddressed('Keyboard'), isPs2: false };
    }
    const virtio = tree.includes('dev: virtio-keyboard') ? await this.#virtioInputs('virtio-keyboard-device') : [];
    if (virtio.some(({ bound }) => bound)) return { name: 'virtio keyboard', bound: true, isPs2: false };
    if (tree.includes(pcController)) return { name: 'PS/2 keyboard', bound: true, isPs2: true };
    // What is built into a board gets the keys as long as nobody drives the other one.
    if (otherKeyboards.test(tree)) return { name: 'keyboard', bound: true, isPs2: false };
    return virtio.length > 0 ? { name: 'virtio keyboard', bound: false, isPs2: false } : undefined;
  }

  async pointers(): Promise<Pointer[]> {
    const mice = await this.#session.query('query-mice');
    const current = mice.find((mouse) => mouse.current);
    const pointers: Pointer[] = [];
    for (const mouse of mice) pointers.push(await this.#pointer(mouse, current?.name ?? ''));
    return pointers;
  }

  async #pointer(mouse: Mouse, currentName: string): Promise<Pointer> {
    const known = this.#pointers.get(mouse.name);
    if (known && known.until > performance.now()) return { ...known.pointer, ...mouse };
    const isPs2 = /PS\/2/.test(mouse.name) && (await this.#session.hmp('info qtree')).includes(pcController);
    const pointer = { ...mouse, isPs2, bound: await this.#isBound(mouse, currentName) };
    if (pointer.bound) this.#pointers.set(mouse.name, { pointer, until: performance.now() + knownForMs });
    return pointer;
  }

  async #isBound({ name, current }: Mouse, currentName: string): Promise<boolean> {
    const [, bus, type = ''] = /^QEMU (Virtio|HID) (Tablet|Mouse)/.exec(name) ?? [];
    if (bus === 'Virtio') {
      const inputs = await this.#virtioInputs(`virtio-${type.toLowerCase()}-device`);
      return inputs.some(({ bound }) => bound);
    }
    if (bus !== 'HID') return true;
    // Firmware gives addresses to all; a driver that asks for movements makes it the current one, if only for a while.
    if (!current && /PS\/2/.test(currentName)) return false;
    return this.#isAddressed(type);
  }

  async #isAddressed(product: string): Promise<boolean> {
    const usb = await this.#session.hmp('info usb');
    const line = usb.split('\n').find((each) => each.includes(`Product QEMU USB ${product}`));
    return line === undefined || !/Device \d+\.0,/.test(line);
  }

  /** Those of one type; before QEMU 7.2 nobody knows about them, and they count as driven. */
  async #virtioInputs(wanted: string): Promise<VirtioInput[]> {
    try {
      const inputs: VirtioInput[] = [];
      for (const { path, name } of await this.#session.query('x-query-virtio')) {
        if (name !== 'virtio-input') continue;
        const type = String(await this.#session.execute('qom-get', { path, property: 'type' }));
        if (type !== wanted) continue;
        const { status } = await this.#session.query('x-query-virtio-status', { path });
        inputs.push({ type, bound: status.statuses.some((text) => text.includes('DRIVER_OK')) });
      }
      return inputs;
    } catch (error) {
      if (error instanceof MachineError && error.type === 'EXECUTION_ERROR') return [{ type: wanted, bound: true }];
      throw error;
    }
  }
}
