import type { ControlCapability, RunLimits, StepRequest } from '../../machine/control.ts';
import { MachineError } from '../../machine/errors.ts';
import type { Stop } from '../../machine/state.ts';
import type { QemuMedia } from './media/qemu-media.ts';
import type { QemuEngine } from './qemu-engine.ts';
import type { Replay } from './replay.ts';

/** Run control that reaches to the power switch, where the debugger's own ends with the process. */
export class PowerControl implements ControlCapability {
  readonly #engine: QemuEngine;
  readonly #media: QemuMedia;
  readonly #replay: Replay;

  constructor(engine: QemuEngine, media: QemuMedia, replay: Replay) {
    this.#engine = engine;
    this.#media = media;
    this.#replay = replay;
  }

  get canRewind(): boolean {
    return this.#replay.mode !== undefined;
  }

  run(limits: RunLimits, signal: AbortSignal): Promise<Stop> {
    const run = () => this.#control.run(limits, signal);
    return limits.back ? this.#back(run, signal) : run();
  }

  pause(): Promise<Stop> {
    return this.#control.pause();
  }

  step(request: StepRequest, signal: AbortSignal): Promise<Stop> {
    const step = () => this.#control.step(request, signal);
    return request.back ? this.#back(step, signal) : step();
  }

  hold(): Promise<() => void> {
    return this.#control.hold();
  }

  async reset(mode: 'soft' | 'hard'): Promise<void> {
    if (mode === 'soft') return this.#control.reset('soft');
    if (this.#replay.mode !== undefined) {
      throw new MachineError('UNAVAILABLE', 'The power switch would end the recording.', 'Use a soft reset.');
    }
    const running = this.#engine.debugger.status().state === 'RUNNING';
    await this.#engine.powerCycle({ ...this.#engine.plan, drives: this.#media.takeDrives() });
    if (running) await this.#engine.debugger.release();
  }

  get #control(): ControlCapability {
    return this.#engine.debugger.control;
  }

  /** A movement into the past; QEMU may get stuck in it, and is then started again where it was. */
  async #back(move: () => Promise<Stop>, signal: AbortSignal): Promise<Stop> {
    if (this.#replay.mode === undefined) {
      throw new MachineError(
        'MISSING_CAPABILITY',
        'This machine is not recorded, so it cannot go back.',
        'Start it with "record":true, or save snapshots and restore them.',
      );
    }
    if (this.#replay.mode === 'record') await this.#replay.enter(signal);
    try {
      await this.#replay.position();
      const stop = await move();
      await this.#replay.position();
      return stop;
    } catch (error) {
      if (!(error instanceof MachineError) || error.type !== 'UNAVAILABLE') throw error;
      const { lastKnown } = this.#replay;
      await this.#replay.reopen(lastKnown);
      throw new MachineError(
        'UNAVAILABLE',
        `${error.message} It was started again and stands at instruction ${lastKnown}.`,
        'Try a smaller movement.',
      );
    }
  }
}
