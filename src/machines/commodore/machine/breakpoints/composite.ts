import type { Gates } from '../../board/gates.ts';
import { both, either } from './gates.ts';
import type { Node, Trigger } from './trigger.ts';

/** What a tree is asked of. */
export interface Moment {
  /** Whether the instruction that comes next, or the one under way, is one of these. */
  isExecuted(trigger: Trigger): boolean;
}

/** Whether the tree is true while the beam is in this line; without a moment, whether it would be if nothing happened. */
export function isTrue(node: Node, line: number, moment: Moment | undefined): boolean {
  switch (node.kind) {
    case 'and':
      return node.of.every((part) => isTrue(part, line, moment));
    case 'or':
      return node.of.some((part) => isTrue(part, line, moment));
    case 'expression':
      return node.holds() !== 0;
    case 'trigger':
      if (node.type === 'raster') return isIn(node, line) && (node.holds === undefined || node.holds() !== 0);
      if (moment === undefined) return false;
      return node.type === 'exec' ? moment.isExecuted(node) : node.isNow;
  }
}

/** `isTrue` of a tree that is asked often, of the line that the beam is in. */
export function testOf(node: Node, board: { readonly rasterLine: number }, moment: Moment): () => boolean {
  if (node.kind === 'expression') return () => node.holds() !== 0;
  if (node.kind === 'trigger') return () => isTrue(node, board.rasterLine, moment);
  const tests = node.of.map((part) => testOf(part, board, moment));
  const [first = () => node.kind === 'and', ...others] = tests;
  return others.reduce((one, other) => {
    return node.kind === 'and' ? () => one() && other() : () => one() || other();
  }, first);
}

/** Can only become true when something happens: nothing else has to be looked at. */
export function isMomentary(node: Node): boolean {
  switch (node.kind) {
    case 'and':
      return node.of.some(isMomentary);
    case 'or':
      return node.of.every(isMomentary);
    case 'expression':
      return false;
    case 'trigger':
      return node.type !== 'raster';
  }
}

/** Whether it cannot be true whatever happens in a run, whenever in it that comes: something decides that does not depend on the time. */
export function isShut(node: Node): boolean {
  switch (node.kind) {
    case 'and':
      return node.of.some(isShut);
    case 'or':
      return node.of.every(isShut);
    case 'expression':
      return node.scope.isTimeless && node.holds() === 0;
    case 'trigger':
      return node.isTimeless && node.holds?.() === 0;
  }
}

/** The lines of the raster in which a tree has to be asked before every instruction, because an expression decides. */
export function linesToAsk(node: Node, lines: number): Uint8Array {
  if (isMomentary(node) || node.kind === 'trigger') return new Uint8Array(lines);
  if (node.kind === 'expression') return node.scope.lines;
  const parts = node.of.map((part) => linesToAsk(part, lines));
  const asked = combined(parts, lines, (values) => values.some((value) => value !== 0));
  if (node.kind === 'or') return asked;
  const possible = node.of.map((part) => possibleLines(part, lines));
  return combined([asked, ...possible], lines, (values) => values.every((value) => value !== 0));
}

/** What a tree has to pass to become true within a run, where that is known; `isFalse`: it was not true when the run began. */
export function gatesIn(node: Node, isFalse = true): Gates | undefined {
  if (node.kind === 'trigger') return undefined;
  if (node.kind === 'expression') return isFalse ? node.scope.gates : node.scope.gatesAsPart;
  // Every part of an `or` that is false is false as well; of an `and` one may be true already.
  const isOr = node.kind === 'or';
  const [first, ...others] = node.of.map((part) => gatesIn(part, isOr && isFalse));
  return others.reduce(isOr ? either : both, first);
}

/** The lines in which a tree can be true at all. */
function possibleLines(node: Node, lines: number): Uint8Array {
  if (node.kind === 'trigger' && node.type === 'raster') {
    return Uint8Array.from({ length: lines }, (_, line) => (isIn(node, line) ? 1 : 0));
  }
  if (node.kind === 'expression') return node.scope.lines;
  if (node.kind === 'trigger') return new Uint8Array(lines).fill(1);
  const parts = node.of.map((part) => possibleLines(part, lines));
  const isAnd = node.kind === 'and';
  const isSet = (value: number) => value !== 0;
  return combined(parts, lines, (values) => (isAnd ? values.every(isSet) : values.some(isSet)));
}

function combined(
  parts: readonly Uint8Array[],
  lines: number,
  join: (values: readonly number[]) => boolean,
): Uint8Array {
  return Uint8Array.from({ length: lines }, (_, line) => (join(parts.map((part) => part[line] ?? 0)) ? 1 : 0));
}

function isIn({ first, last }: Trigger, line: number): boolean {
  return line >= first && line <= last;
}
