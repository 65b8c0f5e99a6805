import type { NamedPlace } from '../../../formats/elf/elf-symbols.ts';
import type { LinuxModule } from '../../../machine/linux.ts';
import type { Structures } from './structures.ts';

const maxModules = 2000;
/** Of all modules together. */
const maxSymbols = 300_000;
const maxNameBytes = 256;
const states = ['live', 'coming', 'going', 'unformed'] as const;
const symbolBytes = 24;
/** Kinds of ELF symbols: data and code, and those without a kind. */
const kinds: ReadonlySet<number> = new Set([0, 1, 2]);

export interface ModuleAt extends LinuxModule {
  readonly address: bigint;
}

/** The last loaded first. */
export async function readModules(s: Structures, modules: bigint): Promise<ModuleAt[]> {
  const found: ModuleAt[] = [];
  for await (const address of s.list(modules, 'module', 'list', maxModules)) found.push(await moduleAt(s, address));
  return found;
}

async function moduleAt(s: Structures, address: bigint): Promise<ModuleAt> {
  // Since Linux 6.4 each kind of memory is one of an array, with code first.
  const base = await s.pointer(address, 'module', 'core_layout.base', 'mem[0].base', 'module_core');
  const size = await s.number(address, 4, 'module', 'core_layout.size', 'mem[0].size', 'core_size');
  const list = await s.pointer(address, 'module', 'kallsyms');
  const symbols = list === 0n ? 0n : await s.number(list, 4, 'mod_kallsyms', 'num_symtab');
  return {
    address,
    name: await s.text(address, 56, 'module', 'name'),
    base,
    bytes: Number(size),
    state: states[Number(await s.number(address, 4, 'module', 'state'))] ?? 'unformed',
    symbols: Number(symbols),
  };
}

/** The symbols that modules brought with them. */
export async function* symbolsOf(
  s: Structures,
  modules: readonly ModuleAt[],
): AsyncGenerator<{ readonly module: ModuleAt; readonly places: readonly NamedPlace[] }> {
  let left = maxSymbols;
  for (const module of modules) {
    const places = left > 0 ? await symbolsOfOne(s, module, left) : [];
    left -= places.length;
    yield { module, places };
  }
}

async function symbolsOfOne(s: Structures, { address }: ModuleAt, most: number): Promise<NamedPlace[]> {
  const list = await s.pointer(address, 'module', 'kallsyms');
  if (list === 0n) return [];
  const table = await s.pointer(list, 'mod_kallsyms', 'symtab');
  const strings = await s.pointer(list, 'mod_kallsyms', 'strtab');
  const count = Math.min(most, Number(await s.number(list, 4, 'mod_kallsyms', 'num_symtab')));
  const places: NamedPlace[] = [];
  for (let n = 0; n < count; n++) {
    const bytes = await s.memory.read(table + BigInt(symbolBytes * n), symbolBytes);
    if (!bytes) break;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const [value, size] = [view.getBigUint64(8, true), view.getBigUint64(16, true)];
    const info = view.getUint8(4);
    if (value === 0n || view.getUint16(6, true) === 0 || !kinds.has(info & 15)) continue;
    const name = await s.memory.text(strings + BigInt(view.getUint32(0, true)), maxNameBytes);
    if (name === undefined || name === '' || name.startsWith('$') || name.startsWith('.L')) continue;
    places.push({ name, address: value, size: Number(size & 0xffffffn), local: info >> 4 === 0 });
  }
  return places;
}
