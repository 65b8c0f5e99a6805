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

  constructor(vocabulary: TargetVocabulary) {
    this.#vocabulary = vocabulary;
  }

  add(spec: BreakpointSpec): Armed {
    if (spec.type === 'exec' && spec.length > maxExecLength) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `An exec breakpoint covers at most ${maxExecLength} bytes here.`,
        'Set it at the first instruction, with length 1.',
      );
    }
    const holds = spec.condition === undefined ? undefined : compileWideCondition(spec.condition, this.#vocabulary);
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
    return this.#enabled().some(({ type }) => type === 'exec');
  }

  changes(): Armed[] {
    return this.#enabled().filter(({ type }) => type === 'change');
  }

  executed(pc: bigint): Armed[] {
    return this.#enabled().filter(
      ({ type, address, length }) => type === 'exec' && pc >= address && pc < address + BigInt(length),
    );
  }

  /** Those whose watchpoint the stub says was hit: it names the first address of it. */
  watched(access: 'read' | 'write' | 'access', address: bigint): Armed[] {
    return this.#enabled().filter((armed) => {
      if (armed.type === 'exec' || armed.address !== address) return false;
      return access === 'access' || (armed.type === 'read') === (access === 'read');
    });
  }

  #enabled(): Armed[] {
    return [...this.#all.values()].filter(({ enabled }) => enabled);
  }
}

export function listed({ holds: _, lastBytes: __, ...breakpoint }: Armed): Breakpoint {
  return { ...breakpoint };
}

function pointsOf({ type, address, length }: Armed): Point[] {
  if (type !== 'exec') return [{ type: type === 'read' ? 'read' : 'write', address, length }];
  return Array.from({ length }, (_, n) => ({ type: 'software' as const, address: address + BigInt(n), length: 1 }));
}
