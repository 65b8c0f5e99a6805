import { DwarfCursor } from '../elf/dwarf-cursor.ts';
import type { Abbreviations } from './abbreviations.ts';
import { type AttributeValue, type FormContext, readValue } from './attribute-value.ts';
import { at } from './dwarf-constants.ts';
import type { DwarfSections } from './dwarf-sections.ts';
import type { UnitHeader } from './unit-header.ts';

/** Entries that are kept; they can be read again. */
const maxKnown = 50_000;
/** Attributes that are read at once, of one entry with all that is below it. */
const maxBelow = 200_000;

/** An entry with what is below it. */
export interface DwarfEntry {
  readonly unit: DwarfUnit;
  readonly offset: number;
  readonly tag: number;
  readonly attributes: ReadonlyMap<number, AttributeValue>;
  readonly parent: DwarfEntry | undefined;
  readonly children: DwarfEntry[];
}

/** One unit of `.debug_info`, read when it is needed. */
export class DwarfUnit implements FormContext {
  readonly header: UnitHeader;
  readonly sections: DwarfSections;
  readonly #abbreviations: Abbreviations;
  readonly #known = new Map<number, DwarfEntry>();
  #first: ReadonlyMap<number, AttributeValue> = new Map();
  /** Known once the first entry has been read. */
  #bases = { text: 8, address: 8, ranges: 0, locations: 0 };

  constructor(header: UnitHeader, sections: DwarfSections, abbreviations: Abbreviations) {
    this.header = header;
    this.sections = sections;
    this.#abbreviations = abbreviations;
    const wide = header.wideOffsets ? 16 : 8;
    this.#bases = { text: wide, address: wide, ranges: 0, locations: 0 };
    this.#readBases();
  }

  get bases() {
    return this.#bases;
  }

  /** Attributes of the unit itself. */
  get firstEntry(): ReadonlyMap<number, AttributeValue> {
    return this.#first;
  }

  text(section: 'str' | 'lineStr', offset: number): string {
    return this.sections[section].text(offset);
  }

  indexedText(index: number): string {
    const { strOffsets } = this.sections;
    const place = this.#bases.text + index * (this.header.wideOffsets ? 8 : 4);
    const offset = this.header.wideOffsets ? strOffsets.offset64(place) : strOffsets.u32(place);
    return this.sections.str.text(offset);
  }

  indexedAddress(index: number): bigint {
    const { addressBytes } = this.header;
    const place = this.#bases.address + index * addressBytes;
    return addressBytes === 8 ? this.sections.addr.u64(place) : BigInt(this.sections.addr.u32(place));
  }

  /** An entry and what is below it in the order of the file; the whole unit unless told. */
  *scan(
    from = this.header.entries,
  ): Generator<{ offset: number; tag: number; depth: number; read(): ReadonlyMap<number, AttributeValue> }> {
    const cursor = this.#cursor(from);
    let depth = 0;
    while (!cursor.done) {
      const offset = cursor.at;
      const code = cursor.unsigned();
      if (code === 0) {
        if (--depth <= 0) return;
        continue;
      }
      const abbreviation = this.#abbreviations.get(code);
      if (!abbreviation) throw new RangeError('debug information uses an entry that its table lacks');
      let values: Map<number, AttributeValue> | undefined;
      const read = () => {
        if (values) return values;
        values = new Map();
        for (const { name, form, implicit } of abbreviation.attributes) {
          values.set(name, readValue(cursor, form, implicit, this));
        }
        return values;
      };
      yield { offset, tag: abbreviation.tag, depth, read };
      read();
      if (abbreviation.hasChildren) depth++;
      else if (depth === 0) return;
    }
  }

  /** By its offset in `.debug_info`, with what is below it; what is around it is not read. */
  entry(offset: number): DwarfEntry | undefined {
    const known = this.#known.get(offset);
    if (known) return known;
    if (offset < this.header.entries || offset >= this.header.end) return undefined;
    if (this.#known.size > maxKnown) this.forget();
    const path: DwarfEntry[] = [];
    let below = 0;
    for (const each of this.scan(offset)) {
      path.length = each.depth;
      const parent = path[each.depth - 1];
      const { offset: at, tag, read } = each;
      const attributes = read();
      below += 1 + attributes.size;
      if (below > maxBelow) break;
      const entry: DwarfEntry = { unit: this, offset: at, tag, attributes, parent, children: [] };
      parent?.children.push(entry);
      path[each.depth] = entry;
      this.#known.set(at, entry);
    }
    return this.#known.get(offset);
  }

  /** Frees what can be read again. */
  forget(): void {
    this.#known.clear();
  }

  #cursor(from: number): DwarfCursor {
    const { end, wideOffsets } = this.header;
    return new DwarfCursor(this.sections.info, from, end, wideOffsets);
  }

  /** They stand in the first entry, whose own texts may need them: it is read twice. */
  #readBases(): void {
    for (let round = 0; round < 2; round++) {
      const first = this.scan().next().value;
      const values = first?.read();
      this.#first = values ?? new Map();
      const base = (name: number, usual: number) => {
        const found = values?.get(name);
        return found?.type === 'offset' ? found.value : found?.type === 'number' ? Number(found.value) : usual;
      };
      this.#bases = {
        text: base(at.strOffsetsBase, this.#bases.text),
        address: base(at.addrBase, this.#bases.address),
        ranges: base(at.rnglistsBase, this.header.wideOffsets ? 20 : 12),
        locations: base(at.loclistsBase, this.header.wideOffsets ? 20 : 12),
      };
    }
  }
}
