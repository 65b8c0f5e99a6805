import { NotMangled } from './mangled-text.ts';
import type { RustReader } from './rust-v0.ts';

const numbers = /[ahijlmnostxy]/;

/** The value of a const parameter. */
export function rustConstant(reader: RustReader): string {
  return reader.source.nested(() => constant(reader));
}

function constant(reader: RustReader): string {
  const { source } = reader;
  const type = source.next();
  if (type === 'B') return reader.back(() => rustConstant(reader));
  if (type === 'p') return '_';
  const digits = () => {
    const found = source.match(/n?[0-9a-f]{0,64}/y);
    source.expect('_');
    const value = BigInt(`0x${found.replace('n', '') || '0'}`);
    return found.startsWith('n') ? -value : value;
  };
  if (numbers.test(type)) return String(digits());
  if (type === 'b') return digits() === 0n ? 'false' : 'true';
  if (type === 'c') return character(digits());
  throw new NotMangled('a constant of a sort that is not known');
}

function character(point: bigint): string {
  if (point < 0n || point > 0x10ffffn) throw new NotMangled('no such character');
  const text = String.fromCodePoint(Number(point));
  return point < 0x20n || point === 0x7fn ? `'\\u{${point.toString(16)}}'` : `'${text}'`;
}
