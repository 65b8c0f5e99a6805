import type { Pause } from '../elf/pause.ts';

const magic = 0xeb9f;
const kind = {
  pointer: 2,
  array: 3,
  structure: 4,
  union: 5,
  typedef: 8,
  volatile: 9,
  const: 10,
  restrict: 11,
  tag: 18,
};
const passing: ReadonlySet<number> = new Set([kind.typedef, kind.volatile, kind.const, kind.restrict, kind.tag]);
/** Bytes after the first twelve, and bytes for each of its parts. */
const sizes: Readonly<Record<number, readonly [fixed: number, each: number]>> = {
  1: [4, 0],
  3: [12, 0],
  4: [0, 12],
  5: [0, 12],
  6: [0, 8],
  13: [0, 8],
  14: [4, 0],
  15: [0, 12],
  17: [4, 0],
  19: [0, 12],
};
const lastKind = 19;
const maxTypes = 2_000_000;
const maxDepth = 16;
const maxNameBytes = 256;
/** Members looked at for one path. */
const maxMembers = 200_000;

/** Types of a program in the BPF Type Format, which kernels carry with them. */
export class Btf {
  readonly #view: DataView;
  readonly #strings: number;
  readonly #stringsEnd: number;
  /** By number, where each type begins; number 0 is void. */
  readonly #places: Uint32Array;
  readonly #structures: ReadonlyMap<string, number>;
  #members = 0;

  private constructor(view: DataView, strings: number, end: number, places: Uint32Array, named: Map<string, number>) {
    this.#view = view;
    this.#strings = strings;
    this.#stringsEnd = end;
    this.#places = places;
    this.#structures = named;
  }

  /** Undefined for bytes that are something else, or broken. */
  static async read(bytes: Uint8Array, pause: Pause): Promise<Btf | undefined> {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (bytes.length < 24 || view.getUint16(0, true) !== magic) return undefined;
    const header = view.getUint32(4, true);
    const [types, typeBytes] = [header + view.getUint32(8, true), view.getUint32(12, true)];
    const [strings, stringBytes] = [header + view.getUint32(16, true), view.getUint32(20, true)];
    if (types + typeBytes > bytes.length || strings + stringBytes > bytes.length) return undefined;
    const places = [0];
    for (let at = types; at + 12 <= types + typeBytes; ) {
      const info = view.getUint32(at + 4, true);
      if (((info >>> 24) & 0x1f) > lastKind || places.length > maxTypes) return undefined;
      places.push(at);
      const [fixed, each] = sizes[(info >>> 24) & 0x1f] ?? [0, 0];
      at += 12 + fixed + each * (info & 0xffff);
      if ((places.length & 4095) === 0) await pause();
    }
    const named = new Map<string, number>();
    const btf = new Btf(view, strings, strings + stringBytes, Uint32Array.from(places), named);
    for (let id = 1; id < places.length; id++) {
      if ((id & 4095) === 0) await pause();
      if (!btf.#isStructure(id)) continue;
      const name = btf.#text(view.getUint32(places[id] ?? 0, true));
      if (name !== '' && !named.has(name)) named.set(name, id);
    }
    return btf;
  }

  get size(): number {
    return this.#places.length - 1;
  }

  bytesOf(structure: string): number | undefined {
    const id = this.#structures.get(structure);
    return id === undefined ? undefined : this.#word(id, 8);
  }

  /** Of a member by its path, `tasks.next` or `mem[0].base`, in bytes; members without a name are looked through. */
  offsetOf(structure: string, path: string): number | undefined {
    this.#members = 0;
    let id = this.#structures.get(structure);
    let bits = 0;
    for (const step of path.split(/[.[]/)) {
      if (id === undefined) return undefined;
      const found = step.endsWith(']') ? this.#element(id, Number.parseInt(step, 10)) : this.#member(id, step, 0);
      if (!found) return undefined;
      bits += found.bits;
      id = this.#resolved(found.id);
    }
    return bits / 8;
  }

  #member(id: number, name: string, depth: number): { id: number; bits: number } | undefined {
    if (!this.#isStructure(id) || depth > maxDepth) return undefined;
    const info = this.#word(id, 4);
    const base = (this.#places[id] ?? 0) + 12;
    for (let n = 0; n < (info & 0xffff) && this.#members++ < maxMembers; n++) {
      const at = base + 12 * n;
      const own = this.#text(this.#view.getUint32(at, true));
      const type = this.#view.getUint32(at + 4, true);
      const raw = this.#view.getUint32(at + 8, true);
      const bits = info >>> 31 === 1 ? raw & 0xffffff : raw;
      if (own === name) return { id: type, bits };
      if (own !== '') continue;
      const inner = this.#member(this.#resolved(type), name, depth + 1);
      if (inner) return { id: inner.id, bits: bits + inner.bits };
    }
    return undefined;
  }

  #element(id: number, index: number): { id: number; bits: number } | undefined {
    if (this.#kind(id) !== kind.array || !(index >= 0)) return undefined;
    const element = this.#resolved(this.#word(id, 12));
    return { id: element, bits: 8 * index * this.#bytes(element, 0) };
  }

  #bytes(id: number, depth: number): number {
    if (this.#kind(id) === kind.pointer) return 8;
    if (this.#kind(id) !== kind.array || depth > maxDepth) return this.#word(id, 8);
    return this.#word(id, 20) * this.#bytes(this.#resolved(this.#word(id, 12)), depth + 1);
  }

  /** Behind names and qualifiers. */
  #resolved(id: number): number {
    let at = id;
    for (let depth = 0; depth < maxDepth && passing.has(this.#kind(at)); depth++) at = this.#word(at, 8);
    return at;
  }

  #isStructure(id: number): boolean {
    const what = this.#kind(id);
    return what === kind.structure || what === kind.union;
  }

  #kind(id: number): number {
    return id === 0 || id >= this.#places.length ? 0 : (this.#word(id, 4) >>> 24) & 0x1f;
  }

  #word(id: number, offset: number): number {
    const at = (this.#places[id] ?? 0) + offset;
    return at + 4 <= this.#view.byteLength ? this.#view.getUint32(at, true) : 0;
  }

  #text(offset: number): string {
    const start = this.#strings + offset;
    if (start >= this.#stringsEnd) return '';
    let end = start;
    const last = Math.min(this.#stringsEnd, start + maxNameBytes);
    while (end < last && this.#view.getUint8(end) !== 0) end++;
    return Buffer.from(this.#view.buffer, this.#view.byteOffset + start, Math.max(0, end - start)).toString('latin1');
  }
}
