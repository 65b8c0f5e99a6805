import type { Form } from '../../../chips/x86/forms.ts';
import type { Model } from '../../../chips/x86/models.ts';
import { type Effort, effortOf } from './effort.ts';
import { encode, formsOf, requireMnemonic } from './encode.ts';
import { little } from './encode-address.ts';
import { ExpressionReader, type Scope } from './expression.ts';
import { literalData } from './literal-data.ts';
import type { Bits } from './mnemonics.ts';
import { isReserved, readOperands } from './operand.ts';
import { SourceError } from './source-error.ts';
import type { Statement } from './statement.ts';
import { type Token, textBytes } from './tokens.ts';

const sections = ['.text', '.data', '.bss'] as const;
type Section = (typeof sections)[number];

/** What fits into a COM file's segment, the prefix and some stack left out. */
const mostBytes = 0x10000 - 0x100 - 0x100;
/** What it takes to try the encodings of an instruction. */
const effortOfInstruction = 20;
const bytesPerEffort = 16;
const mostPrefixes = 4;
const sectionAlignment = 4;
export const comOrigin = 0x100;
const dataSizes: Readonly<Record<string, number>> = { b: 1, w: 2, d: 4, q: 8 };
const prefixes: ReadonlyMap<string, number> = new Map(
  Object.entries({
    lock: 0xf0,
    rep: 0xf3,
    repe: 0xf3,
    repz: 0xf3,
    repne: 0xf2,
    repnz: 0xf2,
    es: 0x26,
    cs: 0x2e,
    ss: 0x36,
    ds: 0x3e,
    fs: 0x64,
    gs: 0x65,
  }),
);
/** Sizes of operands and addresses that are said before an instruction. */
const sizePrefixes: ReadonlyMap<string, { readonly bits: Bits; readonly byte: number }> = new Map(
  Object.entries({
    o16: { bits: 16, byte: 0x66 },
    o32: { bits: 32, byte: 0x66 },
    a16: { bits: 16, byte: 0x67 },
    a32: { bits: 32, byte: 0x67 },
  } as const),
);
/** Processors that a source may say it is for, by model. */
const processors: readonly (readonly [name: string, model: Model])[] = [
  ['8086', '8086'],
  ['186', '80186'],
  ['286', '80286'],
  ['386', '80386'],
  ['486', '486'],
];

/** Runs over the statements again and again until no label moves. */
export class Assembler {
  readonly #statements: readonly Statement[];
  readonly #model: Model;
  readonly #forms: ReadonlyMap<string, readonly Form[]>;
  readonly #symbols = new Map<string, number>();
  /** Lengths of the instructions so far, by statement. */
  readonly #lengths = new Map<Statement, number>();
  /** What follows `times`, by its statement. */
  readonly #repeated = new Map<Statement, Statement>();
  readonly #bases = new Map<Section, number>();
  readonly #sizes = new Map<Section, number>();
  #bytes = new Map<Section, number[]>();
  #defined = new Set<string>();
  #section: Section = '.text';
  #parent = '';
  #bits: Bits = 16;
  #changed = false;
  readonly #effort: Effort;
  origin = comOrigin;

  constructor(statements: readonly Statement[], model: Model, effort: Effort) {
    this.#statements = statements;
    this.#effort = effort;
    this.#model = model;
    this.#forms = formsOf(model);
  }

  get symbols(): ReadonlyMap<string, number> {
    return this.#symbols;
  }

  /** True when nothing has moved since the last one. */
  pass(fail: (line: number, error: unknown) => void): boolean {
    this.#begin();
    for (const statement of this.#statements) {
      try {
        this.#do(statement);
      } catch (error) {
        fail(statement.line, error);
      }
    }
    return !this.#place() && !this.#changed;
  }

  /** The sections that have bytes, one after the other. */
  image(): Uint8Array {
    const text = this.#bytes.get('.text') ?? [];
    const data = this.#bytes.get('.data') ?? [];
    const gap = data.length === 0 ? 0 : (this.#bases.get('.data') ?? 0) - this.origin - text.length;
    return Uint8Array.from([...text, ...new Array<number>(Math.max(0, gap)).fill(0), ...data]);
  }

  #begin(): void {
    this.#bytes = new Map(sections.map((name) => [name, []]));
    this.#sizes.clear();
    this.#defined = new Set();
    this.#section = '.text';
    this.#parent = '';
    this.#bits = 16;
    this.#changed = false;
  }

