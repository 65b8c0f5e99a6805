import { compileExpression, type Vocabulary } from '../../../shared/condition/condition.ts';
import { type Expression, parseCondition } from '../../../shared/condition/parse-condition.ts';

/** When a condition has to be asked. */
export interface ConditionScope {
  /** What it depends on is as it should be at any time within a run. */
  readonly isPlain: boolean;
  /** By raster line: 0 where it cannot hold. */
  readonly lines: Uint8Array;
}

/** What of a board decides about that. */
export interface ScopeBoard {
  readonly rasterLines: number;
  readonly isRasterLazy?: boolean | undefined;
}

/** Where chips answer. */
interface Span {
  readonly first: number;
  readonly last: number;
}

const rasterNames = ['raster', 'raster_line'];
/** Of the present cycle, or of an access that is under way. */
const momentary = ['raster_cycle', 'cycle', 'value', 'old_value', 'address'];
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
  return { isPlain, lines };
}

/** Until the beam comes to a line where the condition can hold, if it cannot here, or the other way round. */
export function cyclesToChange(
  board: ScopeBoard & { readonly rasterLine: number; cyclesToLine(line: number): number },
  lines: Uint8Array,
): number {
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
      const last = address + expression.bytes - 1;
      return address >= firstPlainByte && last <= 0xffff && (last < io.first || address > io.last);
    }
    case 'pointed':
      return false;
    case 'unary':
      return isPlain(expression.operand);
    case 'binary':
      return isPlain(expression.left) && isPlain(expression.right);
  }
}

function constantOf(expression: Expression, vocabulary: Vocabulary): number | undefined {
  if (expression.type === 'number') return Number(expression.value);
  const isSymbol = expression.type === 'name' && !vocabulary.names.includes(expression.name.toLowerCase());
  return isSymbol ? vocabulary.value(expression.name)?.() : undefined;
}
