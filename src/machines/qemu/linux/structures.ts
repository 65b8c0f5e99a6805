import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { KernelMemory } from './kernel-memory.ts';
import type { KernelTypes } from './kernel-types.ts';

/** Reads members of the kernel's structures by name. */
export class Structures {
  readonly memory: KernelMemory;
  readonly #types: KernelTypes;

  constructor(memory: KernelMemory, types: KernelTypes) {
    this.memory = memory;
    this.#types = types;
  }

  /** Of the first of several paths that this kernel has: names change between versions. */
  find(structure: string, ...paths: readonly string[]): number | undefined {
    for (const path of paths) {
      const offset = this.#types.offsetOf(structure, path);
      if (offset !== undefined) return Math.floor(offset);
    }
    return undefined;
  }

  offset(structure: string, ...paths: readonly string[]): bigint {
    const offset = this.find(structure, ...paths);
    if (offset !== undefined) return BigInt(offset);
    throw new MachineError(
      'UNAVAILABLE',
      `This kernel's struct ${structure} has no ${paths.join(' or ')}: this version is not supported.`,
      [advice`Load its vmlinux with ${call('symbols_load')} and look with ${call('evaluate')}.`],
    );
  }

  bytes(structure: string): number {
    return this.#types.bytesOf(structure) ?? 0;
  }

  /** A number of so many bytes; 0 where there is no memory. */
  async number(at: bigint, bytes: 1 | 2 | 4 | 8, structure: string, ...paths: readonly string[]): Promise<bigint> {
    return (await this.memory.number(at + this.offset(structure, ...paths), bytes)) ?? 0n;
  }

  pointer(at: bigint, structure: string, ...paths: readonly string[]): Promise<bigint> {
    return this.number(at, 8, structure, ...paths);
  }

  async text(at: bigint, most: number, structure: string, path: string): Promise<string> {
    return (await this.memory.text(at + this.offset(structure, path), most)) ?? '';
  }

  /** What hangs on a list, by the member that links it. Ends where the list is broken. */
  async *list(head: bigint, structure: string, link: string, most: number): AsyncGenerator<bigint> {
    const offset = this.offset(structure, link);
    const seen = new Set<bigint>([head]);
    let at = (await this.memory.number(head, 8)) ?? head;
    while (at !== 0n && !seen.has(at) && seen.size <= most) {
      seen.add(at);
      yield BigInt.asUintN(64, at - offset);
      at = (await this.memory.number(at, 8)) ?? head;
    }
  }
}
