import { risingOrder } from '../elf/address-order.ts';
import type { Pause } from '../elf/pause.ts';
import { type Abbreviations, readAbbreviations } from './abbreviations.ts';
import { rangesOf } from './address-ranges.ts';
import type { AttributeValue } from './attribute-value.ts';
import { at, tag } from './dwarf-constants.ts';
import type { DwarfSections } from './dwarf-sections.ts';
import { type DwarfEntry, DwarfUnit } from './dwarf-unit.ts';
import { unitHeaders } from './unit-header.ts';

/** Where an entry is: its unit and its offset. */
interface Place {
  readonly unit: DwarfUnit;
  readonly offset: number;
}

interface FunctionPlace extends Place {
  readonly from: bigint;
  readonly to: bigint;
}

const maxNames = 2_000_000;
/** Of the namespaces around something. */
const longestPrefix = 2000;
/** What a file may cost: more than any compiler writes into the largest that is read. */
const maxAttributes = 250_000_000;
const maxTableEntries = 4_000_000;
/** Units whose entries are kept. */
const keptUnits = 16;
const types: ReadonlySet<number> = new Set([
  tag.structureType,
  tag.classType,
  tag.unionType,
  tag.enumerationType,
  tag.typedef,
  tag.baseType,
]);

/** What a file's debug information tells, by name and by address. */
export class DwarfIndex {
  readonly #units: DwarfUnit[] = [];
  readonly #functions: FunctionPlace[] = [];
  readonly #variables = new Map<string, Place>();
  readonly #types = new Map<string, Place>();
  readonly #locals = new Set<string>();
  #recent: DwarfUnit[] = [];
  #attributes = 0;