  /** Puts the sections one after the other; true if one has moved. */
  #place(): boolean {
    let next = this.origin;
    let moved = false;
    for (const name of sections) {
      if (name !== '.text') next = Math.ceil(next / sectionAlignment) * sectionAlignment;
      moved ||= this.#bases.get(name) !== next;
      this.#bases.set(name, next);
      next += this.#size(name);
    }
    return moved;
  }

  #size(section: Section): number {
    return (this.#bytes.get(section)?.length ?? 0) + (this.#sizes.get(section) ?? 0);
  }

  get #here(): number {
    return (this.#bases.get(this.#section) ?? this.origin) + this.#size(this.#section);
  }

  get #scope(): Scope {
    return {
      here: this.#here,
      sectionStart: this.#bases.get(this.#section) ?? this.origin,
      value: (name) => {
        const value = this.#symbols.get(this.#fullName(name));
        if (value !== undefined) return value;
        throw new SourceError(`${name} is not defined.`);
      },
    };
  }

  /** Labels that begin with a dot belong to the one before them. */
  #fullName(name: string): string {
    return name.startsWith('.') ? `${this.#parent}${name}` : name;
  }

  #do(statement: Statement): void {
    const { label, word } = statement;
    this.#effort.spend(statement.effort);
    if (label !== undefined && word !== 'equ') this.#define(label, this.#here);
    if (word === '') return;
    if (word === 'equ') this.#define(label ?? '', this.#reader(statement).constant());
    else if (word === 'times') this.#times(statement);
    else if (!this.#directive(statement)) this.#instruction(statement);
  }

  #define(name: string, value: number): void {
    if (name === '') throw new SourceError('equ needs a name before it.');
    if (isReserved(name)) throw new SourceError(`${name} cannot be a label.`);
    const full = this.#fullName(name);
    if (this.#defined.has(full)) throw new SourceError(`${name} is defined twice.`);
    this.#defined.add(full);
    if (!name.startsWith('.')) this.#parent = name;
    if (this.#symbols.get(full) === value) return;
    this.#symbols.set(full, value);
    this.#changed = true;
  }

  #times(statement: Statement): void {
    const reader = this.#reader(statement);
    const count = reader.constant();
    if (count < 0 || count > mostBytes) throw new SourceError(`times ${count}: from 0 to ${mostBytes}.`);
    this.#repeat(statement, count, statement.tokens.slice(reader.at));
  }

  #repeat(statement: Statement, count: number, [word, ...tokens]: readonly Token[]): void {
    if (word?.kind !== 'name')
      throw new SourceError(`${statement.word} takes a number and an instruction: times 5 nop, align 4, db 0.`);
    const name = word.text.toLowerCase();
    if (name === 'times' || name === 'equ' || name === 'align') throw new SourceError(`${name} cannot be repeated.`);
    const repeated = this.#repeated.get(statement) ?? {
      line: statement.line,
      label: undefined,
      word: name,
      tokens,
      effort: effortOf(tokens),
    };
    this.#repeated.set(statement, repeated);
    for (let index = 0; index < count; index++) this.#do(repeated);
  }

  /** False for what is no directive. */
  #directive(statement: Statement): boolean {
    const { word, tokens } = statement;
    const [, kind, size = ''] = /^(d|res)([bwdq])$/.exec(word) ?? [];
    if (kind === 'd') this.#data(statement, dataSizes[size] ?? 1);
    else if (kind === 'res') this.#reserve(this.#reader(statement).constant() * (dataSizes[size] ?? 1));
    else if (word === 'org') this.#setOrigin(this.#reader(statement).constant());
    else if (word === 'align' || word === 'alignb') this.#align(statement);
    else if (word === 'section' || word === 'segment') this.#enter(onlyToken(statement));
    else if (word === 'bits') this.#setBits(onlyToken(statement));
    else if (word === 'use16' || word === 'use32') this.#setBits(word.slice(3));
    else if (word === 'global') this.#checkGlobals(tokens);
    else if (word === 'cpu') this.#checkProcessor(onlyToken(statement));
    else return false;
    return true;
  }

  /** Every label of a COM file is known to `symbols`: what is left to do is to find those that are not there. */
  #checkGlobals(tokens: Statement['tokens']): void {
    for (let at = 0; at < Math.max(1, tokens.length); at += 2) {
      const name = tokens[at];
      if (name?.kind !== 'name') throw new SourceError('global takes labels: global start, table.');
      if (!this.#symbols.has(this.#fullName(name.text))) throw new SourceError(`global ${name.text}: no such label.`);
      const comma = tokens[at + 1];
      if (comma && (comma.text !== ',' || !tokens[at + 2])) {
        throw new SourceError(`"${comma.text}" is not expected here: global takes labels, with commas between them.`);
      }
    }
  }

  /** It says what is so anyway: the machine's processor decides which instructions there are. */
  #checkProcessor(name: string): void {
    const place = processors.findIndex(([each]) => each === name);
    const most = processors.findIndex(([, model]) => model === this.#model);
    if (place >= 0 && place <= most) return;
    const known = processors.slice(0, most + 1).map(([each]) => each);
    throw new SourceError(
      `cpu ${name}: this machine's processor is ${this.#model}; a source may say ${known.join(', ')}.`,
    );
  }

  #setBits(text: string): void {
    if (text !== '16' && text !== '32') throw new SourceError(`bits ${text}: code has 16 or 32 bits here.`);
    this.#bits = text === '16' ? 16 : 32;
  }

  #setOrigin(origin: number): void {
    if (origin < 0 || origin > 0xffff) throw new SourceError(`org ${origin}: from 0 to 0xFFFF.`);
    this.#changed ||= origin !== this.origin;
    this.origin = origin;
  }

  #enter(name: string): void {
    const found = sections.find((section) => section === name.toLowerCase());
    if (!found) throw new SourceError(`There is no section ${name}: ${sections.join(', ')} are known.`);
    this.#section = found;
  }

  #align(statement: Statement): void {
    const reader = this.#reader(statement);
    const to = reader.constant();
    if (to < 1 || to > 0x1000 || (to & (to - 1)) !== 0) throw new SourceError('align takes a power of two up to 4096.');
    const count = (to - (this.#here % to)) % to;
    if (reader.takes(',')) this.#repeat(statement, count, statement.tokens.slice(reader.at));
    else if (reader.next) throw new SourceError(`"${reader.next.text}" is not expected here.`);
    else if (this.#section === '.bss') this.#reserve(count);
    else this.#emit(new Array<number>(count).fill(this.#section === '.text' ? 0x90 : 0));
  }

  #reserve(count: number): void {
    if (count < 0 || count > mostBytes) throw new SourceError(`res takes from 0 to ${mostBytes} bytes.`);
    if (this.#section === '.bss') this.#sizes.set('.bss', (this.#sizes.get('.bss') ?? 0) + count);
    else this.#emit(new Array<number>(count).fill(0));
    if (this.#size('.bss') > mostBytes) throw new SourceError('The program does not fit into 64 KiB.');
  }

  #data(statement: Statement, size: number): void {
    const reader = this.#reader(statement);
    do {
      const literal = literalData(statement.tokens, reader.at, size);
      const { next } = reader;
      const following = statement.tokens[reader.at + 1];
      const alone = following === undefined || (following.kind === 'sign' && following.text === ',');
      if (literal) {
        reader.at += literal.tokens;
        this.#emit(literal.bytes);
      } else if (next?.kind === 'text' && alone) {
        reader.at += 1;
        const bytes = textBytes(next.text);
        this.#emit([...bytes, ...new Array<number>((size - (bytes.length % size)) % size).fill(0)]);
      } else {
        const value = reader.constant();
        if (value < -(2 ** (size * 8)) || value >= 2 ** (size * 8)) {
          throw new SourceError(`${value} does not fit into ${size === 1 ? '1 byte' : `${size} bytes`}.`);
        }
        if (!Number.isSafeInteger(value)) throw new SourceError('A number of more than 53 bits can only stand alone.');
        this.#emit(little(value, size));
      }
    } while (reader.takes(','));
    if (reader.next) throw new SourceError(`"${reader.next.text}" is not expected here.`);
  }

  #instruction(statement: Statement): void {
    const given: number[] = [];
    let { word, tokens } = statement;
    this.#effort.spend(effortOfInstruction);
    for (;;) {
      const size = sizePrefixes.get(word);
      const prefix = size === undefined ? prefixes.get(word) : size.byte;
      if (prefix === undefined || (tokens[0] && tokens[0].kind !== 'name')) break;
      if (given.length === mostPrefixes) throw new SourceError(`More than ${mostPrefixes} prefixes.`);
      if (size?.bits !== this.#bits) given.push(prefix);
      // For the instruction of the next line.
      if (!tokens[0]) {
        this.#emit(given);
        return;
      }
      word = tokens[0].text.toLowerCase();
      tokens = tokens.slice(1);
    }
    const least = this.#lengths.get(statement) ?? 0;
    try {
      const bits = this.#bits;
      requireMnemonic(word, bits, this.#forms);
      const operands = readOperands(tokens, 0, this.#scope);
      const address = this.#here;
      const bytes = encode({ mnemonic: word, prefixes: given, operands, address, bits, least }, this.#forms);
      this.#lengths.set(statement, Math.max(least, bytes.length - given.length));
      this.#emit(bytes);
    } catch (error) {
      // What follows stays where it was.
      if (error instanceof SourceError && least > 0) this.#emit(new Array<number>(given.length + least).fill(0));
      throw error;
    }
  }

  #emit(bytes: readonly number[]): void {
    if (this.#section === '.bss') throw new SourceError('.bss has room only: use resb, resw or resd there.');
    const section = this.#bytes.get(this.#section) as number[];
    if (section.length + bytes.length > mostBytes) throw new SourceError('The program does not fit into 64 KiB.');
    this.#effort.spend(bytes.length / bytesPerEffort);
    for (const byte of bytes) section.push(byte);
  }

  #reader({ tokens }: Statement): ExpressionReader {
    return new ExpressionReader(tokens, 0, this.#scope);
  }
}

/** What stands after a directive that takes one word. */
function onlyToken({ word, tokens }: Statement): string {
  const [first, second] = tokens;
  if (!second) return first?.text ?? '';
  const why =
    word === 'section' || word === 'segment' ? ' Sections lie one after the other, each at a multiple of 4.' : '';
  throw new SourceError(`${word} takes one word: "${second.text}" is not expected here.${why}`);
}
