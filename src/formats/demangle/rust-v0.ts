import { MangledText, NotMangled } from './mangled-text.ts';
import { punycode } from './punycode.ts';
import { rustConstant } from './rust-constants.ts';

/** Letters of the basic types. */
const basicTypes: Readonly<Record<string, string>> = {
  a: 'i8',
  b: 'bool',
  c: 'char',
  d: 'f64',
  e: 'str',
  f: 'f32',
  h: 'u8',
  i: 'isize',
  j: 'usize',
  l: 'i32',
  m: 'u32',
  n: 'i128',
  o: 'u128',
  p: '_',
  s: 'i16',
  t: 'u16',
  u: '()',
  v: '...',
  x: 'i64',
  y: 'u64',
  z: '!',
};

const namespaces: Readonly<Record<string, string>> = { C: 'closure', S: 'shim' };

/** `_RNvC5hello4main`, the mangling that Rust has had since 2021. Reads from after `_R`. */
export function rustV0(text: string, at: number): { readonly name: string; readonly end: number } {
  const reader = new RustReader(text, at);
  const name = reader.path(true);
  // Where it was instantiated.
  if (/[A-Z]/.test(reader.source.peek())) reader.path(true);
  return { name, end: reader.source.at };
}

export class RustReader {
  readonly source: MangledText;
  readonly #start: number;
  #lifetimes = 0;

  constructor(text: string, at: number) {
    this.source = new MangledText(text, at);
    this.#start = at;
  }

  /** `asValue` writes the generic arguments of functions with `::` before them. */
  path(asValue: boolean): string {
    return this.source.nested(() => this.source.bounded(this.#path(asValue)));
  }

  type(): string {
    return this.source.nested(() => this.source.bounded(this.#type()));
  }

  /** Reads what stands further back in the name. */
  back<T>(read: () => T): T {
    const from = this.source.at - 1;
    const to = this.#start + this.#base62();
    if (to >= from) throw new NotMangled('it points forward');
    const after = this.source.at;
    this.source.at = to;
    const found = this.source.nested(read);
    this.source.at = after;
    return found;
  }

  #path(asValue: boolean): string {
    const { source } = this;
    const tag = source.next();
    switch (tag) {
      case 'C':
        this.#disambiguator();
        return this.#identifier();
      case 'M':
        this.#disambiguator();
        this.path(asValue);
        return `<${this.type()}>`;
      case 'X':
        this.#disambiguator();
        this.path(asValue);
        return `<${this.type()} as ${this.path(false)}>`;
      case 'Y':
        return `<${this.type()} as ${this.path(false)}>`;
      case 'N': {
        const space = source.next();
        const parent = this.path(asValue);
        const number = this.#disambiguator();
        const name = this.#identifier();
        if (/[a-z]/.test(space)) return name === '' ? parent : `${parent}::${name}`;
        const kind = namespaces[space] ?? space;
        return `${parent}::{${kind}${name === '' ? '' : `:${name}`}#${number}}`;
      }
      case 'I': {
        const generic = this.path(asValue);
        return `${generic}${asValue ? '::' : ''}<${this.#list(() => this.#argument()).join(', ')}>`;
      }
      case 'B':
        return this.back(() => this.path(asValue));
      default:
        throw new NotMangled('no path');
    }
  }

  #type(): string {
    const { source } = this;
    const basic = basicTypes[source.peek()];
    if (basic !== undefined) {
      source.next();
      return basic;
    }
    switch (source.next()) {
      case 'A': {
        const element = this.type();
        return `[${element}; ${rustConstant(this)}]`;
      }
      case 'S':
        return `[${this.type()}]`;
      case 'T': {
        const parts = this.#list(() => this.type());
        return parts.length === 1 ? `(${parts[0]},)` : `(${parts.join(', ')})`;
      }
      case 'R':
        return `&${this.#lifetimeBefore()}${this.type()}`;
      case 'Q':
        return `&${this.#lifetimeBefore()}mut ${this.type()}`;
      case 'P':
        return `*const ${this.type()}`;
      case 'O':
        return `*mut ${this.type()}`;
      case 'F':
        return this.#bound(() => this.#function());
      case 'D': {
        const traits = this.#bound(() => this.#list(() => this.#trait()).join(' + '));
        source.expect('L');
        const lifetime = this.#lifetime(this.#base62());
        return `dyn ${traits}${lifetime === "'_" ? '' : ` + ${lifetime}`}`;
      }
      case 'B':
        return this.back(() => this.type());
      default:
        source.at--;
        return this.path(false);
    }
  }

  #function(): string {
    const { source } = this;
    const unsafe = source.take('U') ? 'unsafe ' : '';
    let abi = '';
    if (source.take('K'))
      abi = source.take('C') ? 'extern "C" ' : `extern "${this.#identifier().replaceAll('_', '-')}" `;
    const parameters = this.#list(() => this.type());
    const result = this.type();
    return `${unsafe}${abi}fn(${parameters.join(', ')})${result === '()' ? '' : ` -> ${result}`}`;
  }

  #trait(): string {
    const { source } = this;
    let text = this.path(false);
    const bindings: string[] = [];
    while (source.take('p')) bindings.push(`${this.#identifier()} = ${this.type()}`);
    if (bindings.length > 0) {
      text = text.endsWith('>') ? `${text.slice(0, -1)}, ${bindings.join(', ')}>` : `${text}<${bindings.join(', ')}>`;
    }
    return text;
  }

  #argument(): string {
    if (this.source.take('L')) return this.#lifetime(this.#base62());
    return this.source.take('K') ? rustConstant(this) : this.type();
  }

  /** `for<'a, 'b> ` before what has lifetimes of its own. */
  #bound(read: () => string): string {
    const count = this.source.take('G') ? this.#base62() + 1 : 0;
    if (count > 100) throw new NotMangled('too many lifetimes');
    this.#lifetimes += count;
    const names = Array.from({ length: count }, (_, n) => this.#lifetime(count - n));
    const text = read();
    this.#lifetimes -= count;
    return names.length > 0 ? `for<${names.join(', ')}> ${text}` : text;
  }

  #lifetimeBefore(): string {
    if (!this.source.take('L')) return '';
    const lifetime = this.#lifetime(this.#base62());
    return lifetime === "'_" ? '' : `${lifetime} `;
  }

  #lifetime(index: number): string {
    if (index === 0) return "'_";
    const depth = this.#lifetimes - index;
    if (depth < 0) throw new NotMangled('no such lifetime');
    return depth < 26 ? `'${String.fromCharCode(97 + depth)}` : `'_${depth}`;
  }

  #list(read: () => string): string[] {
    const all: string[] = [];
    while (!this.source.take('E')) all.push(read());
    return all;
  }

  #disambiguator(): number {
    return this.source.take('s') ? this.#base62() + 1 : 0;
  }

  /** `_` is 0, `0_` is 1 … Only those that tell crates apart are large, and they are not shown. */
  #base62(): number {
    const digits = this.source.match(/[0-9a-zA-Z]{0,20}/y);
    this.source.expect('_');
    if (digits === '') return 0;
    let value = 0;
    for (const digit of digits) value = value * 62 + alphabet.indexOf(digit);
    return value + 1;
  }

  #identifier(): string {
    const { source } = this;
    const packed = source.take('u');
    // A zero stands alone: digits after it belong to the next name.
    const length = source.take('0') ? 0 : source.decimal();
    source.take('_');
    const bytes = source.chars(length);
    return packed ? punycode(bytes) : bytes;
  }
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
