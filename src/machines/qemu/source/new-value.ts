import { encoding } from '../../../formats/dwarf/dwarf-constants.ts';
import { MachineError } from '../../../machine/errors.ts';
import { bytesToValue, valueToBytes } from '../debug/register-bytes.ts';
import { evaluateTyped } from './evaluator.ts';
import type { SourceScope } from './source-scope.ts';
import { parseTyped } from './typed-expression.ts';
import { bytesOf, isSigned, lowestBit, maxNumberBytes, numberOf, type TypedValue } from './typed-value.ts';

/** The bytes of a value that somebody has typed for one of this type: a number, the name of a constant, or an expression. */
export async function newValue(target: TypedValue, text: string, scope: SourceScope): Promise<Uint8Array> {
  const { type } = target;
  const isNumber = type.kind === 'base' || type.kind === 'pointer' || type.kind === 'enumeration';
  if (!isNumber || type.bytes > maxNumberBytes || type.bytes === 0) {
    const fix = 'Change one of its members or elements.';
    throw new MachineError('INVALID_ARGUMENT', `A ${type.name} is not a number, and cannot be changed as one.`, fix);
  }
  if (type.kind === 'base' && type.encoding === encoding.float) return floatBytes(text, type.bytes, scope.bigEndian);
  const number = await typed(target, text.trim(), scope);
  const bits = target.bits?.count ?? 8 * type.bytes;
  const [least, most] = [isSigned(type) ? -(1n << BigInt(bits - 1)) : 0n, (1n << BigInt(bits)) - 1n];
  // Unsigned values may be given as the negative ones with the same bits.
  if (number > most || number < (least === 0n ? -(1n << BigInt(bits - 1)) : least)) {
    const fix = `Use a value from ${least} to ${isSigned(type) ? (1n << BigInt(bits - 1)) - 1n : most}.`;
    throw new MachineError('INVALID_ARGUMENT', `${number} does not fit into ${bits} bits.`, fix);
  }
  if (!target.bits) return valueToBytes(number, type.bytes, scope.bigEndian);
  const before = bytesToValue(await bytesOf(target, scope, maxNumberBytes), scope.bigEndian);
  const from = lowestBit(target.bits, type.bytes, scope.bigEndian);
  const mask = ((1n << BigInt(bits)) - 1n) << from;
  return valueToBytes((before & ~mask) | (BigInt.asUintN(bits, number) << from), type.bytes, scope.bigEndian);
}

async function typed({ type }: TypedValue, text: string, scope: SourceScope): Promise<bigint> {
  const named = type.kind === 'enumeration' ? type.values.find(([name]) => name === text) : undefined;
  if (named) return named[1];
  if (type.kind === 'base' && type.encoding === encoding.boolean && /^(?:true|false)$/.test(text))
    return BigInt(text === 'true');
  const expression = parseTyped(text, (name) => scope.type(name) !== undefined);
  return numberOf(await evaluateTyped(expression, scope), scope);
}

function floatBytes(text: string, length: number, bigEndian: boolean): Uint8Array {
  const number = Number(text);
  if (text.trim() === '' || Number.isNaN(number) || (length !== 4 && length !== 8)) {
    throw new MachineError('INVALID_ARGUMENT', `${text.slice(0, 40)} is not a number.`, 'Write 1.5 or 2e-3.');
  }
  const bytes = new DataView(new ArrayBuffer(length));
  if (length === 4) bytes.setFloat32(0, number, !bigEndian);
  else bytes.setFloat64(0, number, !bigEndian);
  return new Uint8Array(bytes.buffer);
}
