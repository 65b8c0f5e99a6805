import { ownValue } from '../../../formats/own-value.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import { type BinaryOperator, type Expression, parseCondition } from '../../shared/condition/parse-condition.ts';
import type { WideReading, WideVocabulary } from '../../shared/condition/wide-condition.ts';
import type { ViceSession } from './vice-session.ts';

/** Registers by the names that VICE's conditions have for them. */
const viceNames: Readonly<Record<string, string>> = {
  pc: 'PC',
  a: 'A',
  x: 'X',
  y: 'Y',
  sp: 'SP',
  p: 'FL',
  raster_cycle: 'CY',
};
const lineNames = ['raster', 'raster_line'];
/** What VICE's conditions can do with two values. */
const viceOperators: readonly BinaryOperator[] = [
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '&&',
  '||',
  '+',
  '-',
  '*',
  '&',
  '|',
];
const longest = 255;

/** What names in conditions mean on a VICE that is stopped. */
export class ViceVocabulary implements WideVocabulary {
  readonly #session: ViceSession;
  readonly #symbols: SymbolTable;
  readonly #values: Readonly<Record<string, () => number>>;

  constructor(session: ViceSession, symbols: SymbolTable, frame: () => number) {
    this.#session = session;
    this.#symbols = symbols;
    const register = (name: string) => () => session.now.registers.get(name) ?? 0;
    this.#values = {
      pc: register('PC'),
      a: register('A'),
      x: register('X'),
      y: register('Y'),
      sp: register('SP'),
      p: register('FL'),
      raster: () => session.now.line,
      raster_line: () => session.now.line,
      raster_cycle: register('CYC'),
      cycle: () => session.now.cycles ?? 0,
      frame,
    };
  }

  get names(): readonly string[] {
    return Object.keys(this.#values);
  }

  value(name: string): WideReading | undefined {
    const own = ownValue(this.#values, name.toLowerCase());
    if (own) return () => BigInt(own());
    const address = this.constant(name);
    return address === undefined ? undefined : () => address;
  }

  constant(name: string): bigint | undefined {
    return Object.hasOwn(this.#values, name.toLowerCase()) ? undefined : this.#symbols.address(name);
  }

  async peek(address: bigint, bytes: 1 | 2 | 4 | 8): Promise<bigint> {
    let value = 0n;
    for (let index = bytes - 1; index >= 0; index--) {
      const at = (Number(address & 0xffffn) + index) & 0xffff;
      const [byte = 0] = await this.#session.peek(0, at, 1);
      value = (value << 8n) | BigInt(byte);
    }
    return value;
  }

  /** The condition in VICE's language, which knows no precedence: everything has its parentheses. Undefined where it has no words. */
  translate(source: string): string | undefined {
    const translated = this.#translate(parseCondition(source));
    return translated === undefined || translated.length > longest ? undefined : translated;
  }

  #translate(expression: Expression): string | undefined {
    switch (expression.type) {
      case 'number':
        return hexadecimal(expression.value);
      case 'name': {
        const constant = this.constant(expression.name);
        if (constant !== undefined) return hexadecimal(constant);
        const name = expression.name.toLowerCase();
        return lineNames.includes(name) ? this.#session.lineWord : ownValue(viceNames, name);
      }
      case 'memory':
        return this.#memory(expression.address, expression.bytes);
      case 'unary': {
        const operand = expression.operator === '!' ? this.#translate(expression.operand) : undefined;
        return operand === undefined ? undefined : `(${operand} == $0)`;
      }
      case 'binary': {
        const { operator } = expression;
        const [left, right] = [this.#translate(expression.left), this.#translate(expression.right)];
        if (left === undefined || right === undefined || !viceOperators.includes(operator)) return undefined;
        return `(${left} ${operator} ${right})`;
      }
      default:
        return undefined;
    }
  }

  /** VICE looks at addresses that are known, a byte at a time. */
  #memory(place: Expression, bytes: number): string | undefined {
    const address =
      place.type === 'number' ? place.value : place.type === 'name' ? this.constant(place.name) : undefined;
    if (address === undefined || bytes > 2 || address < 0n || address + BigInt(bytes) > 0x10000n) return undefined;
    const byte = (offset: bigint) => `(@cpu:${hexadecimal(address + offset)})`;
    return bytes === 1 ? byte(0n) : `(${byte(0n)} + (${byte(1n)} * $100))`;
  }
}

function hexadecimal(value: bigint): string {
  return `$${value.toString(16)}`;
}
