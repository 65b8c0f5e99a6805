import { generalNames } from '../../../chips/x86/registers.ts';
import { SourceError } from './source-error.ts';
import { type Token, textValue } from './tokens.ts';

/** A general register of 16 or 32 bits inside an address. */
export interface AddressRegister {
  readonly width: 16 | 32;
  readonly index: number;
}

/** A constant, and registers with their factors: `bx+si+4`, `eax*4`. */
export interface Sum {
  readonly constant: number;
  readonly registers: readonly { readonly register: AddressRegister; readonly factor: number }[];
}

/** What names mean at a place of the source. */
export interface Scope {
  /** Throws for a name that is not defined anywhere. */
  value(name: string): number;
  readonly here: number;
  readonly sectionStart: number;
}

const registers = new Map<string, AddressRegister>(
  ([16, 32] as const).flatMap((width) =>
    generalNames[width].map((name, index): [string, AddressRegister] => [name, { width, index }]),
  ),
);

const deepest = 64;
/** More than any address has. */
const mostRegisters = 8;

type Combine = (a: number, b: number) => number;

/** Weakest first. */
const levels: readonly Readonly<Record<string, Combine>>[] = [
  { '|': wide((a, b) => a | b) },
  { '^': wide((a, b) => a ^ b) },
  { '&': wide((a, b) => a & b) },
  { '<<': wide((a, b) => a << distance(b)), '>>': wide((a, b) => BigInt.asUintN(64, a) >> distance(b)) },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => Math.trunc(divided(a, b)), '%': (a, b) => a - b * Math.trunc(divided(a, b)) },
];
const additions = 4;

/** As NASM has it, on 64 bits. */
function wide(combine: (a: bigint, b: bigint) => bigint): Combine {
  return (a, b) => Number(BigInt.asIntN(64, combine(exact(a), exact(b))));
}

function exact(value: number): bigint {
  if (!Number.isSafeInteger(value)) throw new SourceError('A number of more than 53 bits can only stand alone.');
  return BigInt(value);
}

function distance(value: bigint): bigint {
  if (value < 0n || value > 63n) throw new SourceError(`Shifted by ${value}: from 0 to 63 bits.`);
  return value;
}

function divided(a: number, b: number): number {
  if (b === 0) throw new SourceError('A division by zero.');
  return a / b;
}

/** Reads expressions from the tokens of a line, one after the other. */
export class ExpressionReader {
  readonly #tokens: readonly Token[];
  readonly #scope: Scope;
  #depth = 0;
  at: number;

  constructor(tokens: readonly Token[], at: number, scope: Scope) {
    this.#tokens = tokens;
    this.at = at;
    this.#scope = scope;
  }

  get next(): Token | undefined {
    return this.#tokens[this.at];
  }

  takes(sign: string): boolean {
    const { next } = this;
    if (next?.kind !== 'sign' || next.text !== sign) return false;
    this.at += 1;
    return true;
  }

  expect(sign: string): void {
    if (!this.takes(sign))
      throw new SourceError(`"${sign}" is missing${this.next ? ` before ${this.next.text}` : ''}.`);
  }

  constant(): number {
    const { constant, registers: used } = this.sum();
    if (used.length > 0) throw new SourceError('A register cannot be part of a constant.');
    return constant;
  }

  sum(level = 0): Sum {
    const operations = levels[level];
    if (operations === undefined) return this.#unary();
    let left = this.sum(level + 1);
    for (;;) {
      const { next } = this;
      const combine = next?.kind === 'sign' ? operations[next.text] : undefined;
      if (combine === undefined || next === undefined) return left;
      this.at += 1;
      left = combined(next.text, level, combine, left, this.sum(level + 1));
    }
  }

  #unary(): Sum {
    this.#depth += 1;
    if (this.#depth > deepest) throw new SourceError(`Signs and brackets are nested more than ${deepest} deep.`);
    const sum = this.#operand();
    this.#depth -= 1;
    return sum;
  }

  #operand(): Sum {
    if (this.takes('-')) return scaled(this.#unary(), -1);
    if (this.takes('+')) return this.#unary();
    if (this.takes('~')) return plain(Number(~exact(onlyConstant(this.#unary()))));
    if (this.takes('(')) {
      const inside = this.sum();
      this.expect(')');
      return inside;
    }
    return this.#leaf();
  }

  #leaf(): Sum {
    const { next } = this;
    if (next === undefined) throw new SourceError('Something is missing at the end of the line.');
    this.at += 1;
    if (next.kind === 'number') return plain(next.value);
    if (next.kind === 'real') throw new SourceError(`${next.text} can only stand alone, after dd or dq.`);
    if (next.kind === 'text') return plain(textValue(next.text));
    if (next.kind === 'sign') {
      if (next.text === '$') return plain(this.#scope.here);
      if (next.text === '$$') return plain(this.#scope.sectionStart);
      throw new SourceError(`"${next.text}" is not expected here.`);
    }
    const register = registers.get(next.text.toLowerCase());
    return register ? { constant: 0, registers: [{ register, factor: 1 }] } : plain(this.#scope.value(next.text));
  }
}

function plain(constant: number): Sum {
  return { constant, registers: [] };
}

function onlyConstant({ constant, registers: used }: Sum): number {
  if (used.length > 0) throw new SourceError('A register cannot be used in this way.');
  return constant;
}

function scaled({ constant, registers: used }: Sum, factor: number): Sum {
  return {
    constant: constant * factor,
    registers: used.map((each) => ({ ...each, factor: each.factor * factor })),
  };
}

function combined(sign: string, level: number, combine: Combine, left: Sum, right: Sum): Sum {
  if (level === additions) {
    const other = sign === '-' ? scaled(right, -1) : right;
    if (left.registers.length + other.registers.length > mostRegisters) {
      throw new SourceError('An address is made of two registers and a number at most.');
    }
    return { constant: left.constant + other.constant, registers: [...left.registers, ...other.registers] };
  }
  if (sign === '*' && left.registers.length > 0) return scaled(left, onlyConstant(right));
  if (sign === '*' && right.registers.length > 0) return scaled(right, onlyConstant(left));
  return plain(combine(onlyConstant(left), onlyConstant(right)));
}
