import type { ControlCapability, RunLimits, StepRequest } from '../../machine/control.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import type { Stop } from '../../machine/state.ts';
import { isClosedLink } from './debug/link-failure.ts';
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
    if (!limits.back) return this.#located(run);
    return this.#back(limits.cycles === undefined ? () => this.#near(run) : run, signal);
  }

  pause(): Promise<Stop> {
    return this.#located(() => this.#control.pause());
  }

  step(request: StepRequest, signal: AbortSignal): Promise<Stop> {
    const step = () => this.#control.step(request, signal);
    return request.back ? this.#back(() => this.#near(step), signal) : this.#located(step);
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

  /** For all but a jump by instructions, which leads away from here. */
  async #near(move: () => Promise<Stop>): Promise<Stop> {
    await this.#replay.comeClose();
    return move();
  }

  /** Notes where in the recording it leads. Of a machine that ends on the way, or has ended, it is told how. */
  async #located(move: () => Promise<Stop>): Promise<Stop> {
    this.#refuseOff();
    const stop = await move().catch(async (error: unknown) => {
      if (isClosedLink(error) || this.#engine.debugger.status().state === 'OFF') await this.#engine.ending();
      this.#refuseOff();
      throw error;
    });
    const { state } = this.#engine.debugger.status();
    if (state === 'OFF') {
      const end = await this.#engine.ending();
      return end === undefined ? stop : { ...stop, reason: end };
    }
    if (this.#replay.mode === 'replay') await this.#replay.position();
    return stop;
  }

  #refuseOff(): void {
    const { end } = this.#engine;
    if (end === undefined) return;
    throw new MachineError(
      'WRONG_STATE',
      `The machine is off: ${end}.`,
      [
        advice`Read the last output of its consoles with ${call('console_read')}.`,
        advice`Stop it with ${call('machine_stop')} and start another.`,
      ],
      { execution_state: 'OFF' },
    );
  }

  /** A movement into the past. */
  async #back(move: () => Promise<Stop>, signal: AbortSignal): Promise<Stop> {
    if (this.#replay.mode === undefined) {
      throw new MachineError(
        'MISSING_CAPABILITY',
        'This machine is not recorded, so it cannot go back.',
        'Start it with "record":true, or save snapshots and restore them.',
      );
    }
    return this.#engine.sparing(async () => {
      if (this.#replay.mode === 'record') await this.#replay.enter(signal);
      try {
        await this.#replay.position();
        const stop = await move();
        await this.#replay.position();
        return stop;
      } catch (error) {
        throw await this.#recovered(error);
      }
    });
  }

  /** A QEMU that is stuck or has crashed on its way back is replaced by another one, at the place of before. */
  async #recovered(error: unknown): Promise<unknown> {
    if (!(error instanceof MachineError)) return error;
    if (error.type !== 'UNAVAILABLE' && !(await this.#engine.hasDied())) return error;
    const { lastKnown } = this.#replay;
    await this.#replay.reopen(lastKnown);
    return new MachineError(
      'UNAVAILABLE',
      `${error.message} It was started again and is at instruction ${lastKnown}.`,
      'Try a smaller movement.',
    );
  }
}
