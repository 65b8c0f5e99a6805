import type { StopEvent, StoppingBreakpoint } from '../../../../machine/state.ts';
import type { Armed as ArmedWith } from '../../../shared/breakpoint-list.ts';
import type { Reading } from '../../../shared/condition/condition.ts';
import type { BusAccess } from '../bus-event.ts';
import type { Node, Trigger } from './trigger.ts';

/** What is kept of a breakpoint here. */
export interface Own {
  readonly root: Node;
  /** Whether it is true now, in the eyes of who comes to the border of an instruction. */
  test(): boolean;
  readonly logs: Reading | undefined;
  /** Several things that happen in one instruction may make its tree true together. */
  readonly isCombining: boolean;
  /** It can only become true when something happens. */
  readonly isMomentary: boolean;
  /** Of a composite: whether the tree was true when it was last looked at. */
  wasTrue: boolean;
}

export type Armed = ArmedWith<Own>;

/** A trigger and the breakpoint that it is part of. */
export interface Part {
  readonly armed: Armed;
  readonly trigger: Trigger;
}

/** Met in the instruction under way. */
export interface Hit {
  readonly armed: Armed;
  readonly access?: BusAccess;
  readonly event?: StopEvent;
  readonly logged: bigint | undefined;
}

/** A breakpoint that was met, and what met it. */
export interface MetBreakpoint {
  readonly breakpoint: StoppingBreakpoint;
  /** Left out where it would say no more than where the machine is. */
  readonly event?: StopEvent;
}