  /** Reads all units; a broken one ends the reading, and what came before stays. */
  static async read(sections: DwarfSections, pause: Pause): Promise<DwarfIndex> {
    const index = new DwarfIndex();
    const tables = new Map<number, Abbreviations>();
    let tableEntries = 0;
    try {
      for (const header of unitHeaders(sections.info)) {
        await pause();
        if (!header) continue;
        let known = tables.get(header.abbreviations);
        if (!known) {
          known = readAbbreviations(sections.abbrev, header.abbreviations);
          tableEntries += 1 + known.size;
          if (tableEntries > maxTableEntries) break;
          tables.set(header.abbreviations, known);
        }
        await index.#add(new DwarfUnit(header, sections, known), pause);
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    await index.#order(pause);
    return index;
  }

  /** Comparing this many bigints would keep the process busy for seconds. */
  async #order(pause: Pause): Promise<void> {
    const all = this.#functions.splice(0);
    const order = risingOrder(BigUint64Array.from(all, ({ from }) => from));
    for (;;) {
      await pause();
      const { done, value } = order.next();
      if (!done) continue;
      for (const place of value) {
        const next = all[place];
        if (next) this.#functions.push(next);
      }
      return;
    }
  }

  get functions(): number {
    return this.#functions.length;
  }

  /** Whether something anywhere goes by this name, locals included. */
  knows(name: string): boolean {
    return this.#variables.has(name) || this.#locals.has(name);
  }

  /** The function around an address. */
  functionAt(address: bigint): DwarfEntry | undefined {
    let [low, high] = [0, this.#functions.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#functions[middle]?.from ?? 0n) <= address) low = middle + 1;
      else high = middle;
    }
    // Parts of another may lie in between.
    for (let n = low - 1; n >= 0 && n > low - 8; n--) {
      const found = this.#functions[n];
      if (found && address < found.to) return this.#entry(found);
    }
    return undefined;
  }

  variable(name: string): DwarfEntry | undefined {
    return this.#entry(this.#variables.get(name));
  }

  type(name: string): DwarfEntry | undefined {
    return this.#entry(this.#types.get(name));
  }

  /** By its offset in the whole of the information. */
  entry(offset: number): DwarfEntry | undefined {
    let [low, high] = [0, this.#units.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#units[middle]?.header.start ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    const unit = this.#units[low - 1];
    return unit && this.#entry({ unit, offset });
  }

  #entry(place: Place | undefined): DwarfEntry | undefined {
    if (!place) return undefined;
    const { unit, offset } = place;
    if (this.#recent[0] !== unit) {
      this.#recent = [unit, ...this.#recent.filter((each) => each !== unit)];
      for (const old of this.#recent.splice(keptUnits)) old.forget();
    }
    return unit.entry(offset);
  }

  async #add(unit: DwarfUnit, pause: Pause): Promise<void> {
    this.#units.push(unit);
    // Names of the namespaces around, by depth; undefined inside something else.
    const path: (string | undefined)[] = [''];
    /** Full names of what is declared in one place and defined in another. */
    const declared = new Map<number, string>();
    let count = 0;
    for (const { offset, tag: kind, depth, read } of unit.scan()) {
      if ((++count & 15) === 0) await pause();
      const attributes = read();
      this.#attributes += 1 + attributes.size;
      if (this.#attributes > maxAttributes) throw new RangeError('the debug information is too large');
      const prefix = depth === 0 ? '' : path[depth];
      const name = nameIn(attributes);
      const isNamespace = kind === tag.namespace;
      path[depth + 1] = depth === 0 ? '' : isNamespace ? prefixed(prefix, name) : undefined;
      if (kind === tag.subprogram) this.#function(unit, offset, attributes);
      if (kind === tag.variable || kind === tag.formalParameter) {
        if (attributes.has(at.declaration) && prefix !== undefined) declared.set(offset, `${prefix}${name}`);
        const origin = attributes.get(at.specification);
        const full = origin?.type === 'reference' ? declared.get(origin.value) : undefined;
        this.#name({ unit, offset }, prefix, full ?? name, attributes);
      }
      const isDefined = types.has(kind) && !attributes.has(at.declaration) && name !== '' && prefix !== undefined;
      if (isDefined && this.#types.size < maxNames) {
        for (const each of new Set([`${prefix}${name}`, name]))
          if (!this.#types.has(each)) this.#types.set(each, { unit, offset });
      }
    }
  }

  #function(unit: DwarfUnit, offset: number, attributes: ReadonlyMap<number, AttributeValue>): void {
    const entry = { unit, offset, tag: tag.subprogram, attributes, parent: undefined, children: [] };
    // The linker leaves those that it dropped at 0.
    for (const { from, to } of rangesOf(entry)) {
      if (to > from && from !== 0n && this.#functions.length < maxNames)
        this.#functions.push({ unit, offset, from, to });
    }
  }

  #name(place: Place, prefix: string | undefined, name: string, attributes: ReadonlyMap<number, AttributeValue>): void {
    if (name === '') return;
    if (prefix === undefined) {
      if (this.#locals.size < maxNames) this.#locals.add(name);
      return;
    }
    // One without a place was optimised away, and that is worth saying.
    if (attributes.has(at.declaration) || this.#variables.size >= maxNames) return;
    const linked = attributes.get(at.linkageName);
    // Zig's have the names of what they are declared in; others are mangled.
    const dotted = linked?.type === 'text' && linked.value.endsWith(`.${name}`) ? linked.value : undefined;
    const first = dotted?.replace(/\..*$/s, '');
    if (first !== undefined && this.#locals.size < maxNames) this.#locals.add(first);
    for (const each of new Set([`${prefix}${name}`, name, name.replace(/^.*::/, ''), dotted ?? name])) {
      if (!this.#variables.has(each)) this.#variables.set(each, place);
    }
  }
}

function prefixed(prefix: string | undefined, name: string): string | undefined {
  if (prefix === undefined || prefix.length > longestPrefix) return undefined;
  return `${prefix}${name || '(anonymous)'}::`;
}

function nameIn(attributes: ReadonlyMap<number, AttributeValue>): string {
  const value = attributes.get(at.name);
  return value?.type === 'text' ? value.value : '';
}
