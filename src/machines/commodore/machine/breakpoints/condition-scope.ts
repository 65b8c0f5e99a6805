import { compileExpression, type Vocabulary } from '../../../shared/condition/condition.ts';
import { type Expression, parseCondition } from '../../../shared/condition/parse-condition.ts';
import type { Gates } from '../../board/gates.ts';
import { constantOf, gatesOf } from './gates.ts';

/** When a condition has to be asked. */
export interface ConditionScope {
  /** What it depends on is as it should be at any time within a run. */
  readonly isPlain: boolean;
  /** The same, of an access: it depends on that, on registers and on memory, whatever time it is. */
  readonly isTimeless: boolean;
  /** By raster line: 0 where it cannot hold. */
  readonly lines: Uint8Array;
  readonly isSameInAll: boolean;
  /** What has to be the case for it to become true within a run before which it was false, where that is known. */
  readonly gates: Gates | undefined;
  /** What has to be the case whenever it is true. */
  readonly gatesAsPart: Gates | undefined;
}

/** What of a board decides about that. */
export interface ScopeBoard {
  readonly rasterLines: number;
  readonly cyclesPerLine: number;
  readonly isRasterLazy?: boolean | undefined;
  readonly heedsGates?: boolean | undefined;
}

/** Where chips answer. */
interface Span {
  readonly first: number;
  readonly last: number;
}

const rasterNames = ['raster', 'raster_line'];
/** Of the present cycle, or of an access that is under way. */
const momentary = ['raster_cycle', 'cycle', 'value', 'old_value', 'address'];
const timelessNames = ['a', 'x', 'y', 'sp', 'p', 'pc', 'value', 'old_value', 'address'];
const firstPlainByte = 2;

export function scopeOf(source: string, vocabulary: Vocabulary, board: ScopeBoard, io: Span): ConditionScope {
  const whole = parseCondition(source);
  const isPlain = isPlainIn(whole, vocabulary, board, io);
  const lines = new Uint8Array(board.rasterLines).fill(1);
  let line = 0;
  const beam: Vocabulary = { ...nothing, value: (name) => (isRaster(name) ? () => line : undefined) };
  for (const part of conjuncts(whole).filter(isOfRaster)) {
    const holds = compileExpression(source, part, beam);
    for (line = 0; line < lines.length; line += 1) if (holds() === 0) lines[line] = 0;
  }
  const isPlainByte = (address: number) => isPlainMemory(address, 1, io);
  const { cyclesPerLine } = board;
  const gatesWith = (wasFalse: boolean) =>
    board.heedsGates ? gatesOf(whole, vocabulary, { isPlainByte, cyclesPerLine }, wasFalse) : undefined;
  const isSameInAll = lines.every((canHold) => canHold === lines[0]);
  const isTimeless = isTimelessIn(whole, vocabulary, io);
  return { isPlain, isTimeless, lines, isSameInAll, gates: gatesWith(true), gatesAsPart: gatesWith(false) };
}

/** Until the beam comes to a line where the condition can hold, if it cannot here, or the other way round. */
export function cyclesToChange(
  board: ScopeBoard & { readonly rasterLine: number; cyclesToLine(line: number): number },
  { lines, isSameInAll }: ConditionScope,
): number {
  if (isSameInAll) return Number.POSITIVE_INFINITY;
  const now = board.rasterLine;
  for (let ahead = 1; ahead < lines.length; ahead += 1) {
    const line = (now + ahead) % lines.length;
    if (lines[line] !== lines[now]) return board.cyclesToLine(line);
  }
  return Number.POSITIVE_INFINITY;
}

const nothing: Vocabulary = { value: () => undefined, peek: () => 0, names: [] };

function isRaster(name: string): boolean {
  return rasterNames.includes(name.toLowerCase());
}

function conjuncts(expression: Expression): readonly Expression[] {
  if (expression.type !== 'binary' || expression.operator !== '&&') return [expression];
  return [...conjuncts(expression.left), ...conjuncts(expression.right)];
}

function isOfRaster(expression: Expression): boolean {
  switch (expression.type) {
    case 'number':
      return true;
    case 'name':
      return isRaster(expression.name);
    case 'unary':
      return isOfRaster(expression.operand);
    case 'binary':
      return isOfRaster(expression.left) && isOfRaster(expression.right);
    default:
      return false;
  }
}

function isPlainIn(expression: Expression, vocabulary: Vocabulary, board: ScopeBoard, io: Span): boolean {
  const isPlain = (part: Expression): boolean => isPlainIn(part, vocabulary, board, io);
  switch (expression.type) {
    case 'number':
      return true;
    case 'name': {
      const name = expression.name.toLowerCase();
      if (momentary.includes(name)) return false;
      return board.isRasterLazy !== true || !(isRaster(name) || name === 'frame');
    }
    case 'row':
      return board.isRasterLazy !== true && isPlain(expression.index);
    case 'memory': {
      const address = constantOf(expression.address, vocabulary);
      if (address === undefined) return false;
      return isPlainMemory(address, expression.bytes, io);
    }
    case 'pointed':
      return false;
    case 'unary':
      return isPlain(expression.operand);
    case 'binary':
      return isPlain(expression.left) && isPlain(expression.right);
  }
}

function isTimelessIn(expression: Expression, vocabulary: Vocabulary, io: Span): boolean {
  const isTimeless = (part: Expression): boolean => isTimelessIn(part, vocabulary, io);
  const address = expression.type === 'memory' ? constantOf(expression.address, vocabulary) : undefined;
  switch (expression.type) {
    case 'number':
      return true;
    case 'name':
      return timelessNames.includes(expression.name.toLowerCase()) || constantOf(expression, vocabulary) !== undefined;
    case 'memory':
      return address !== undefined && isPlainMemory(address, expression.bytes, io);
    case 'unary':
      return isTimeless(expression.operand);
    case 'binary':
      return isTimeless(expression.left) && isTimeless(expression.right);
    default:
      return false;
  }
}

function isPlainMemory(address: number, bytes: number, io: Span): boolean {
  const last = address + bytes - 1;
  return address >= firstPlainByte && last <= 0xffff && (last < io.first || address > io.last);
}
