import { encoding } from '../../../formats/dwarf/dwarf-constants.ts';
import type { DwarfType } from '../../../formats/dwarf/dwarf-types.ts';
import { MachineError } from '../../../machine/errors.ts';
import { dottedName, type TypedExpression } from './typed-expression.ts';
import {
  longType,
  type MemoryReader,
  maxNumberBytes,
  memberOf,
  numberOf,
  part,
  type TypedValue,
} from './typed-value.ts';
import { zigShape } from './zig-shape.ts';

/** What names mean in a frame. */
export interface EvaluationScope extends MemoryReader {
  variable(name: string): Promise<TypedValue | undefined>;
  register(name: string): Promise<{ readonly value: bigint; readonly bits: number } | undefined>;
  type(name: string): DwarfType | undefined;
  /** The address of a symbol that has no type. */
  symbol(name: string): bigint | undefined;
  readonly pointerBytes: number;
}

type Binary = Extract<TypedExpression, { type: 'binary' }>;
type Member = Extract<TypedExpression, { type: 'member' }>;

const booleans: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};
const numbers: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << (b & 63n),
  '>>': (a, b) => a >> (b & 63n),
};

/** The value of an expression in a frame. */
export async function evaluateTyped(expression: TypedExpression, scope: EvaluationScope): Promise<TypedValue> {
  switch (expression.type) {
    case 'number':
      return constant(expression.value);
    case 'register':
      return registerValue(expression.name, scope, true);
    case 'name':
      return named(expression.name, scope);
    case 'member':
      return memberOrDotted(expression, scope);
    case 'index':
      return indexed(await evaluateTyped(expression.of, scope), await evaluateTyped(expression.index, scope), scope);
    case 'cast':
      return cast(expression.name, expression.stars, await evaluateTyped(expression.operand, scope), scope);
    case 'unary':
      return unary(expression.operator, await evaluateTyped(expression.operand, scope), scope);
    case 'binary':
      return binary(expression, scope);
  }
}

function constant(value: bigint): TypedValue {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value));
  return { type: longType, bytes };
}

/** A number with the bytes of the machine's order. */
function made(value: bigint, type: DwarfType, scope: EvaluationScope): TypedValue {
  if (type.bytes > maxNumberBytes) {
    const fix = 'Name a type of a number, or a pointer to this one.';
    throw new MachineError('INVALID_ARGUMENT', `A ${type.name} has ${type.bytes} bytes, and is not a number.`, fix);
  }
  const bytes = Buffer.alloc(type.bytes);
  for (let n = 0; n < type.bytes; n++) {
    const at = scope.bigEndian ? type.bytes - 1 - n : n;
    bytes[at] = Number(BigInt.asUintN(8, value >> BigInt(8 * n)));
  }
  return { type, bytes };
}

async function named(name: string, scope: EvaluationScope): Promise<TypedValue> {
  return (await byName(name, scope)) ?? registerValue(name, scope, false);
}

async function byName(name: string, scope: EvaluationScope): Promise<TypedValue | undefined> {
  const variable = await scope.variable(name);
  if (variable) return variable;
  const symbol = scope.symbol(name);
  return symbol === undefined ? undefined : { type: { kind: 'void', name: 'symbol', bytes: 0 }, address: symbol };
}

async function registerValue(name: string, scope: EvaluationScope, asked: boolean): Promise<TypedValue> {
  const found = await scope.register(name);
  if (found) {
    const bytes = found.bits > 32 ? 8 : 4;
    return made(found.value, { kind: 'base', name: 'register', bytes, encoding: encoding.unsigned }, scope);
  }
  throw new MachineError(
    'NOT_FOUND',
    asked ? `No register ${name.slice(0, 40)}.` : `Nothing is called ${name.slice(0, 100)} here.`,
    'Names are those of local variables, arguments, globals, symbols and registers; load the file with its debug information first.',
  );
}

/** Zig names what is declared in a file or a structure as if it were a member; members come first. */
async function memberOrDotted(expression: Member, scope: EvaluationScope): Promise<TypedValue> {
  try {
    return await memberNamed(await evaluateTyped(expression.of, scope), expression.name, scope);
  } catch (error) {
    const name = dottedName(expression);
    const isUnknown = error instanceof MachineError && ['NOT_FOUND', 'INVALID_ARGUMENT'].includes(error.type);
    const found = isUnknown && name !== undefined ? await byName(name, scope) : undefined;
    if (found) return found;
    throw error;
  }
}

/** What an optional has. */
async function inOptional(value: TypedValue, scope: EvaluationScope): Promise<TypedValue> {
  const shape = zigShape(value.type);
  const isNull =
    shape?.kind === 'optional'
      ? (await numberOf(part(value, shape.some), scope)) === 0n
      : value.type.kind === 'pointer' && (await numberOf(value, scope)) === 0n;
  if (isNull) throw new MachineError('UNAVAILABLE', 'It is null.', 'Leave .? out.');
  if (shape?.kind === 'optional') return part(value, shape.value);
  if (value.type.kind === 'pointer') return value;
  throw new MachineError('INVALID_ARGUMENT', `A ${value.type.name} is not an optional.`, 'Leave .? out.');
}

