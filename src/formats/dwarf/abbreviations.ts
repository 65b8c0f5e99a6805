import type { ByteView } from '../elf/byte-view.ts';
import { DwarfCursor } from '../elf/dwarf-cursor.ts';
import { form } from './dwarf-constants.ts';

export interface AttributeForm {
  readonly name: number;
  readonly form: number;
  /** Of a form whose value stands in the table. */
  readonly implicit: number;
}

/** How one sort of entry is written. */
export interface Abbreviation {
  readonly tag: number;
  readonly hasChildren: boolean;
  readonly attributes: readonly AttributeForm[];
}

export type Abbreviations = ReadonlyMap<number, Abbreviation>;

const maxEntries = 100_000;
/** Of one entry: some take no bytes in the entries themselves, so that the file does not limit them. */
const maxAttributes = 500;
const maxAllAttributes = 500_000;

/** The table that a unit's entries refer to. */
export function readAbbreviations(section: ByteView, offset: number): Abbreviations {
  const cursor = new DwarfCursor(section, offset, section.length);
  const table = new Map<number, Abbreviation>();
  let all = 0;
  while (!cursor.done && table.size < maxEntries) {
    const code = cursor.unsigned();
    if (code === 0) break;
    const tag = cursor.unsigned();
    const hasChildren = cursor.u8() !== 0;
    const attributes: AttributeForm[] = [];
    for (;;) {
      const [name, how] = [cursor.unsigned(), cursor.unsigned()];
      const implicit = how === form.implicitConst ? cursor.signed() : 0;
      if (name === 0 && how === 0) break;
      if (attributes.length >= maxAttributes || ++all > maxAllAttributes) throw new RangeError('a table is too large');
      attributes.push({ name, form: how, implicit });
    }
    table.set(code, { tag, hasChildren, attributes });
  }
  return table;
}
