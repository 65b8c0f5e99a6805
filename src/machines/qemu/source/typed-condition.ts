import { MachineError } from '../../../machine/errors.ts';
import type { WideReading } from '../../shared/condition/wide-condition.ts';
import type { Target } from '../debug/target.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { evaluateTyped } from './evaluator.ts';
import { scopesOf } from './source-scope.ts';
import { namesIn, parseTyped } from './typed-expression.ts';
import { numberOf, type TypedValue } from './typed-value.ts';
import { unbroken } from './unbroken.ts';

/** An expression with variables as the source has them; undefined for what is none, or where names in it mean nothing. */
export function compileTyped(source: string, target: Target, symbols: QemuSymbols): WideReading | undefined {
  const programs = symbols.dwarfs;
  if (programs.length === 0) return undefined;
  const parsed = parsedTyped(source, (name) => programs.some(({ index }) => index.type(name) !== undefined));
  const isKnown = (name: string) =>
    programs.some(({ index }) => index.knows(name)) ||
    target.names.find(name) !== undefined ||
    (symbols.size > 0 && isSymbol(symbols, name));
  if (!parsed || !namesIn(parsed).every(isKnown)) return undefined;
  const reading = async () => {
    const [scope] = await scopesOf(target, symbols, 1);
    if (!scope) return 0n;
    const value: TypedValue = await evaluateTyped(parsed, scope);
    if (value.type.kind === 'structure' && value.address !== undefined) return value.address;
    return BigInt.asUintN(64, await numberOf(value, scope));
  };
  return () => unbroken(reading);
}

/** As a condition: where a variable is not to be seen, it does not hold. */
export function whereVisible(reading: WideReading): WideReading {
  return async () => {
    try {
      return await reading();
    } catch (error) {
      const isAbsent =
        error instanceof MachineError && ['NOT_FOUND', 'UNAVAILABLE', 'ADDRESS_OUT_OF_BOUNDS'].includes(error.type);
      if (isAbsent) return 0n;
      throw error;
    }
  };
}

function parsedTyped(source: string, isType: (name: string) => boolean) {
  try {
    return parseTyped(source, isType);
  } catch (error) {
    if (error instanceof MachineError) return undefined;
    throw error;
  }
}

function isSymbol(symbols: QemuSymbols, name: string): boolean {
  try {
    return symbols.address(name) !== undefined;
  } catch (error) {
    // Several go by that name.
    if (error instanceof MachineError) return false;
    throw error;
  }
}
