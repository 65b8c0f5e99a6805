import type { Chip, ChipPart, ChipPicture, ChipReading } from '../../../machine/chips.ts';

type Value = number | string | boolean;

/** What a part of a chip says: values by name in the order they are shown, and perhaps a picture. */
export interface Decoded {
  readonly values: Readonly<Record<string, Value>>;
  readonly picture?: ChipPicture;
}

export interface DecodedPart {
  readonly name: string;
  readonly count: number;
  readonly description: string;
  readonly hasPicture?: boolean;
  decode(index: number): Decoded;
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
    return this.#parts.map(({ name, count, description, hasPicture = false }) => ({
      name,
      count,
      description,
      hasPicture,
    }));
  }

  async read(part: string, index: number): Promise<ChipReading> {
    const found = this.#parts.find(({ name }) => name === part);
    if (!found || index < 0 || index >= found.count) throw new RangeError(`${part} ${index}`);
    const { values, picture } = found.decode(index);
    const lines = Object.entries(values).map(([name, value]) => `${name}: ${shown(value)}`);
    return picture ? { lines, values, picture } : { lines, values };
  }
}

function shown(value: Value): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

export function hexByte(value: number): string {
  return `$${value.toString(16).toUpperCase().padStart(2, '0')}`;
}

export function hexWord(value: number): string {
  return `$${value.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The names whose bits are set, from bit 0 on. */
export function flagNames(names: readonly string[], bits: number): string {
  return names.filter((_, index) => ((bits >> index) & 1) !== 0).join(', ') || 'none';
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
