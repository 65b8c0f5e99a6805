import type { RunLimits } from '../../../machine/control.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { Stop } from '../../../machine/state.ts';
import type { Cause } from '../../shared/cause.ts';
import type { Execution } from './execution.ts';
import type { LiveTarget } from './live-target.ts';
import { LookBack } from './look-back.ts';
import type { Patience, Playback } from './playback.ts';
import type { TargetVocabulary } from './target-vocabulary.ts';

const arrived: Cause = { cause: 'breakpoint', reason: 'the address was reached' };
const theBeginning: Cause = { cause: 'limit', reason: 'the beginning of the recording' };

/** Movement within a recording that is played. */
export class ReplayRewind {
  readonly playback: Playback | undefined;
  readonly #execution: Execution;
  readonly #target: LiveTarget;
  readonly #vocabulary: TargetVocabulary;

  constructor(execution: Execution, target: LiveTarget, vocabulary: TargetVocabulary, playback: Playback | undefined) {
    this.playback = playback;
    this.#execution = execution;
    this.#target = target;
    this.#vocabulary = vocabulary;
  }

  steps(count: number, wallMs: number, signal: AbortSignal): Promise<Stop> {
    const playback = this.#require();
    return this.#execution.paced(wallMs, signal, async () => {
      const goal = (await playback.position()) - count;
      const missed = await playback.goTo(Math.max(0, goal), patient(wallMs, signal));
      const reason = count === 1 ? 'step back' : `${count} steps back`;
      return missed ?? (goal < 0 ? theBeginning : { cause: 'step', reason });
    });
  }

  /** To the last moment at which a breakpoint, an address or a condition would have stopped it. */
  async run({ address, condition, cycles, wallMs }: RunLimits, signal: AbortSignal): Promise<Stop> {
    const playback = this.#require();
    await this.#execution.pause();
    const holds = condition === undefined ? undefined : this.#vocabulary.compile(condition);
    const patience = patient(wallMs, signal);
    const look = new LookBack(
      playback,
      this.#execution,
      this.#target,
      patience,
      holds && { holds, text: `${condition}` },
    );
    return this.#execution.paced(wallMs, signal, async () => {
      const first = cycles === undefined ? -1 : (await playback.position()) - cycles;
      const start = Math.max(0, first);
      const looks = holds !== undefined || address !== undefined || this.#execution.ground.watches;
      const places = address === undefined ? [] : [address];
      const found = looks
        ? await this.#execution.ground.withPlaces(places, arrived, () => look.from(start))
        : undefined;
      if (found) return found;
      return (await playback.goTo(start, patience)) ?? (first < 0 ? theBeginning : instructions(cycles ?? 0, 'back'));
    });
  }

  /** A run forward that ends after so many instructions if nothing else ends it. */
  async ahead(count: number, run: () => Promise<Stop>): Promise<Stop> {
    const playback = this.#require();
    playback.setGoal({ position: (await playback.position()) + count, cause: instructions(count, 'on') });
    try {
      return await run();
    } finally {
      playback.setGoal(undefined);
      // One that still runs gets its next end set.
      if (this.#execution.state === 'RUNNING') await this.#execution.atRest(async () => {});
    }
  }

  /** Why it cannot go back, if so. */
  get refusal(): string | undefined {
    return this.playback ? undefined : 'This virtual machine does not replay a recording, so it cannot go back.';
  }

  #require(): Playback {
    if (this.playback) return this.playback;
    throw new MachineError(
      'MISSING_CAPABILITY',
      `${this.refusal}`,
      'Save a snapshot before the place of interest instead.',
    );
  }
}

function patient(wallMs: number, signal: AbortSignal): Patience {
  return { end: performance.now() + wallMs, signal };
}

function instructions(count: number, where: 'back' | 'on'): Cause {
  return { cause: 'limit', reason: `${count} ${count === 1 ? 'instruction' : 'instructions'} ${where}` };
}
