import { compileWideCondition } from '../../../machine/condition/wide-condition.ts';
import type { RunLimits } from '../../../machine/control.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { Stop } from '../../../machine/state.ts';
import type { Execution } from './execution.ts';
import type { Target } from './target.ts';
import type { TargetVocabulary } from './target-vocabulary.ts';

/** Each single movement into the past; seconds on a recording of millions of instructions. */
const stepMs = 20_000;

/** Movement into the past of a replayed recording. */
export class Rewind {
  readonly #execution: Execution;
  readonly #target: Target;
  readonly #vocabulary: TargetVocabulary;
  readonly refusal: string | undefined;

  constructor(execution: Execution, target: Target, vocabulary: TargetVocabulary) {
    this.#execution = execution;
    this.#target = target;
    this.#vocabulary = vocabulary;
    this.refusal = refusalOf(target);
  }

  steps(count: number, wallMs: number, signal: AbortSignal): Promise<Stop> {
    this.#refuse();
    let taken = 0;
    return this.#execution.paced(wallMs, signal, async () => {
      const start = await this.#back('reverseStep', stepMs);
      if (start) return { cause: 'limit', reason: start };
      return ++taken === count
        ? { cause: 'step', reason: count === 1 ? 'step back' : `${count} steps back` }
        : undefined;
    });
  }

  async run({ address, condition, wallMs }: RunLimits, signal: AbortSignal): Promise<Stop> {
    this.#refuse();
    await this.#execution.pause();
    const holds = condition === undefined ? undefined : compileWideCondition(condition, this.#vocabulary);
    const goal = address === undefined ? [] : [address];
    return this.#execution.paced(wallMs, signal, async () => {
      const before = await this.#target.pc();
      const start = holds
        ? await this.#back('reverseStep', stepMs)
        : await this.#execution.withPlaces(goal, () => this.#back('reverseContinue', wallMs));
      if (start) return { cause: 'limit', reason: start };
      const pc = await this.#target.pc();
      if (holds && (await holds()) !== 0n) return { cause: 'breakpoint', reason: `condition ${condition}` };
      if (pc === address) return { cause: 'breakpoint', reason: 'the address was reached' };
      const [hit] = this.#execution.breakpointsAt(pc);
      if (hit) {
        const { id, type } = hit;
        return { cause: 'breakpoint', reason: `breakpoint ${id}, ${type}, on the way back`, breakpoint: { id, type } };
      }
      if (holds) return undefined;
      return { cause: 'limit', reason: pc === before ? 'nothing further back' : 'the beginning of the recording' };
    });
  }

  /** Instructions since the beginning of the recording. */
  async position(): Promise<number> {
    const answer = await this.#target.qmp.execute('query-replay');
    return Number(Reflect.get(Object(answer), 'icount') ?? 0);
  }

  /** The words for having reached the beginning, if that happened. */
  async #back(how: 'reverseStep' | 'reverseContinue', timeoutMs: number): Promise<string | undefined> {
    const reply = await this.#execution.move(() => this.#target.gdb[how](), timeoutMs);
    if (!reply) {
      throw new MachineError(
        'UNAVAILABLE',
        'QEMU did not get back in time; its replay may be stuck.',
        'Stop the machine and start it again from the recording.',
      );
    }
    return reply.replayLog === 'begin' ? 'the beginning of the recording' : undefined;
  }

  #refuse(): void {
    if (this.refusal === undefined) return;
    throw new MachineError('MISSING_CAPABILITY', this.refusal, 'Save a snapshot before the place of interest instead.');
  }
}

/**
 * Replays of PCs hang QEMU's main loop after a few movements back (QEMU issue 2634), so they are not offered. With 10.0
 * and 11.1 that is rarer under U-Boot and as sure as ever under SeaBIOS.
 */
function refusalOf(target: Target): string | undefined {
  if (!target.gdb.canReverse) return 'This virtual machine does not replay a recording, so it cannot go back.';
  return target.isX86 ? 'Going back is not reliable on x86 in QEMU, so it is refused.' : undefined;
}
