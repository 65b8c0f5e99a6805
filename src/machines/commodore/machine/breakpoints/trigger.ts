import type { BreakpointTree, BreakpointTrigger } from '../../../../machine/breakpoints.ts';
import { compileCondition, type Reading, type Vocabulary } from '../../../shared/condition/condition.ts';

/** A trigger in use. */
export interface Trigger {
  readonly kind: 'trigger';
  readonly type: string;
  /** Addresses, lines or registers, as the type has it. */
  readonly first: number;
  readonly last: number;
  readonly chip: string | undefined;
  readonly each: boolean;
  readonly mask: number;
  readonly bank: { readonly space: string; readonly number: number | undefined } | undefined;
  readonly holds: Reading | undefined;
  /** In a composite: whether it has happened in the instruction under way. */
  isNow: boolean;
}

interface Expression {
  readonly kind: 'expression';
  readonly holds: Reading;
}

interface Junction {
  readonly kind: 'and' | 'or';
  readonly of: readonly Node[];
}

/** What a breakpoint waits for, compiled. */
export type Node = Trigger | Expression | Junction;

export function compileTrigger(trigger: BreakpointTrigger, vocabulary: Vocabulary): Trigger {
  const { type, address, length, condition, chip, each = false, mask = 0xff, bank } = trigger;
  const [, space = '', number] = /^(\w+)(?::(\d+))?$/.exec(bank ?? '') ?? [];
  const first = Number(address);
  return {
    kind: 'trigger',
    type,
    first,
    last: first + length - 1,
    chip,
    each,
    mask,
    bank: bank === undefined ? undefined : { space, number: number === undefined ? undefined : Number(number) },
    holds: condition === undefined ? undefined : compileCondition(condition, vocabulary),
    isNow: false,
  };
}

export function compileTree(tree: BreakpointTree, vocabulary: Vocabulary): Node {
  if (tree.operator !== undefined) {
    return { kind: tree.operator, of: tree.of.map((part) => compileTree(part, vocabulary)) };
  }
  if (tree.type !== undefined) return compileTrigger(tree, vocabulary);
  return { kind: 'expression', holds: compileCondition(tree.condition, vocabulary) };
}

export function triggersIn(node: Node): readonly Trigger[] {
  if (node.kind === 'trigger') return [node];
  return node.kind === 'expression' ? [] : node.of.flatMap(triggersIn);
}
