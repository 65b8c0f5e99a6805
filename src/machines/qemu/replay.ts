import { setTimeout } from 'node:timers/promises';
import { MachineError } from '../../machine/errors.ts';
import { type LaunchPlan, stateNode } from './launch/command-line.ts';
import type { QemuEngine } from './qemu-engine.ts';
import type { QemuOptions } from './qemu-options.ts';

const seekMs = 30_000;
const pollMs = 5;
/** A question that QEMU answers at once, unless it is stuck. */
const answerMs = 5000;
const stepsBeyond = 2;
const nearInstructions = 200_000;
const nearState = 'near~';

/** A recording of everything that happened to the machine, which can be played again and stopped anywhere. */
export class Replay {
  readonly #engine: QemuEngine;
  #states = 0;
  #lastKnown = 0;

  constructor(engine: QemuEngine) {
    this.#engine = engine;
  }

  get mode(): 'record' | 'replay' | undefined {
    return this.#engine.plan.replay?.mode;
  }

  /** Instructions since the start. */
  async position(): Promise<number> {
    const answer = await this.#engine.session.execute('query-replay', {}, { timeoutMs: answerMs });
    this.#lastKnown = Number(Reflect.get(Object(answer), 'icount') ?? 0);
    return this.#lastKnown;
  }

  /** Where it was when it last answered. */
  get lastKnown(): number {
    return this.#lastKnown;
  }

  /**
   * Ends the recording and plays it again up to the present moment. From then on the machine has a past, and no other
   * future than the recorded one.
   */
  async enter(signal: AbortSignal): Promise<void> {
    const { control } = this.#engine.debugger;
    await control.pause();
    const present = await this.position();
    // The end of the recording is the end of QEMU, also when it is played again: it must lie behind the present.
    await control.step({ kind: 'into', count: stepsBeyond, back: false, wallMs: seekMs }, signal);
    await this.reopen(present);
  }

  /** Another process at the given instruction; also when the present one does not answer any more. */
  async reopen(position: number): Promise<void> {
    const { plan } = this.#engine;
    if (!plan.replay) return;
    const again: LaunchPlan = { ...plan, replay: { ...plan.replay, mode: 'replay' } };
    await this.#engine.powerCycle(again, () => this.#goTo(position));
  }

  /** QEMU goes back by playing from the last state before: one close by makes that quick. */
  async #goTo(position: number): Promise<void> {
    if (position > nearInstructions) {
      await this.#seek(position - nearInstructions);
      await this.#keepState();
    }
    if (position > 0) await this.#seek(position);
  }

  async #keepState(): Promise<void> {
    const { session, debugger: debug } = this.#engine;
    const tag = `${nearState}${++this.#states}`;
    await debug.replace(() => session.job('snapshot-save', { tag, vmstate: stateNode, devices: [stateNode] }, seekMs));
  }

  /** With no breakpoint set: the way there would end at it. */
  async #seek(position: number): Promise<void> {
    const { session, debugger: debug } = this.#engine;
    await debug.replace(async () => {
      await session.execute('replay-seek', { icount: position });
      const end = performance.now() + seekMs;
      while (!(await this.#standsAt(position))) {
        if (performance.now() > end) {
          throw new MachineError(
            'UNAVAILABLE',
            `QEMU did not get to instruction ${position}.`,
            'Start the machine again.',
          );
        }
        await setTimeout(pollMs);
      }
    });
  }

  async #standsAt(position: number): Promise<boolean> {
    const status = await this.#engine.session.execute('query-status');
    return Reflect.get(Object(status), 'running') === false && (await this.position()) === position;
  }
}

/** Refuses what cannot be recorded, or not be played back reliably. */
export function checkRecording(options: QemuOptions): void {
  if (!options.record) return;
  if (/^(?:x86_64|i386)$/.test(options.arch)) {
    throw new MachineError(
      'UNAVAILABLE',
      'QEMU hangs when recordings of PCs are run backwards (7.2, 10.0 and 11.1 were tried), so they are not made.',
      'Leave "record" out and save snapshots, or use aarch64, arm or riscv64.',
    );
  }
  const reasons = [
    ...(options.network === 'none' ? [] : ['no network']),
    ...((options.smp ?? 1) === 1 ? [] : ['one processor']),
    ...(options.drives.length === 0 ? [] : ['no drives']),
    ...(options.share === undefined ? [] : ['no share']),
    ...(options.accel === 'kvm' ? ['software emulation'] : []),
  ];
  if (reasons.length === 0) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `A recording needs ${reasons.join(', ')}.`,
    'Boot from kernel, initrd or bios.',
  );
}
