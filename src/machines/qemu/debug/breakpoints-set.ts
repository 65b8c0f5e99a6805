import type { Breakpoint, BreakpointChange, BreakpointSpec } from '../../../machine/breakpoints.ts';
import { MachineError } from '../../../machine/errors.ts';
import { type Armed as ArmedWith, BreakpointList } from '../../shared/breakpoint-list.ts';
import type { WideReading } from '../../shared/condition/wide-condition.ts';
import type { Point } from './stub-points.ts';
import type { TargetVocabulary } from './target-vocabulary.ts';

/** More would be set one by one at the stub. */
const maxExecLength = 256;

interface Own {
  readonly holds: WideReading | undefined;
  readonly logs: WideReading | undefined;
  /** What the memory under a `change` held when it was last looked at. */
  lastBytes: Uint8Array | undefined;
}

export type Armed = ArmedWith<Own>;

/** The breakpoints people set, whatever of them is in the stub. */
export class BreakpointsSet {
  readonly #vocabulary: TargetVocabulary;
  readonly #list = new BreakpointList((spec) => this.#arm(spec));

  /** With those of the process before, under their numbers. */
  constructor(vocabulary: TargetVocabulary, before: BreakpointsSet | undefined) {
    this.#vocabulary = vocabulary;
    if (before) this.#list.adopt(before.#list);
  }

  add(spec: BreakpointSpec): Armed {
    if (isExecution(spec) && spec.length > maxExecLength) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `A breakpoint on execution covers at most ${maxExecLength} bytes here.`,
        'Set it at the first instruction, with length 1.',
      );
    }
    return this.#list.add(spec);
  }

  remove(id: number): void {
    this.#list.remove(id);
  }

  change(id: number, change: BreakpointChange): Armed {
    return this.#list.change(id, change);
  }

  met(armed: Armed): ReturnType<BreakpointList<Own>['met']> {
    return this.#list.met(armed);
  }

  list(): readonly Breakpoint[] {
    return this.#list.list();
  }

  points(): Point[] {
    return this.#list.enabled().flatMap(pointsOf);
  }

  get watchesExecution(): boolean {
    return this.#list.enabled().some(isExecution);
  }

  changes(): readonly Armed[] {
    return this.#list.enabled('change');
  }

  executed(pc: bigint): Armed[] {
    return this.#list
      .enabled()
      .filter((armed) => isExecution(armed) && pc >= armed.address && pc < armed.address + BigInt(armed.length));
  }

  /** Those whose watchpoint the stub says was hit: it names the first address of it. */
  watched(access: 'read' | 'write' | 'access', address: bigint): Armed[] {
    return this.#list.enabled().filter((armed) => {
      if (isExecution(armed) || armed.address !== address) return false;
      if (access === 'access' || armed.type === 'access') return true;
      return (armed.type === 'read') === (access === 'read');
    });
  }

  #arm({ condition, log, cpu }: BreakpointSpec): Own {
    const compiled = (source: string | undefined) =>
      source === undefined ? undefined : this.#vocabulary.compile(source);
    const holds = compiled(condition);
    const onIt = async () => (this.#vocabulary.processor === cpu ? ((await holds?.()) ?? 1n) : 0n);
    return { holds: cpu === undefined ? holds : onIt, logs: compiled(log), lastBytes: undefined };
  }
}

function isExecution({ type }: BreakpointSpec): boolean {
  return type === 'exec' || type === 'hardware';
}

function pointsOf({ type, address, length }: Armed): Point[] {
  if (type === 'read' || type === 'access') return [{ type, address, length }];
  if (type === 'write' || type === 'change') return [{ type: 'write', address, length }];
  const kind = type === 'hardware' ? type : 'software';
  return Array.from({ length }, (_, n) => ({ type: kind, address: address + BigInt(n), length: 1 }));
}
