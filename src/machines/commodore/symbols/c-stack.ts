import { opcodes } from '../../../chips/mos6510/opcodes.ts';
import type { FileScope } from '../../../formats/commodore/symbols/symbol-file.ts';

/** The code of a function, and what is called where. */
export interface FunctionCode {
  readonly scope: FileScope;
  readonly bytes: Uint8Array;
  /** What the call or jump at this address leads to. */
  calledAt(address: number): string | undefined;
  /** Whether a line of the source begins here: nothing but variables is on the stack then. */
  isLine(address: number): boolean;
  /** What a function of the program takes from the stack when it is called; undefined where that is not known. */
  takenBy(address: number): number | undefined;
}

interface State {
  readonly at: number;
  readonly depth: number;
  /** At the beginning of the line. */
  readonly settled: number;
  readonly y: number;
}

const jsr = 0x20;
const jmp = 0x4c;
const jmpIndirect = 0x6c;
const rts = 0x60;
const rti = 0x40;
const brk = 0x00;
const ldyImmediate = 0xa0;
const entryPushes: Readonly<Record<string, number>> = { pusha: 1, pushax: 2, pusheax: 4 };
const moves: Readonly<Record<string, number>> = {
  ...{ pusha: 1, pushaysp: 1, pusha0sp: 1, pushc0: 1, pushc1: 1, pushc2: 1, enter: 1 },
  ...{ pushax: 2, pusha0: 2, pushaFF: 2, pushw: 2, pushwidx: 2, pushwysp: 2, pushw0sp: 2, pushb: 2, pushbidx: 2 },
  ...{ pushbsp: 2, pushbysp: 2, pushlysp: 4, pushl0sp: 4, push0ax: 4, pusheax: 4, pushl0: 4, toslong: 2, tosulong: 2 },
  ...{ popa: -1, popax: -2, popptr1: -2, popsreg: -2, popeax: -4, tosint: -2, toslcmp: -4, tosicmp: -2, tosicmp0: -2 },
  ...{ staspidx: -2, staxspidx: -2, steaxspidx: -2 },
};

/** How many bytes a routine of cc65's library puts on the stack of C, or takes from it; undefined for functions of C. */
function movedBy(name: string | undefined, y: number): number | undefined {
  if (name === undefined || name.startsWith('_') || name === 'callax' || name === 'callptr4') return undefined;
  const known = Object.hasOwn(moves, name) ? moves[name] : undefined;
  if (known !== undefined) return known;
  const [, way, count] = /^(decsp|incsp)(\d)$/.exec(name) ?? [];
  if (count !== undefined) return way === 'decsp' ? Number(count) : -Number(count);
  if (name === 'subysp') return y;
  if (name === 'addysp') return -y;
  if (name === 'addysp1') return -y - 1;
  if (/^push[0-9]$/.test(name)) return 2;
  if (/^tos\w*eax$/.test(name)) return -4;
  return /^tos\w*(?:ax|a0|00)$/.test(name) ? -2 : 0;
}

/** Of the last argument, which comes in registers and is put on the stack first of all. */
export function entryPush({ scope, bytes, calledAt }: FunctionCode): number {
  if (bytes[0] !== jsr || !scope.variables.some(({ place, at }) => place === 'stack' && at >= 0)) return 0;
  return entryPushes[calledAt(scope.address) ?? ''] ?? 0;
}

/**
 * How far the stack of C is below the function's frame before the instruction at `pc`, by following the code from its beginning:
 * compilers have it the same on every way to a place. Undefined where no way was found.
 */
export function stackDepth(code: FunctionCode, pc: number): number | undefined {
  const { scope, bytes } = code;
  const push = entryPush(code);
  const seen = new Set<number>();
  const waiting: State[] = [{ at: scope.address, depth: -push, settled: 0, y: 0 }];
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    const { at } = state;
    const offset = at - scope.address;
    if (offset < 0 || offset >= bytes.length || seen.has(at)) continue;
    if (at === pc) return state.depth;
    seen.add(at);
    waiting.push(...following(code, state, offset));
  }
  return undefined;
}

function following(code: FunctionCode, { at, depth, settled: before, y }: State, offset: number): State[] {
  const { bytes, isLine } = code;
  const operation = bytes[offset] ?? 0;
  const { length, mode } = opcodes[operation] ?? { length: 1, mode: 'implied' };
  const settled = isLine(at) ? Math.max(0, depth) : before;
  const next = { at: at + length, depth, settled, y: operation === ldyImmediate ? (bytes[offset + 1] ?? 0) : y };
  const target = wordAt(bytes, offset + 1);
  if (operation === rts || operation === rti || operation === brk || operation === jmpIndirect) return [];
  if (operation === jmp) return [{ ...next, at: target }];
  if (operation === jsr) return [{ ...next, depth: afterCall(code, at, target, next) }];
  if (mode !== 'relative') return [next];
  return [{ ...next, at: at + 2 + (((bytes[offset + 1] ?? 0) ^ 128) - 128) }, next];
}

function afterCall(
  { calledAt, takenBy }: FunctionCode,
  at: number,
  target: number,
  { depth, settled, y }: State,
): number {
  const moved = movedBy(calledAt(at), y);
  if (moved !== undefined) return depth + moved;
  const taken = takenBy(target);
  return taken === undefined ? settled : depth - taken;
}

/** All that a function takes from the stack at its end, variables and arguments; undefined where it has no end. */
export function takenAtEnd({ bytes, calledAt, scope }: FunctionCode): number | undefined {
  let y = 0;
  let taken: number | undefined;
  for (let offset = 0; offset < bytes.length; ) {
    const operation = bytes[offset] ?? 0;
    if (operation === ldyImmediate) y = bytes[offset + 1] ?? 0;
    if (operation === rts && taken === undefined && scope.variables.length === 0) return 0;
    if (operation === jsr || operation === jmp) {
      const name = calledAt(scope.address + offset);
      if (name !== undefined && /^(?:incsp\d|addysp1?)$/.test(name)) taken = -(movedBy(name, y) ?? 0);
    }
    offset += opcodes[operation]?.length ?? 1;
  }
  return taken;
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}