/** Through pointers as well: `.` and `->` are the same. */
async function memberNamed(value: TypedValue, name: string, scope: EvaluationScope): Promise<TypedValue> {
  if (name === '?') return inOptional(value, scope);
  let of = value;
  for (let depth = 0; of.type.kind === 'pointer' && depth < 4; depth++) of = await dereferenced(of, scope);
  const found = memberOf(of, name);
  if (found) return found;
  const known = of.type.kind === 'structure' ? of.type.members.flatMap((each) => each.name || []) : [];
  // Unlike a variable that is not to be seen here, it will be nowhere.
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${of.type.name} has no member ${name.slice(0, 100)}.`,
    known.length > 0 ? `Members: ${known.slice(0, 60).join(', ')}.` : 'It is not a structure.',
  );
}

async function dereferenced(value: TypedValue, scope: EvaluationScope): Promise<TypedValue> {
  const { type } = value;
  if (type.kind === 'pointer') return { type: type.target, address: await numberOf(value, scope) };
  if (type.kind === 'array') return { type: type.element, address: value.address ?? 0n };
  const address = BigInt.asUintN(64, await numberOf(value, scope));
  const bytes = scope.pointerBytes;
  return { type: { kind: 'base', name: 'word', bytes, encoding: encoding.unsigned }, address };
}

async function indexed(value: TypedValue, index: TypedValue, scope: EvaluationScope): Promise<TypedValue> {
  const n = await numberOf(index, scope);
  if (value.type.kind === 'array' && value.bytes) {
    const { element } = value.type;
    const from = Number(n) * element.bytes;
    return { type: element, bytes: value.bytes.subarray(from, from + element.bytes) };
  }
  const slice = value.type.kind === 'structure' ? (memberOf(value, 'data_ptr') ?? memberOf(value, 'ptr')) : undefined;
  const first = await dereferenced(slice ?? value, scope);
  return { type: first.type, address: (first.address ?? 0n) + n * BigInt(first.type.bytes) };
}

async function unary(operator: string, value: TypedValue, scope: EvaluationScope): Promise<TypedValue> {
  if (operator === '*') return dereferenced(value, scope);
  if (operator === '&') {
    if (value.address === undefined) {
      throw new MachineError('INVALID_ARGUMENT', 'It is not in memory, so it has no address.', 'Leave & out.');
    }
    return made(value.address, pointerTo(value.type, scope), scope);
  }
  const number = await numberOf(value, scope);
  return constant(operator === '!' ? BigInt(number === 0n) : operator === '-' ? -number : ~number);
}

function pointerTo(target: DwarfType, { pointerBytes }: EvaluationScope): DwarfType {
  return { kind: 'pointer', name: `${target.name} *`, bytes: pointerBytes, target, isReference: false };
}

async function cast(name: string, stars: number, operand: TypedValue, scope: EvaluationScope): Promise<TypedValue> {
  let type = scope.type(name);
  if (!type) throw new MachineError('NOT_FOUND', `No type ${name.slice(0, 100)}.`, 'Write it as the program does.');
  const isWhole = stars === 0 && (type.kind === 'structure' || type.kind === 'array');
  if (isWhole && operand.address !== undefined) return { type, address: operand.address };
  for (let n = 0; n < stars; n++) type = pointerTo(type, scope);
  return made(await numberOf(operand, scope), type, scope);
}

async function binary({ operator, left, right }: Binary, scope: EvaluationScope): Promise<TypedValue> {
  const first = await evaluateTyped(left, scope);
  if (operator === '&&' || operator === '||') {
    const decided = ((await numberOf(first, scope)) !== 0n) === (operator === '||');
    const other = decided ? undefined : await evaluateTyped(right, scope);
    const value = other === undefined ? operator === '||' : (await numberOf(other, scope)) !== 0n;
    return constant(BigInt(value));
  }
  const second = await evaluateTyped(right, scope);
  const [a, b] = [await numberOf(first, scope), await numberOf(second, scope)];
  const compare = booleans[operator];
  if (compare) return constant(BigInt(compare(...alike(a, b, first, second))));
  const moved = pointerStep(operator, first, second, a, b, scope);
  if (moved) return moved;
  if (operator === '/' || operator === '%') {
    if (b === 0n) throw new MachineError('INVALID_ARGUMENT', 'The expression divides by zero.', 'Check the divisor.');
    return constant(operator === '/' ? a / b : a % b);
  }
  return constant(numbers[operator]?.(a, b) ?? 0n);
}

/** An unsigned value is compared with a negative constant as in C. */
function alike(a: bigint, b: bigint, first: TypedValue, second: TypedValue): [bigint, bigint] {
  const wide = [first, second].some(
    ({ type }) =>
      type.kind === 'pointer' || (type.kind === 'base' && type.encoding === encoding.unsigned && type.bytes === 8),
  );
  return wide ? [BigInt.asUintN(64, a), BigInt.asUintN(64, b)] : [a, b];
}

function pointerStep(
  operator: string,
  first: TypedValue,
  second: TypedValue,
  a: bigint,
  b: bigint,
  scope: EvaluationScope,
): TypedValue | undefined {
  if (operator !== '+' && operator !== '-') return undefined;
  const { type } = first;
  const target = type.kind === 'pointer' ? type.target : type.kind === 'array' ? type.element : undefined;
  if (!target) return undefined;
  const size = BigInt(Math.max(1, target.bytes));
  if (second.type.kind === 'pointer') return operator === '-' ? constant((a - b) / size) : undefined;
  return made(operator === '+' ? a + b * size : a - b * size, pointerTo(target, scope), scope);
}
