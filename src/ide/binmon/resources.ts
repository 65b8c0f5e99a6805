import { failure, text, u32 } from '../../links/vice/wire.ts';
import type { DebuggedMachine } from '../debugged-machine.ts';
import { Refusal } from './wire.ts';

const [stringType, integerType] = [0, 1];
/** What is plugged into the control ports: a joystick, or what the client simulates. Both are always there. */
const joystickDevices = [1, 37];

/** Not of VICE: while it is 1 nobody else changes the machine. */
const holdResource = 'Hold';

interface Resource {
  readonly name: string;
  readonly value: number | string;
}

/** VICE's resources: those of the machine's configuration, and how fast it runs for this client. */
export class Resources {
  readonly #machine: DebuggedMachine;
  #isHolding = 0;
  readonly #own = new Map<string, number>([
    ['Speed', 100],
    ['JoyPort1Device', 1],
    ['JoyPort2Device', 1],
  ]);

  constructor(machine: DebuggedMachine) {
    this.#machine = machine;
  }

  /** Speed 0 has no limit. */
  get pace(): 'real' | 'warp' {
    return this.#own.get('Speed') === 0 ? 'warp' : 'real';
  }

  async read(name: string): Promise<Buffer> {
    const value = (name === holdResource ? this.#isHolding : this.#own.get(name)) ?? (await this.#find(name)).value;
    if (typeof value === 'number') return Buffer.from([integerType ?? 0, 4, ...u32(value)]);
    return Buffer.from([stringType ?? 0, ...text(value)]);
  }

  async write(name: string, type: number, value: Buffer): Promise<void> {
    if (type !== stringType && type !== integerType) throw new Refusal(failure.parameter);
    const wanted = type === stringType ? value.toString('latin1') : integerOf(value);
    if (name === holdResource) return this.#hold(Number(wanted));
    if (this.#own.has(name)) return this.#writeOwn(name, Number(wanted));
    const known = await this.#find(name).catch((error: unknown) => {
      // VICE says so of numbers it cannot set, whatever the reason.
      throw error instanceof Refusal && type === integerType ? new Refusal(failure.failed) : error;
    });
    const matching = typeof known.value === 'number' ? Number(wanted) : String(wanted);
    await this.#machine.call('config_change', { changes: [{ name: known.name, value: matching }] });
  }

  async #hold(wanted: number): Promise<void> {
    if (wanted !== 0) await this.#machine.take();
    else await this.#machine.handBack('');
    this.#isHolding = wanted === 0 ? 0 : 1;
  }

  #writeOwn(name: string, value: number): void {
    const allowed = name === 'Speed' ? [0, 100] : joystickDevices;
    if (!allowed.includes(value)) throw new Refusal(failure.failed);
    this.#own.set(name, value);
  }

  async #find(name: string): Promise<Resource> {
    const { resources } = await this.#machine.call('config_read');
    const found = (resources as Resource[]).find((each) => each.name === name);
    if (found) return found;
    throw new Refusal(failure.missing);
  }
}

function integerOf(value: Buffer): number {
  if (value.length === 1) return value.readUInt8();
  if (value.length === 2) return value.readUInt16LE();
  if (value.length === 4) return value.readInt32LE();
  throw new Refusal(failure.length);
}
