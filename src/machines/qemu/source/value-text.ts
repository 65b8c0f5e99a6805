import { encoding } from '../../../formats/dwarf/dwarf-constants.ts';
import type { DwarfType } from '../../../formats/dwarf/dwarf-types.ts';
import { lowerHex } from '../../../formats/hex.ts';
import { MachineError } from '../../../machine/errors.ts';
import { bytesOf, type MemoryReader, memberOf, numberOf, part, type TypedValue, variantOf } from './typed-value.ts';
import { type ZigShape, zigShape } from './zig-shape.ts';

const maxItems = 32;
const maxMembers = 64;
const maxText = 200;
const maxChars = 6000;
/** Values that are looked at, whatever becomes of them: a structure of a broken file may contain itself. */
const maxValues = 4000;

interface Names {
  /** What lies at an address, if it begins there or nearly. */
  nameOf(address: bigint): string | undefined;
}

/** Values as people write them: structures in braces, texts in quotes, pointers with what they lead to. */
export class ValueWriter {
  readonly #reader: MemoryReader;
  readonly #names: Names;
  #chars = 0;
  #values = 0;

  constructor(reader: MemoryReader, names: Names) {
    this.#reader = reader;
    this.#names = names;
  }

  /** `depth` is how far structures inside structures are shown. */
  async text(value: TypedValue, depth: number): Promise<string> {
    try {
      const text = await this.#text(value, depth);
      this.#chars += text.length;
      return text;
    } catch (error) {
      if (error instanceof MachineError && error.type === 'ADDRESS_OUT_OF_BOUNDS') return '(cannot be read)';
      throw error;
    }
  }

  async #text(value: TypedValue, depth: number): Promise<string> {
    const { type } = value;
    if (this.#chars > maxChars || ++this.#values > maxValues) return '…';
    switch (type.kind) {
      case 'base':
        return isZigError(type) ? this.#error(value) : this.#base(value, type.encoding, type.bytes);
      case 'enumeration': {
        const number = await numberOf(value, this.#reader);
        const found = type.values.find(([, each]) => BigInt.asUintN(8 * type.bytes, each) === number);
        return found ? `${found[0]} (${number})` : `${number}`;
      }
      case 'pointer':
        return this.#pointer(value, type.target, depth);
      case 'array':
        return this.#array(value, type.element, type.count, depth);
      case 'structure':
        return this.#structure(value, depth);
      default:
        return value.address === undefined ? type.name : this.#address(value.address);
    }
  }

  async #base(value: TypedValue, kind: number, bytes: number): Promise<string> {
    if (kind === encoding.float) return this.#float(await bytesOf(value, this.#reader));
    const number = await numberOf(value, this.#reader);
    if (kind === encoding.boolean) return number === 0n ? 'false' : number === 1n ? 'true' : `true (${number})`;
    const isLetter =
      kind === encoding.utf || (bytes === 1 && (kind === encoding.signedChar || kind === encoding.unsignedChar));
    const printable = number >= 0x20n && number < 0x7fn;
    if (isLetter && printable) return `${number} '${String.fromCodePoint(Number(number))}'`;
    return number >= 4096n || number <= -4096n
      ? `${number} (0x${lowerHex(BigInt.asUintN(8 * bytes, number))})`
      : `${number}`;
  }

  #float(bytes: Uint8Array): string {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const little = !this.#reader.bigEndian;
    if (bytes.length === 4) return `${view.getFloat32(0, little)}`;
    return bytes.length === 8 ? `${view.getFloat64(0, little)}` : `0x${Buffer.from(bytes).toString('hex')}`;
  }

  async #pointer(value: TypedValue, target: DwarfType, depth: number): Promise<string> {
    const address = await numberOf(value, this.#reader);
    const shown = this.#address(address);
    if (address === 0n || !(isLetterType(target) || isZigText(value.type.name))) {
      const isReference = value.type.kind === 'pointer' && value.type.isReference;
      if (!isReference || depth <= 0 || address === 0n) return shown;
      return `${shown}: ${await this.text({ type: target, address }, depth - 1)}`;
    }
    const text = await this.#string(address);
    return text === undefined ? shown : `${shown} ${text}`;
  }

