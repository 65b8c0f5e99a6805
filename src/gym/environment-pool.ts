import { readSnapshotFile } from '../formats/snapshot/snapshot-file.ts';
import { MachineError } from '../machine/errors.ts';
import { Breaths } from './breaths.ts';
import { Environment } from './environment.ts';
import { GymRack, packed } from './gym-rack.ts';
import { LiveEpisodes } from './live-episodes.ts';
import type { SavedEpisode } from './pool-messages.ts';
import type { StepBuffers } from './step-buffers.ts';
import { flags } from './step-buffers.ts';
import type { VectorSpec } from './vector-spec.ts';

/** The environments of one thread, from number `first` on. Their answers go to buffers that all threads share. */
export class EnvironmentPool {
  readonly #spec: VectorSpec;
  readonly #rack: GymRack;
  readonly #buffers: StepBuffers;
  readonly #first: number;
  readonly #environments: Environment[] = [];
  readonly #hasEnded: boolean[] = [];

  private constructor(spec: VectorSpec, rack: GymRack, buffers: StepBuffers, first: number) {
    this.#spec = spec;
    this.#rack = rack;
    this.#buffers = buffers;
    this.#first = first;
  }

  /**
   * `template` is a machine where episodes begin; without one, it is made and others are copies of it. Gives up once the
   * signal says so.
   */
  static async open(
    spec: VectorSpec,
    buffers: StepBuffers,
    first: number,
    count: number,
    template?: Uint8Array,
    signal?: AbortSignal,
  ): Promise<EnvironmentPool> {
    const pool = new EnvironmentPool(spec, await GymRack.open(spec, signal), buffers, first);
    const breaths = new Breaths(signal);
    try {
      let like = template;
      for (let index = 0; index < count; index += 1) {
        await breaths.take();
        const machine = await pool.#rack.next(like);
        like ??= count > 1 ? await packed(machine) : undefined;
        const episodes = machine.episodes ?? new LiveEpisodes(machine, pool.#rack.signal);
        pool.#environments.push(await Environment.open(machine, episodes, spec, first + index));
        pool.#hasEnded.push(true);
      }
      return pool;
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  /** A machine where episodes begin, as a file; undefined where a machine of the kind cannot be one. */
  static async template(spec: VectorSpec, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    const rack = await GymRack.open(spec, signal);
    try {
      return await packed(await rack.first());
    } finally {
      await rack.close();
    }
  }

  /** `index` counts the environments of the whole vector. */
  async reset(index: number, random?: number): Promise<void> {
    const environment = this.#at(index);
    await environment.reset(random);
    this.#hasEnded[index - this.#first] = false;
    this.#buffers.setStep(index, [], 0);
    await environment.observe(this.#buffers.observation(index));
  }

  async step(index: number): Promise<void> {
    const environment = this.#at(index);
    const place = index - this.#first;
    if (this.#hasEnded[place]) {
      if (this.#spec.autoreset !== 'disabled') return this.reset(index);
      const message = `The episode of environment ${index} has ended.`;
      throw new MachineError('WRONG_STATE', message, 'Reset it before the next step, or use another autoreset.');
    }
    const { rewards, terminated, truncated } = await environment.step(this.#buffers.actions(index));
    this.#buffers.setStep(index, rewards, (terminated ? flags.terminated : 0) | (truncated ? flags.truncated : 0));
    if (terminated || truncated) {
      if (this.#spec.autoreset === 'same_step') {
        await environment.observe(this.#buffers.finalObservation(index));
        await environment.reset();
      } else this.#hasEnded[place] = true;
    }
    await environment.observe(this.#buffers.observation(index));
  }

  async save(index: number): Promise<SavedEpisode> {
    const environment = this.#at(index);
    const file = await packed(environment.machine);
    const observation = this.#buffers.observation(index).slice();
    const hasEnded = this.#hasEnded[index - this.#first] === true;
    if (file) return { file, facts: { ...environment.facts, hasEnded }, observation };
    const message = `A ${environment.machine.kind} machine cannot be saved as a file.`;
    throw new MachineError('MISSING_CAPABILITY', message, 'Use reset to go back to the start of an episode.');
  }

  async restore(index: number, { file, facts, observation }: SavedEpisode): Promise<void> {
    const environment = this.#at(index);
    const { snapshots, kind } = environment.machine;
    const snapshot = await readSnapshotFile(file);
    if (snapshot.kind !== kind) {
      const message = `The saved environment is of kind ${snapshot.kind}, but this one is a ${kind}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Restore it into environments opened with the same options.');
    }
    await snapshots?.unpack?.(snapshot, 'here', this.#rack.signal);
    environment.facts = facts;
    this.#hasEnded[index - this.#first] = facts.hasEnded;
    this.#buffers.setStep(index, [], 0);
    this.#buffers.observation(index).set(observation);
  }

  async close(): Promise<void> {
    await this.#rack.close();
  }

  #at(index: number): Environment {
    const environment = this.#environments[index - this.#first];
    if (!environment) throw new RangeError(`no environment ${index} in this thread`);
    return environment;
  }
}
