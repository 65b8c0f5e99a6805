import { MachineError } from '../machine/errors.ts';
import { observationBytes, type VectorSpec } from './vector-spec.ts';

/** Of all environments together. */
const mostObservationBytes = 1024 ** 3;

export const flags = { terminated: 1, truncated: 2, lost: 4 } as const;

/** What threads share: actions on their way to environments, and what comes of them. */
export interface SharedSteps {
  readonly actions: SharedArrayBuffer;
  readonly observations: SharedArrayBuffer;
  /** Of episodes that have ended, where the next one begins in the same step. */
  readonly finals: SharedArrayBuffer;
  readonly rewards: SharedArrayBuffer;
  readonly flags: SharedArrayBuffer;
}

export class StepBuffers {
  readonly shared: SharedSteps;
  readonly observationBytes: number;
  readonly allActions: Uint8Array;
  readonly allObservations: Uint8Array;
  readonly allFinals: Uint8Array;
  readonly allRewards: Float32Array;
  readonly allFlags: Uint8Array;
  readonly #players: number;

  constructor(spec: VectorSpec, shared: SharedSteps = newShared(spec)) {
    this.shared = shared;
    this.observationBytes = observationBytes(spec);
    this.#players = spec.action.length;
    this.allActions = new Uint8Array(shared.actions);
    this.allObservations = new Uint8Array(shared.observations);
    this.allFinals = new Uint8Array(shared.finals);
    this.allRewards = new Float32Array(shared.rewards);
    this.allFlags = new Uint8Array(shared.flags);
  }

  actions(index: number): Uint8Array {
    return this.allActions.subarray(index * this.#players, (index + 1) * this.#players);
  }

  observation(index: number): Uint8Array {
    return this.allObservations.subarray(index * this.observationBytes, (index + 1) * this.observationBytes);
  }

  finalObservation(index: number): Uint8Array {
    return this.allFinals.subarray(index * this.observationBytes, (index + 1) * this.observationBytes);
  }

  /** Rewards that are missing are 0. */
  setStep(index: number, rewards: readonly number[], flag: number): void {
    for (let player = 0; player < this.#players; player += 1) {
      this.allRewards[index * this.#players + player] = rewards[player] ?? 0;
    }
    this.allFlags[index] = flag;
  }
}

function newShared(spec: VectorSpec): SharedSteps {
  const { count, action: players, autoreset } = spec;
  const observations = count * observationBytes(spec);
  if (observations > mostObservationBytes) {
    const fix = 'Open fewer environments, or observe less of each.';
    throw new MachineError('LIMIT_REACHED', `The observations take ${observations} bytes; 1 GB is the most.`, fix);
  }
  return {
    actions: new SharedArrayBuffer(count * players.length),
    observations: new SharedArrayBuffer(observations),
    finals: new SharedArrayBuffer(autoreset === 'same_step' ? observations : 0),
    rewards: new SharedArrayBuffer(count * players.length * 4),
    flags: new SharedArrayBuffer(count),
  };
}