  #address(address: bigint): string {
    const name = this.#names.nameOf(address);
    return `0x${lowerHex(address)}${name === undefined ? '' : ` <${name}>`}`;
  }

  /** Up to its zero. */
  async #string(address: bigint): Promise<string | undefined> {
    const bytes = (await this.#reader.read(address, maxText)) ?? (await this.#reader.read(address, 16));
    return bytes && quoted(bytes, maxText);
  }

  async #array(value: TypedValue, element: DwarfType, count: number, depth: number): Promise<string> {
    if (isLetterType(element)) return quoted(await bytesOf(value, this.#reader, 4 * maxText), maxText);
    if (depth <= 0) return '[…]';
    const items: string[] = [];
    const size = element.bytes;
    for (let n = 0; n < Math.min(count, maxItems); n++) {
      items.push(await this.text(part(value, { name: '', offset: n * size, type: element }), depth - 1));
    }
    return `[${joinedItems(items)}${count > maxItems ? `, … ${count - maxItems} more` : ''}]`;
  }

  async #structure(value: TypedValue, depth: number): Promise<string> {
    const { type } = value;
    if (type.kind !== 'structure') return '';
    const slice = await this.#slice(value, depth);
    if (slice !== undefined) return slice;
    const zig = zigShape(type);
    if (zig) return this.#zig(value, zig, depth);
    if (depth <= 0) return '{…}';
    const fields: string[] = [];
    for (const member of type.members.slice(0, maxMembers)) {
      if (this.#values > maxValues) break;
      const text = await this.text(part(value, member), depth - (member.name === '' ? 0 : 1));
      fields.push(
        member.name === '' ? (member.isBase ? `<${member.type.name}> ${text}` : text) : `${member.name} = ${text}`,
      );
    }
    const variant = await this.#variant(value, depth);
    if (variant !== undefined) fields.push(variant);
    return `{${fields.join(', ')}${type.members.length > maxMembers ? ', …' : ''}}`;
  }

  /** Of an enumeration with contents: the one that is there. */
  async #variant(value: TypedValue, depth: number): Promise<string | undefined> {
    const found = await variantOf(value, this.#reader);
    if (!found) return undefined;
    const text = await this.text(part(value, found), depth);
    return text === '{}' ? found.name : `${found.name} ${text}`;
  }

  async #zig(value: TypedValue, shape: ZigShape, depth: number): Promise<string> {
    if (shape.kind === 'optional') {
      const isThere = (await numberOf(part(value, shape.some), this.#reader)) !== 0n;
      return isThere ? this.text(part(value, shape.value), depth) : 'null';
    }
    if (shape.kind === 'result') {
      const failed = (await numberOf(part(value, shape.error), this.#reader)) !== 0n;
      return failed ? this.#error(part(value, shape.error)) : this.text(part(value, shape.value), depth);
    }
    const { tag, payload } = shape;
    const name = (await this.text(part(value, tag), 0)).replace(/ \(\d+\)$/, '');
    const inner =
      payload.type.kind === 'structure' ? payload.type.members.find((each) => each.name === name) : undefined;
    if (!inner) return `{${name}}`;
    return depth <= 0 ? '{…}' : `{${name} = ${await this.text(part(part(value, payload), inner), depth - 1)}}`;
  }

  /** An error of Zig: by its name where the file has names. */
  async #error(value: TypedValue): Promise<string> {
    const number = await numberOf(value, this.#reader);
    if (number === 0n) return 'no error';
    const { type } = value;
    const known = type.kind === 'enumeration' ? type.values.find(([, each]) => each === number)?.[0] : undefined;
    return known === undefined ? `error ${number}` : `error.${known}`;
  }

  /** A pointer and a length, as Rust and Zig keep texts and parts of arrays. */
  async #slice(value: TypedValue, depth: number): Promise<string | undefined> {
    const pointer = memberOf(value, 'data_ptr') ?? memberOf(value, 'ptr');
    const length = memberOf(value, 'length') ?? memberOf(value, 'len');
    const isSlice = value.type.kind === 'structure' && value.type.members.length === 2;
    if (!isSlice || !pointer || !length || pointer.type.kind !== 'pointer') return undefined;
    const element = pointer.type.target;
    const count = Number(await numberOf(length, this.#reader));
    const address = await numberOf(pointer, this.#reader);
    if (value.type.name === '&str' || isZigText(value.type.name)) {
      const bytes = await this.#reader.read(address, Math.min(count, maxText));
      const text = bytes && Buffer.from(bytes).toString('utf8');
      // Zig has no type for text: bytes that are none stay numbers.
      if (text !== undefined && (value.type.name === '&str' || !/[^\P{C}\t\n\r]|\ufffd/u.test(text)))
        return `${JSON.stringify(text)}${count > maxText ? '…' : ''}`;
    }
    if (!Number.isSafeInteger(count)) return undefined;
    return `${count} at ${this.#address(address)}: ${await this.#array({ type: element, address }, element, count, depth)}`;
  }
}

/** `[]const u8`, `[:0]const u8`, `[*:0]const u8`. */
function isZigText(name: string): boolean {
  return /^\[(?:\*?:0)?\](?:const )?u8$/.test(name);
}

function isZigError(type: DwarfType): boolean {
  return type.name === 'anyerror' || type.name.startsWith('error{');
}

function isLetterType(type: DwarfType): boolean {
  return (
    type.kind === 'base' &&
    type.bytes === 1 &&
    (type.encoding === encoding.signedChar || (type.encoding === encoding.unsignedChar && /char/.test(type.name)))
  );
}

function quoted(bytes: Uint8Array, most: number): string {
  const zero = bytes.indexOf(0);
  const end = zero < 0 ? bytes.length : zero;
  const shown = Buffer.from(bytes.subarray(0, Math.min(end, most)))
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]/g, '?');
  return `${JSON.stringify(shown)}${end > most || zero < 0 ? '…' : ''}`;
}

/** The same many times in a row is said once. */
function joinedItems(items: readonly string[]): string {
  const runs: { text: string; times: number }[] = [];
  for (const text of items) {
    const last = runs.at(-1);
    if (last?.text === text) last.times++;
    else runs.push({ text, times: 1 });
  }
  return runs
    .map(({ text, times }) => (times > 3 ? `${text} (${times} times)` : Array(times).fill(text).join(', ')))
    .join(', ');
}
