import { hexByte, hexWord } from '../../../formats/hex.ts';
import type {
  Chip,
  ChipNumbers,
  ChipPart,
  ChipPicture,
  ChipReading,
  ChipRegisterReading,
} from '../../../machine/chips.ts';
import type { WritableFields } from './chip-fields.ts';
import type { RegisterName } from './register-names.ts';

type Value = number | string | boolean;

/** What a part of a chip says: values by name in the order they are shown, and perhaps a picture. */
export interface Decoded {
  readonly values: Readonly<Record<string, Value>>;
  readonly numbers?: ChipNumbers;
  readonly registers?: readonly ChipRegisterReading[];
  readonly picture?: ChipPicture;
}

export interface DecodedPart {
  readonly name: string;
  readonly count: number;
  readonly description: string;
  readonly hasPicture?: boolean;
  decode(index: number): Decoded;
  /** What can be written, of the one with this index. */
  fields?(index: number): WritableFields;
}

/** A chip whose parts are made of functions that decode them. */
export class DecodedChip implements Chip {
  readonly name: string;
  readonly description: string;
  readonly #parts: readonly DecodedPart[];

  constructor(name: string, description: string, parts: readonly DecodedPart[]) {
    this.name = name;
    this.description = description;
    this.#parts = parts;
  }

  get parts(): readonly ChipPart[] {
    return this.#parts.map(({ name, count, description, hasPicture = false, fields }) => ({
      name,
      count,
      description,
      hasPicture,
      ...(fields && { writable: Object.keys(fields(0)) }),
    }));
  }

  async read(part: string, index: number): Promise<ChipReading> {
    const found = this.#parts.find(({ name }) => name === part);
    if (!found || index < 0 || index >= found.count) throw new RangeError(`${part} ${index}`);
    const decoded = found.decode(index);
    const lines = Object.entries(decoded.values).map(([name, value]) => `${name}: ${shown(value)}`);
    return { ...decoded, lines };
  }

  /** What can be written of a part; undefined if nothing can. */
  fields(part: string, index: number): WritableFields | undefined {
    return this.#parts.find(({ name }) => name === part)?.fields?.(index);
  }
}

function shown(value: Value): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

/** The names whose bits are set, from bit 0 on. */
export function flagNames(names: readonly string[], bits: number): string {
  return names.filter((_, index) => ((bits >> index) & 1) !== 0).join(', ') || 'none';
}

/** Every register with its name and what it reads as. */
export function registerReadings(
  first: number,
  names: readonly RegisterName[],
  peek: (register: number) => number,
): readonly ChipRegisterReading[] {
  return names.map(({ name, description }, index) => ({
    address: first + index,
    name,
    value: peek(index),
    description,
  }));
}

/** All registers as they read, `first` being the address of register 0; eight in a line. */
export function registerRows(first: number, count: number, peek: (register: number) => number): Record<string, string> {
  const rows: Record<string, string> = {};
  for (let at = 0; at < count; at += 8) {
    const length = Math.min(8, count - at);
    rows[hexWord(first + at)] = Array.from({ length }, (_, index) => hexByte(peek(at + index)).slice(1)).join(' ');
  }
  return rows;
}
