import { MachineError } from '../../../machine/errors.ts';
import type { Cause } from '../../shared/cause.ts';
import { qmpAnswer } from '../qmp-answers.ts';
import type { BoardTime } from './board-time.ts';
import type { Execution } from './execution.ts';
import { linkFailure } from './link-failure.ts';
import type { LiveTarget } from './live-target.ts';
import type { RecordedState, Recording } from './recording.ts';

/** A question that QEMU answers at once, unless it is stuck. */
const answerMs = 5000;
const stateMs = 45_000;
/** Now and then it is asked whether it shall go on. */
const sliceMs = 500;

/** How long a movement may take, and who may end it. */
export interface Patience {
  readonly end: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A recording that is played: the machine can be put to any of its instructions. QEMU's own ways back are not used. They
 * load states on their own, where nobody can put right what those lack.
 */
export class Playback {
  readonly recording: Recording;
  readonly #execution: Execution;
  readonly #target: LiveTarget;
  readonly #boardTime: BoardTime;
  #goal: { readonly position: number; readonly cause: Cause } | undefined;

  constructor(recording: Recording, execution: Execution, target: LiveTarget, boardTime: BoardTime) {
    this.recording = recording;
    this.#execution = execution;
    this.#target = target;
    this.#boardTime = boardTime;
    execution.ground.wayOn = () => this.wayOn();
  }

  async position(): Promise<number> {
    return qmpAnswer('query-replay', await this.#ask('query-replay')).icount;
  }

  /** Where runs forward end, if not at the end of the recording. */
  setGoal(goal: { readonly position: number; readonly cause: Cause } | undefined): void {
    this.#goal = goal;
  }

  /** Asked before each movement forward: why there is none, or how far it goes is set. */
  async wayOn(): Promise<Cause | undefined> {
    const end = { position: this.recording.end, cause: theEnd };
    const { position, cause } = this.#goal && this.#goal.position < end.position ? this.#goal : end;
    const present = await this.position();
    if (present === 0) await this.#knowBeginning();
    if (present >= position) return cause;
    if (position !== Number.POSITIVE_INFINITY) await this.stopAt(position);
    return undefined;
  }

  async stopAt(position: number): Promise<void> {
    await this.#ask('replay-break', { icount: position });
  }

  /** Whatever lies on the way. Returns why the machine, which is stopped, is not there. */
  async goTo(position: number, patience: Patience): Promise<Cause | undefined> {
    const present = await this.position();
    const state = this.recording.stateBefore(position);
    if (position < present || state.position > present) await this.#load(state);
    return this.#advance(position, patience);
  }

  /** Keeps the present state, to begin later movements with. */
  async keepState(tag: string): Promise<void> {
    const state = { tag, position: await this.position(), boardTime: await this.#boardTime.read() };
    await this.#monitor(`savevm ${tag}`);
    for (const old of this.recording.keep(state)) await this.#monitor(`delvm ${old.tag}`);
  }

  async #advance(position: number, patience: Patience): Promise<Cause | undefined> {
    for (;;) {
      const present = await this.position();
      if (present === 0) await this.#knowBeginning();
      if (present === position) return undefined;
      const interruption = this.#execution.interruption(patience);
      if (interruption) return missed(interruption, present, position);
      await this.stopAt(position);
      const reply = await this.#execution.ground.drift(() => this.#target.gdb.continue(), sliceMs);
      if (reply && (await this.position()) === present) {
        throw stuck(`stands at instruction ${present} on its way to ${position}`);
      }
    }
  }

  async #load(state: RecordedState): Promise<void> {
    if ((await this.position()) === 0) await this.#knowBeginning();
    await this.#execution.ground.load(() => this.#monitor(`loadvm ${state.tag}`));
    if (state.boardTime) await this.#boardTime.write(state.boardTime);
  }

  async #knowBeginning(): Promise<void> {
    this.recording.first.boardTime ??= await this.#boardTime.read();
  }

  async #monitor(line: string): Promise<void> {
    const answer = await this.#target.qmp.hmp(line, { timeoutMs: stateMs }).catch((error: unknown) => {
      throw linkFailure(error);
    });
    if (answer.trim() !== '') throw stuck(`failed at ${line}: ${answer.trim()}`);
  }

  async #ask(command: string, args: Record<string, unknown> = {}): Promise<unknown> {
    try {
      return await this.#target.qmp.execute(command, args, { timeoutMs: answerMs });
    } catch (error) {
      throw linkFailure(error);
    }
  }
}

const theEnd: Cause = { cause: 'limit', reason: 'the end of the recording' };

function missed({ cause, reason }: Cause, present: number, position: number): Cause {
  return { cause, reason: `${reason}, at instruction ${present} on the way to ${position}` };
}

function stuck(what: string): MachineError {
  return new MachineError('UNAVAILABLE', `QEMU ${what}.`, 'Stop the machine and start it again.');
}
