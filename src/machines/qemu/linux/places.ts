import type { NamedPlace } from '../../../formats/elf/elf-symbols.ts';
import { pauses } from '../../../formats/elf/pause.ts';
import { lowerHex } from '../../../formats/hex.ts';
import type { LinuxCall } from '../../../machine/linux.ts';
import { NameIndex } from '../symbols/name-index.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import type { LinuxKernel } from './linux-kernel.ts';
import { type ModuleAt, readModules, symbolsOf } from './read-modules.ts';
import type { Structures } from './structures.ts';

const reach = 1n << 16n;

interface NamedModule {
  readonly module: ModuleAt;
  readonly names: NameIndex;
}

/** Names and source lines for addresses of a kernel and of its modules. */
export class KernelPlaces {
  readonly #kernel: LinuxKernel;
  readonly #symbols: QemuSymbols;
  readonly #modules: readonly NamedModule[];

  private constructor(kernel: LinuxKernel, symbols: QemuSymbols, modules: readonly NamedModule[]) {
    this.#kernel = kernel;
    this.#symbols = symbols;
    this.#modules = modules;
  }

  static async read(kernel: LinuxKernel, symbols: QemuSymbols, s: Structures): Promise<KernelPlaces> {
    const head = kernel.address('modules');
    const modules: NamedModule[] = [];
    for await (const { module, places } of symbolsOf(s, head === undefined ? [] : await readModules(s, head))) {
      const names = new NameIndex();
      await names.putAll(places, pauses());
      modules.push({ module, names });
    }
    return new KernelPlaces(kernel, symbols, modules);
  }

  /** Undefined for what is not code. A call returns to the next instruction: `isReturn` names the one before. */
  describe(address: bigint, isReturn: boolean): LinuxCall | undefined {
    const inner = this.#modules.find(
      ({ module: { base, bytes } }) => address >= base && address < base + BigInt(bytes),
    );
    const place = (inner?.names ?? this.#kernel.names).placeAt(address, reach);
    if (!place) return undefined;
    const offset = address - place.address;
    const name = offset === 0n ? place.name : `${place.name}+0x${lowerHex(offset, 1)}`;
    return this.#shown(address, inner ? `${name} [${inner.module.name}]` : name, isReturn);
  }

  /** `name+0x12/0x34 [module]`, as the kernel writes it; of several of that name, the one of that size. */
  resolve(name: string, offset: bigint, size: bigint, module: string | undefined, isReturn: boolean): LinuxCall {
    const inner = this.#modules.find((each) => each.module.name === module);
    const names = inner?.names ?? this.#kernel.names;
    const start = module !== undefined && !inner ? undefined : this.#startOf(names, name, size);
    const text = `${name}+0x${lowerHex(offset, 1)}${module === undefined ? '' : ` [${module}]`}`;
    if (start === undefined) return { address: 0n, place: text };
    return this.#shown(start + offset, text, isReturn);
  }

  #startOf(names: NameIndex, name: string, size: bigint): bigint | undefined {
    const shared = names.sharedBy(name);
    const fits = ({ address }: NamedPlace) => {
      const last = names.placeAt(address + size - 1n, reach);
      const next = names.placeAt(address + size, reach);
      return last?.address === address && next?.address !== address;
    };
    return shared.find(fits)?.address ?? names.address(name);
  }

  #shown(address: bigint, name: string, isReturn: boolean): LinuxCall {
    const line = this.#lineOf(isReturn ? address - 1n : address);
    return { address, place: line === undefined ? name : `${name} (${line})` };
  }

  /** A file may have been loaded for where the kernel was linked to, and not for where it is. */
  #lineOf(address: bigint): string | undefined {
    const moved = movedBy(this.#kernel, this.#symbols);
    return this.#symbols.lineOf(address) ?? (moved ? this.#symbols.lineOf(address - moved) : undefined);
  }
}

/** How far a kernel is from where a loaded file says that it was linked to. */
export function movedBy(kernel: LinuxKernel, symbols: QemuSymbols, unlessLoaded?: bigint): bigint | undefined {
  const text = kernel.names.address('_stext');
  const linked = symbols.addressInSource('_stext') ?? unlessLoaded;
  return text === undefined || linked === undefined ? undefined : text - linked;
}
