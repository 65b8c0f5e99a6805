import { ownValue } from '../../../formats/own-value.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { MemoryCapability, MemorySpace } from '../../../machine/memory.ts';
import { MemoryValueFinder } from '../../shared/memory-value-finder.ts';
import { driveSpace } from './drive-for.ts';
import type { ViceSession } from './vice-session.ts';

const descriptions: Readonly<Record<string, string>> = {
  cpu: 'what the processor sees now',
  ram: 'RAM under everything',
  rom: 'ROM whatever is switched in',
  io: 'chips whatever is switched in',
  cart: 'the cartridge',
};
const readOnly = new Set(['rom']);
const size = 0x10000n;
/** VICE has two names for what the processor sees. */
const processorsView = ['cpu', 'default'];

/** Memory by VICE's banks; each is 64 KiB. */
export class ViceMemory implements MemoryCapability {
  readonly #banks: readonly MemorySpace[];
  readonly finder = new MemoryValueFinder(this);
  readonly #session: ViceSession;

  constructor(session: ViceSession) {
    this.#session = session;
    const others = [...session.banks.keys()].filter((name) => !processorsView.includes(name));
    this.#banks = ['cpu', ...others].map((name) => ({
      name,
      size,
      description: ownValue(descriptions, name) ?? `VICE's bank ${name}`,
      writable: !readOnly.has(name),
    }));
  }

  /** Of drives those that are switched on. */
  get spaces(): readonly MemorySpace[] {
    const drives = [...this.#session.drives].map((unit) => ({
      name: `drive${unit}`,
      size,
      description: `what the processor of drive ${unit} sees`,
      writable: true,
    }));
    return [...this.#banks, ...drives];
  }

  async peek(space: string, address: bigint, length: number): Promise<Uint8Array> {
    const memspace = this.#drive(space);
    return this.#session.peek(memspace ? 0 : this.#bank(space), Number(address), length, { memspace });
  }

  async poke(space: string, address: bigint, bytes: Uint8Array): Promise<void> {
    const memspace = this.#drive(space);
    await this.#session.poke(memspace ? 0 : this.#bank(space), Number(address), bytes, memspace);
  }

  /** VICE's number for it; 0 is the computer. */
  #drive(space: string): number {
    const unit = [...this.#session.drives].find((each) => space === `drive${each}`);
    return unit === undefined ? 0 : driveSpace(unit);
  }

  async touch(address: bigint, length: number): Promise<void> {
    await this.#session.peek(0, Number(address), length, { touches: true });
  }

  #bank(space: string): number {
    if (space === 'cpu') return 0;
    const bank = this.#session.banks.get(space);
    if (bank !== undefined) return bank;
    const names = this.spaces.map(({ name }) => name).join(', ');
    throw new MachineError('INVALID_ARGUMENT', `No memory space ${space.slice(0, 20)}.`, `Spaces: ${names}.`);
  }
}
