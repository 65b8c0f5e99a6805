import { MachineError } from '../../machine/errors.ts';
import type { Playback } from './debug/playback.ts';
import { Recording } from './debug/recording.ts';
import { firstState, nsPerInstruction } from './launch/command-line.ts';
import { networkCardsOf } from './launch/network-arguments.ts';
import type { QemuEngine } from './qemu-engine.ts';
import type { QemuOptions } from './qemu-options.ts';

const moveMs = 30_000;
const slowestPerMs = 5000;
/** A question that QEMU answers at once, unless it is stuck. */
const answerMs = 5000;
const stepsBeyond = 2;
/** States are kept so far before the place where it stands: movements back begin at one of them. */
const distances = [20_000_000, 200_000] as const;

/** A recording of everything that happened to the machine, which can be played again and stopped anywhere. */
export class Replay {
  readonly #engine: QemuEngine;
  #recording = new Recording(firstState);
  #states = 0;
  #lastKnown = 0;

  constructor(engine: QemuEngine) {
    this.#engine = engine;
  }

  get mode(): 'record' | 'replay' | undefined {
    return this.#engine.plan.replay?.mode;
  }

  /** What is to be said of it beside the state of the machine. */
  describe(standsStill: boolean): string | undefined {
    if (this.mode === 'record') return 'recording';
    if (this.mode === undefined) return undefined;
    const where = standsStill ? `, at instruction ${this.#lastKnown} of ${this.#recording.end}` : '';
    return `replaying its recording${where}`;
  }

  /** The guest's time while a recording is played: it goes by instructions, and not by how long they take now. */
  get playedMs(): number | undefined {
    return this.mode === 'replay' ? (this.#lastKnown * nsPerInstruction) / 1e6 : undefined;
  }

  /** Instructions since the start. */
  async position(): Promise<number> {
    const { icount } = await this.#engine.session.query('query-replay', {}, { timeoutMs: answerMs });
    this.#lastKnown = icount;
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
    // The end of the recording is the end of QEMU, also when it is played again: it must lie after the present.
    await control.step({ kind: 'into', count: stepsBeyond, back: false, wallMs: moveMs }, signal);
    this.#recording = new Recording(firstState, present);
    try {
      await this.reopen(present);
    } catch (error) {
      // The recording is whole, and a second process plays it as well as the first should have.
      if (!(await this.#engine.hasDied())) throw error;
      await this.reopen(present);
    }
  }

  /** Another process at the given instruction; also when the present one does not answer any more. */
  async reopen(position: number): Promise<void> {
    const { plan } = this.#engine;
    if (!plan.replay) return;
    const replay = { ...plan.replay, mode: 'replay', recording: this.#recording } as const;
    await this.#engine.powerCycle({ ...plan, replay }, () => this.#goTo(position));
    this.#lastKnown = position;
  }

  /** Before movements back, which are slow when QEMU has to play a long way to the beginning of each. */
  async comeClose(): Promise<void> {
    const present = await this.position();
    if (!this.#isCovered(present, distances[1])) await this.#goTo(present);
  }

  async #goTo(position: number): Promise<void> {
    const { playback } = this.#engine.debugger.rewind;
    if (!playback) return;
    for (const distance of distances) {
      if (this.#isCovered(position, distance)) continue;
      await this.#place(playback, position - distance);
      await this.#engine.debugger.replace(() => playback.keepState(`near~${++this.#states}`));
    }
    await this.#place(playback, position);
  }

  #isCovered(position: number, distance: number): boolean {
    return position - this.#recording.stateBefore(position).position <= 2 * distance;
  }

  async #place(playback: Playback, position: number): Promise<void> {
    const end = performance.now() + moveMs + position / slowestPerMs;
    const missed = await this.#engine.debugger.replace(() => playback.goTo(position, { end }));
    if (missed) throw new MachineError('UNAVAILABLE', `QEMU is slow: ${missed.reason}.`, 'Start the machine again.');
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
    ...(networkCardsOf(options).length === 0 ? [] : ['no network']),
    ...((options.smp ?? 1) === 1 ? [] : ['one processor']),
    ...(options.drives.length === 0 ? [] : ['no drives']),
    ...(options.share === undefined ? [] : ['no share']),
    ...(options.tpm ? ['no TPM'] : []),
    ...(options.cloud_init ? ['no seed of cloud-init'] : []),
    ...(options.guest_agent ? ['no guest agent'] : []),
    ...(options.accel === 'kvm' ? ['software emulation'] : []),
  ];
  if (reasons.length === 0) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `A recording needs ${reasons.join(', ')}.`,
    'Boot from kernel, initrd or bios.',
  );
}
