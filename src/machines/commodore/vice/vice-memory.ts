import { ownValue } from '../../../formats/own-value.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { MemoryCapability, MemorySpace } from '../../../machine/memory.ts';
import { MemoryValueFinder } from '../../shared/memory-value-finder.ts';
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
  readonly spaces: readonly MemorySpace[];
  readonly finder = new MemoryValueFinder(this);
  readonly #session: ViceSession;

  constructor(session: ViceSession) {
    this.#session = session;
    const others = [...session.banks.keys()].filter((name) => !processorsView.includes(name));
    this.spaces = ['cpu', ...others].map((name) => ({
      name,
      size,
      description: ownValue(descriptions, name) ?? `VICE's bank ${name}`,
      writable: !readOnly.has(name),
    }));
  }

  peek(space: string, address: bigint, length: number): Promise<Uint8Array> {
    return this.#session.peek(this.#bank(space), Number(address), length);
  }

  async poke(space: string, address: bigint, bytes: Uint8Array): Promise<void> {
    await this.#session.poke(this.#bank(space), Number(address), bytes);
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
