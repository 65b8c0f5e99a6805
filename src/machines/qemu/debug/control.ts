import type { ControlCapability, RunLimits, StepRequest } from '../../../machine/control.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { Stop } from '../../../machine/state.ts';
import type { Cause } from '../../shared/cause.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { sureReturn } from './call-stack.ts';
import { disassemble } from './disassembly.ts';
import type { Execution } from './execution.ts';
import type { Goal } from './judge.ts';
import type { ReplayRewind } from './replay-rewind.ts';
import type { Target } from './target.ts';
import type { TargetVocabulary } from './target-vocabulary.ts';

/** A virtual machine has no frames of its own; a fiftieth of a second stands for one. */
const msPerFrame = 20;

/** Ends a round of steps without being a stop that anybody sees: a subroutine is run through at full speed. */
const atCall: Cause = { cause: 'step', reason: 'step' };

/** Run control of a virtual machine, which runs on its own until somebody stops it. */
export class QemuControl implements ControlCapability {
  readonly #execution: Execution;
  readonly #target: Target;
  readonly #symbols: QemuSymbols;
  readonly #vocabulary: TargetVocabulary;
  readonly #rewind: ReplayRewind;
  readonly #reset: (mode: 'soft' | 'hard') => Promise<void>;

  constructor(
    execution: Execution,
    target: Target,
    symbols: QemuSymbols,
    vocabulary: TargetVocabulary,
    rewind: ReplayRewind,
    reset: (mode: 'soft' | 'hard') => Promise<void>,
  ) {
    this.#execution = execution;
    this.#target = target;
    this.#symbols = symbols;
    this.#vocabulary = vocabulary;
    this.#rewind = rewind;
    this.#reset = reset;
  }

  get canRewind(): boolean {
    return this.#rewind.refusal === undefined;
  }

