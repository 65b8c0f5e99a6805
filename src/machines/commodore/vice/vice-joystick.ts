import { commands, text, u16, u32 } from '../../../links/vice/wire.ts';
import type { JoystickCapability } from '../../../machine/input.ts';
import { requireDirections, requirePort } from '../../shared/control-port.ts';
import { joystickBits } from '../machine/joystick-bits.ts';
import type { ViceSession } from './vice-session.ts';

/** What VICE calls a device whose pins are set from outside; with any other it answers, and does nothing. */
const simulation = 37;
/** One that nobody touches. Up to VICE 3.9 the other pulls three lines of the keyboard as well. */
const joystick = 1;
/** Pins are high where no switch is closed. */
const released = 0xff;

/** Joysticks in VICE's control ports. */
export class ViceJoystick implements JoystickCapability {
  readonly ports: readonly number[];
  readonly #session: ViceSession;
  readonly #devices = new Map<number, number>();

  constructor(session: ViceSession, ports: readonly number[]) {
    this.#session = session;
    this.ports = ports;
  }

  async set(port: number, directions: readonly string[]): Promise<void> {
    requirePort(port, this.ports, 'machine');
    const bits = requireDirections(directions).reduce((all, direction) => all | joystickBits[direction], 0);
    const device = bits === 0 ? joystick : simulation;
    if ((this.#devices.get(port) ?? joystick) !== device) {
      await this.#session.ask(commands.resourceSet, [1, ...text(`JoyPort${port}Device`), 4, ...u32(device)]);
      this.#devices.set(port, device);
    }
    if (device === joystick) return;
    const levels = released & ~bits;
    await this.#session.ask(commands.joyportSet, [...u16(port - 1), ...u16(levels)]);
  }
}
