import type { MemoryCapability } from '../../../../machine/memory.ts';
import type { C64Bank } from '../c64-board.ts';
import type { Engine } from './engine.ts';

const banks: readonly {
  readonly name: C64Bank;
  readonly size: bigint;
  readonly description: string;
  readonly writable: boolean;
}[] = [
  { name: 'cpu', size: 0x10000n, description: 'what the processor sees now', writable: true },
  { name: 'ram', size: 0x10000n, description: 'RAM under everything', writable: true },
  { name: 'rom', size: 0x10000n, description: 'BASIC and KERNAL whatever is switched in', writable: false },
  { name: 'io', size: 0x10000n, description: 'chips at $D000-$DFFF whatever is switched in', writable: true },
  { name: 'color', size: 0x400n, description: 'colour RAM from 0', writable: true },
  { name: 'vic', size: 0x4000n, description: 'the 16K that the VIC-II sees', writable: false },
];

export class C64Memory implements MemoryCapability {
  readonly spaces = banks;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async peek(space: string, address: bigint, length: number): Promise<Uint8Array> {
    const { board } = this.#engine;
    const first = Number(address);
    return Uint8Array.from({ length }, (_, offset) => board.peek(space as C64Bank, first + offset));
  }

  async poke(space: string, address: bigint, bytes: Uint8Array): Promise<void> {
    this.#engine.input({ type: 'poke', bank: space as C64Bank, address: Number(address), bytes });
  }
}
