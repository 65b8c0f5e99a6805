import type { BreakpointTree, BreakpointTrigger } from '../../../../machine/breakpoints.ts';
import type { Reading } from '../../../shared/condition/condition.ts';
import type { ConditionScope } from './condition-scope.ts';

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
  /** See `ConditionScope`. */
  readonly isPlain: boolean;
  readonly isTimeless: boolean;
  /** In a composite: whether it has happened in the instruction under way. */
  isNow: boolean;
}

interface Expression {
  readonly kind: 'expression';
  readonly holds: Reading;
  readonly scope: ConditionScope;
}

interface Junction {
  readonly kind: 'and' | 'or';
  readonly of: readonly Node[];
}

/** What conditions are compiled with. */
export interface Compiling {
  compile(condition: string): Reading;
  scopeOf(condition: string): ConditionScope;
}

/** What a breakpoint waits for, compiled. */
export type Node = Trigger | Expression | Junction;

export function compileTrigger(trigger: BreakpointTrigger, { compile, scopeOf }: Compiling): Trigger {
  const { type, address, length, condition, chip, each = false, mask = 0xff, bank } = trigger;
  const [, space = '', number] = /^(\w+)(?::(\d+))?$/.exec(bank ?? '') ?? [];
  const first = Number(address);
  const scope = condition === undefined ? undefined : scopeOf(condition);
  return {
    kind: 'trigger',
    type,
    first,
    last: first + length - 1,
    chip,
    each,
    mask,
    bank: bank === undefined ? undefined : { space, number: number === undefined ? undefined : Number(number) },
    holds: condition === undefined ? undefined : compile(condition),
    isPlain: scope?.isPlain ?? true,
    isTimeless: scope?.isTimeless ?? true,
    isNow: false,
  };
}

export function compileTree(tree: BreakpointTree, compiling: Compiling): Node {
  if (tree.operator !== undefined) {
    return { kind: tree.operator, of: tree.of.map((part) => compileTree(part, compiling)) };
  }
  if (tree.type !== undefined) return compileTrigger(tree, compiling);
  const { condition } = tree;
  const holds = compiling.compile(condition);
  return { kind: 'expression', holds, scope: compiling.scopeOf(condition) };
}

/** Whether all that a tree depends on is as it should be at any time within a run. */
export function isPlain(node: Node): boolean {
  if (node.kind === 'trigger') return node.isPlain;
  return node.kind === 'expression' ? node.scope.isPlain : node.of.every(isPlain);
}

export function triggersIn(node: Node): readonly Trigger[] {
  if (node.kind === 'trigger') return [node];
  return node.kind === 'expression' ? [] : node.of.flatMap(triggersIn);
}

/** Whether its condition holds now. */
export function asked({ holds }: Trigger): boolean {
  return holds === undefined || holds() !== 0;
}
