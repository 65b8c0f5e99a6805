import { commands, u16 } from '../../../links/vice/wire.ts';
import type { JoystickCapability } from '../../../machine/input.ts';
import { requireDirections, requirePort } from '../../shared/control-port.ts';
import { joystickBits } from '../machine/joystick-bits.ts';
import { HeldSettings } from './held-settings.ts';
import type { ViceSession } from './vice-session.ts';

/**
 * What VICE calls a device whose pins are set from outside; with any other it answers, and does nothing. It is there only while
 * a switch is closed: up to VICE 3.9 it pulls three lines of the keyboard as well.
 */
const simulation = 37;
/** Pins are high where no switch is closed. */
const released = 0xff;

/** Joysticks in VICE's control ports. */
export class ViceJoystick implements JoystickCapability {
  readonly ports: readonly number[];
  readonly #session: ViceSession;
  /** Another device may have been there. */
  readonly #held = new Map<number, HeldSettings>();

  constructor(session: ViceSession, ports: readonly number[]) {
    this.#session = session;
    this.ports = ports;
  }

  async set(port: number, directions: readonly string[]): Promise<void> {
    requirePort(port, this.ports, 'machine');
    const bits = requireDirections(directions).reduce((all, direction) => all | joystickBits[direction], 0);
    if (bits === 0) return this.#release(port);
    const held = this.#held.get(port) ?? new HeldSettings();
    this.#held.set(port, held);
    await held.hold(this.#session, { [`JoyPort${port}Device`]: simulation });
    const levels = released & ~bits;
    await this.#session.ask(commands.joyportSet, [...u16(port - 1), ...u16(levels)]);
  }

  /** All ports have what was in them. */
  async leave(): Promise<void> {
    for (const port of this.#held.keys()) await this.#release(port);
  }

  async #release(port: number): Promise<void> {
    await this.#held.get(port)?.release(this.#session);
  }
}
