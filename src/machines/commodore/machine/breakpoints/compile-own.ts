import type { BreakpointSpec } from '../../../../machine/breakpoints.ts';
import { compileCondition, type Vocabulary } from '../../../shared/condition/condition.ts';

import type { CommodoreBoard } from '../../board/commodore-board.ts';
import { CommodoreVocabulary } from '../commodore-vocabulary.ts';
import type { Own } from './armed-breakpoint.ts';
import { waitsForAccess } from './check-spec.ts';
import { compileOnBoard } from './compile-on-board.ts';
import { isMomentary, type Moment, testOf } from './composite.ts';
import type { ConditionScope } from './condition-scope.ts';
import { refuseMisplaced } from './refuse-misplaced.ts';
import { compileTree, compileTrigger, triggersIn } from './trigger.ts';

interface Surroundings {
  readonly board: CommodoreBoard;
  readonly moment: Moment;
  /** Of the processor that it is about. */
  readonly vocabulary: Vocabulary;
  scopeOf(condition: string): ConditionScope;
}

/** A breakpoint as it is asked: its tree, its conditions and what it logs, each compiled once. */
export function compileOwn({ log, tree, ...trigger }: BreakpointSpec, around: Surroundings): Own {
  const { condition } = trigger;
  const { board, moment, vocabulary, scopeOf } = around;
  const isOfAccess = waitsForAccess(tree ?? trigger);
  const compiling = {
    compile: (source: string) =>
      vocabulary instanceof CommodoreVocabulary
        ? compileOnBoard(source, vocabulary, isOfAccess)
        : compileCondition(source, vocabulary),
    scopeOf,
  };
  const root = tree
    ? compileTree(condition === undefined ? tree : { operator: 'and', of: [tree, { condition }] }, compiling)
    : compileTrigger(trigger, compiling);
  const momentary = triggersIn(root).filter(({ type }) => type !== 'raster' && type !== 'exec');
  if (log !== undefined) refuseMisplaced(log, isOfAccess);
  const logs = log === undefined ? undefined : compileCondition(log, vocabulary);
  return {
    root,
    test: testOf(root, board, moment),
    logs,
    isCombining: momentary.length > 1,
    isMomentary: isMomentary(root),
    wasTrue: false,
  };
}