  async run(limits: RunLimits, signal: AbortSignal): Promise<Stop> {
    if (limits.cycles !== undefined && !this.canRewind) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        'QEMU counts no cycles, and instructions only while it replays a recording.',
        [advice`Use until, condition or timeout_ms.`, advice`Step by instructions: ${call('step', { count: 1000 })}.`],
      );
    }
    const wallMs = Math.min(limits.wallMs, (limits.frames ?? Number.POSITIVE_INFINITY) * msPerFrame);
    if (limits.back) return this.#rewind.run({ ...limits, wallMs }, signal);
    if (limits.cycles === undefined) return this.#forward(limits, wallMs, signal);
    await this.#execution.pause();
    return this.#rewind.ahead(limits.cycles, () => this.#forward(limits, wallMs, signal));
  }

  async #forward(limits: RunLimits, wallMs: number, signal: AbortSignal): Promise<Stop> {
    if (limits.condition !== undefined) return this.#runStepping(limits.condition, limits.address, wallMs, signal);
    const goals = limits.address === undefined ? [] : [this.#arriving(limits.address)];
    const { since, stop } = await this.#execution.goAndWait(goals, wallMs, signal);
    if (stop) return stop;
    await this.#execution.withdraw(goals);
    // It may have stopped in the meantime.
    if (this.#execution.stop && this.#execution.stops !== since) return this.#execution.stop;
    return { seq: this.#execution.stops, cause: 'limit', reason: 'time limit; it runs on' };
  }

  pause(): Promise<Stop> {
    return this.#execution.pause();
  }

  hold(): Promise<() => void> {
    return this.#execution.hold();
  }

  async reset(mode: 'soft' | 'hard'): Promise<void> {
    await this.#execution.atRest(async () => {
      await this.#reset(mode);
      this.#execution.forgetStop();
      await this.#execution.replaced();
    });
  }

  async step({ kind, count, back, cpu, wallMs }: StepRequest, signal: AbortSignal): Promise<Stop> {
    const thread = cpu === undefined ? undefined : this.#execution.threadNamed(cpu);
    await this.#execution.pause();
    if (thread !== undefined) await this.#execution.select(thread);
    if (back && kind === 'out') throw notBackOut();
    if (back) {
      const stop = await this.#rewind.steps(count, wallMs, signal);
      return kind === 'over' && stop.cause === 'step' ? { ...stop, reason: `${stop.reason}${byInstructions}` } : stop;
    }
    const end = performance.now() + wallMs;
    const left = () => Math.max(0, end - performance.now());
    if (kind === 'into') return this.#stepInto(count, wallMs, signal);
    let stop: Stop | undefined;
    for (let done = 0; done < count; done++) {
      stop = kind === 'over' ? await this.#stepOver(left, signal) : await this.#stepOut(left, signal);
      if (stop.cause !== 'step') return stop;
    }
    return stop ?? this.#execution.pause();
  }

  #stepInto(count: number, wallMs: number, signal: AbortSignal): Promise<Stop> {
    let taken = 0;
    return this.#execution.paced(wallMs, signal, async () => {
      const cause = await this.#execution.ground.step();
      if (cause) return cause;
      if (++taken === count) return { cause: 'step', reason: count === 1 ? 'step' : `${count} steps` };
      return this.#execution.ground.look();
    });
  }

  async #stepOver(left: () => number, signal: AbortSignal): Promise<Stop> {
    let call: Goal | undefined;
    const stop = await this.#execution.paced(left(), signal, async () => {
      call = await this.#afterCall();
      return call ? atCall : ((await this.#execution.ground.step()) ?? { cause: 'step', reason: 'step' });
    });
    return call ? this.#through(call, left, signal) : stop;
  }

  /** To after the return: at full speed when it is certain where that is, else by steps over all calls on the way. */
  async #stepOut(left: () => number, signal: AbortSignal): Promise<Stop> {
    const sure = await this.#execution.atRest(() => sureReturn(this.#target, this.#symbols));
    if (sure !== undefined) return this.#through(await this.#returned(sure), left, signal);
    for (;;) {
      let call: Goal | undefined;
      const stop = await this.#execution.paced(left(), signal, async () => {
        call = await this.#afterCall();
        if (call) return atCall;
        const { text = '' } = (await this.#instruction()) ?? {};
        const cause = await this.#execution.ground.step();
        if (cause) return cause;
        if (this.#target.architecture.return.test(text)) return { cause: 'step', reason: 'step' };
        return this.#execution.ground.look();
      });
      if (!call) return stop;
      const returned = await this.#through(call, left, signal);
      if (returned.cause !== 'step') return returned;
    }
  }

  /** Runs to a goal; what did not get there in time is stopped. */
  async #through(goal: Goal, left: () => number, signal: AbortSignal): Promise<Stop> {
    const { stop } = await this.#execution.goAndWait([goal], left(), signal);
    if (stop) return stop;
    const reason = signal.aborted ? 'the call was cancelled' : 'time limit: the subroutine has not returned';
    return this.#execution.pause({ cause: signal.aborted ? 'halt' : 'limit', reason });
  }

  /** The place after the call that comes next, for this processor and this depth of the stack. */
  async #afterCall(): Promise<Goal | undefined> {
    const next = await this.#instruction();
    if (!next || !this.#target.architecture.call.test(next.text)) return undefined;
    const { thread } = this.#target;
    const sp = await this.#target.sp();
    return {
      address: next.address + BigInt(next.bytes.length),
      reached: async () => this.#target.thread === thread && (await this.#target.sp()) >= sp,
      cause: { cause: 'step', reason: 'step' },
    };
  }

  async #returned(address: bigint): Promise<Goal> {
    const { thread } = this.#target;
    const sp = await this.#execution.atRest(() => this.#target.sp());
    return {
      address,
      // A function may return without having touched the stack, where the return address is in a register.
      reached: async () => {
        const now = await this.#target.sp();
        return this.#target.thread === thread && (this.#target.names.link ? now >= sp : now > sp);
      },
      cause: { cause: 'step', reason: 'step' },
    };
  }

  async #instruction() {
    return (await disassemble(this.#target, await this.#target.pc(), 1))[0];
  }

  async #runStepping(condition: string, address: bigint | undefined, wallMs: number, signal: AbortSignal) {
    const holds = this.#vocabulary.compile(condition);
    await this.#execution.pause();
    return this.#execution.paced(wallMs, signal, async (): Promise<Cause | undefined> => {
      const cause = await this.#execution.ground.step();
      if (cause) return cause;
      if ((await holds()) !== 0n) return { cause: 'breakpoint', reason: `condition ${condition}` };
      if (address !== undefined && (await this.#target.pc()) === address) return arrived;
      return this.#execution.ground.look();
    });
  }

  #arriving(address: bigint): Goal {
    return { address, reached: async () => true, cause: arrived };
  }
}

const arrived: Cause = { cause: 'breakpoint', reason: 'the address was reached' };

/** What a step back over a subroutine is here. */
const byInstructions = ' (by instructions, also those of subroutines)';

function notBackOut(): MachineError {
  return new MachineError('INVALID_ARGUMENT', 'A recorded machine cannot run back out of a subroutine.', [
    advice`Go back to the call: ${call('run', { back: true, until: '0x1000' })}.`,
    advice`Go back by instructions: ${call('step', { back: true })}.`,
  ]);
}
