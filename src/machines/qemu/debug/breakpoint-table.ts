import type { Breakpoint, BreakpointSpec } from '../../../machine/breakpoints.ts';
import { compileWideCondition, type WideReading } from '../../../machine/condition/wide-condition.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { Point } from './points.ts';
import type { TargetVocabulary } from './target-vocabulary.ts';

/** More would be set one by one at the stub. */
const maxExecLength = 256;

export interface Armed extends Breakpoint {
  hits: number;
  enabled: boolean;
  readonly holds: WideReading | undefined;
  /** What the memory under a `change` held when it was last looked at. */
  lastBytes: Uint8Array | undefined;
}

/** The breakpoints people set, whatever of them is in the stub. */
export class BreakpointTable {
  readonly #vocabulary: TargetVocabulary;
  readonly #all = new Map<number, Armed>();
  #nextId = 1;

  /** With those of the process before, under their numbers. */
  constructor(vocabulary: TargetVocabulary, before: BreakpointTable | undefined) {
    this.#vocabulary = vocabulary;
    if (!before) return;
    this.#nextId = before.#nextId;
    for (const armed of before.#all.values()) {
      this.#all.set(armed.id, { ...armed, holds: this.#compile(armed.condition), lastBytes: undefined });
    }
  }

  add(spec: BreakpointSpec): Armed {
    if (isExecution(spec) && spec.length > maxExecLength) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `A breakpoint on execution covers at most ${maxExecLength} bytes here.`,
        'Set it at the first instruction, with length 1.',
      );
    }
    const holds = this.#compile(spec.condition);
    const armed: Armed = { ...spec, id: this.#nextId++, enabled: true, hits: 0, holds, lastBytes: undefined };
    this.#all.set(armed.id, armed);
    return armed;
  }

  remove(id: number): void {
    this.find(id);
    this.#all.delete(id);
  }

  find(id: number): Armed {
    const found = this.#all.get(id);
    if (found) return found;
    const ids = [...this.#all.keys()].join(', ');
    throw new MachineError('NOT_FOUND', `No breakpoint ${id}.`, ids ? `There are: ${ids}.` : 'There are none.');
  }

  list(): Breakpoint[] {
    return [...this.#all.values()].map(listed);
  }

  points(): Point[] {
    return this.#enabled().flatMap(pointsOf);
  }

  get watchesExecution(): boolean {
    return this.#enabled().some(isExecution);
  }

  changes(): Armed[] {
    return this.#enabled().filter(({ type }) => type === 'change');
  }

  executed(pc: bigint): Armed[] {
    return this.#enabled().filter(
      (armed) => isExecution(armed) && pc >= armed.address && pc < armed.address + BigInt(armed.length),
    );
  }

  /** Those whose watchpoint the stub says was hit: it names the first address of it. */
  watched(access: 'read' | 'write' | 'access', address: bigint): Armed[] {
    return this.#enabled().filter((armed) => {
      if (isExecution(armed) || armed.address !== address) return false;
      if (access === 'access' || armed.type === 'access') return true;
      return (armed.type === 'read') === (access === 'read');
    });
  }

  #compile(condition: string | undefined): WideReading | undefined {
    return condition === undefined ? undefined : compileWideCondition(condition, this.#vocabulary);
  }

  #enabled(): Armed[] {
    return [...this.#all.values()].filter(({ enabled }) => enabled);
  }
}

export function listed({ holds: _, lastBytes: __, ...breakpoint }: Armed): Breakpoint {
  return { ...breakpoint };
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
