import { generalNames, segmentNames } from '../../../chips/x86/registers.ts';
import { type AddressRegister, ExpressionReader, type Scope, type Sum } from './expression.ts';
import { SourceError } from './source-error.ts';
import type { Token } from './tokens.ts';

/** Memory as it is written: `word [es:bx+si+4]`. */
export interface MemoryOperand {
  readonly kind: 'memory';
  /** In bytes, where it is said. */
  readonly size: number | undefined;
  readonly override: number;
  readonly address: Sum;
  readonly far: boolean;
  /** A register times 2 stays that, and is not written as twice the register. */
  readonly nosplit: boolean;
}

export type WrittenOperand =
  | { readonly kind: 'register'; readonly width: 8 | 16 | 32; readonly index: number }
  | { readonly kind: 'segment' | 'control' | 'debug' | 'test' | 'stack'; readonly index: number }
  | MemoryOperand
  | {
      readonly kind: 'value';
      readonly value: number;
      readonly size: number | undefined;
      readonly reach: 'short' | 'near' | undefined;
      readonly strict: boolean;
    }
  | { readonly kind: 'far'; readonly segment: number; readonly offset: number; readonly size: number | undefined };

const sizes: ReadonlyMap<string, number> = new Map(
  Object.entries({ byte: 1, word: 2, dword: 4, qword: 8, tword: 10, tbyte: 10 }),
);

const named = new Map<string, WrittenOperand>([
  ...([8, 16, 32] as const).flatMap((width) =>
    generalNames[width].map((name, index): [string, WrittenOperand] => [name, { kind: 'register', width, index }]),
  ),
  ...segmentNames.map((name, index): [string, WrittenOperand] => [name, { kind: 'segment', index }]),
  ...[0, 2, 3].map((index): [string, WrittenOperand] => [`cr${index}`, { kind: 'control', index }]),
  ...[0, 1, 2, 3, 6, 7].map((index): [string, WrittenOperand] => [`dr${index}`, { kind: 'debug', index }]),
  ...[6, 7].map((index): [string, WrittenOperand] => [`tr${index}`, { kind: 'test', index }]),
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((index): [string, WrittenOperand] => [`st${index}`, { kind: 'stack', index }]),
  ['st', { kind: 'stack', index: 0 }],
]);

/** True for words that mean something to the assembler and so cannot be labels. */
export function isReserved(name: string): boolean {
  const lower = name.toLowerCase();
  return named.has(lower) || sizes.has(lower) || ['short', 'near', 'far', 'strict', 'nosplit', 'ptr'].includes(lower);
}

/** The operands after a mnemonic, separated by commas. */
export function readOperands(tokens: readonly Token[], at: number, scope: Scope): readonly WrittenOperand[] {
  const reader = new ExpressionReader(tokens, at, scope);
  const operands: WrittenOperand[] = [];
  if (reader.next === undefined) return operands;
  do operands.push(readOperand(reader));
  while (reader.takes(','));
  if (reader.next) throw new SourceError(`"${reader.next.text}" is not expected here.`);
  return operands;
}

function readOperand(reader: ExpressionReader): WrittenOperand {
  let size: number | undefined;
  let reach: 'short' | 'near' | undefined;
  let far = false;
  let strict = false;
  for (let word = wordAt(reader); ; word = wordAt(reader)) {
    if (word === 'ptr') throw new SourceError('NASM has no PTR: write word [x], not word ptr [x].');
    if (word === 'offset')
      throw new SourceError('NASM has no OFFSET: the name alone is the address, [name] the memory.');
    const given = word === undefined ? undefined : sizes.get(word);
    if (given !== undefined) size = given;
    else if (word === 'short' || word === 'near') reach = word;
    else if (word === 'far') far = true;
    else if (word === 'strict') strict = true;
    else break;
    reader.at += 1;
  }
  const word = wordAt(reader);
  const known = word === undefined ? undefined : named.get(word);
  if (known) {
    reader.at += 1;
    if (reader.next?.text === ':') throw new SourceError(`NASM writes the segment inside: [${word}:bx].`);
    if (size !== undefined && known.kind === 'register' && known.width !== size * 8) {
      throw new SourceError(`${word} has ${known.width} bits: leave its size out.`);
    }
    return known;
  }
  if (reader.takes('[')) return readMemory(reader, size, far);
  const value = reader.constant();
  if (!reader.takes(':')) return { kind: 'value', value, size, reach, strict };
  return { kind: 'far', segment: value, offset: reader.constant(), size };
}

function readMemory(reader: ExpressionReader, size: number | undefined, far: boolean): MemoryOperand {
  const nosplit = wordAt(reader) === 'nosplit';
  if (nosplit) reader.at += 1;
  const word = wordAt(reader);
  if (word !== undefined && sizes.has(word)) throw new SourceError(`Write ${word} before the bracket: ${word} [bx].`);
  const override = word === undefined ? -1 : (segmentNames as readonly string[]).indexOf(word);
  if (override >= 0) {
    reader.at += 1;
    reader.expect(':');
  }
  const address = reader.sum();
  reader.expect(']');
  return { kind: 'memory', size, override, address, far, nosplit };
}

function wordAt({ next }: ExpressionReader): string | undefined {
  return next?.kind === 'name' ? next.text.toLowerCase() : undefined;
}

/** The registers of an address, each once, those with a factor last. */
export function addressRegisters({ registers }: Sum): readonly { register: AddressRegister; factor: number }[] {
  const found: { register: AddressRegister; factor: number }[] = [];
  for (const { register, factor } of registers) {
    const same = found.find(({ register: { width, index } }) => width === register.width && index === register.index);
    if (same) same.factor += factor;
    else found.push({ register, factor });
  }
  return found.filter(({ factor }) => factor !== 0).sort((a, b) => a.factor - b.factor);
}
