import { setTimeout } from 'node:timers/promises';
import type { TargetHost } from '../../../links/gdb/host-calls.ts';
import type { StopReply } from '../../../links/gdb/stop-reply.ts';
import { qmpAnswer } from '../qmp-answers.ts';
import { within } from './deferred.ts';
import type { LiveTarget } from './live-target.ts';

const interruptMs = 10_000;
/** An interrupted target says so within this time, unless the computer is very busy. */
const silenceMs = 300;
/** After this time a step that does not end is looked at: the processor may sleep. */
const sleepCheckMs = 500;
export const interruptSignal = 2;

/** What a guest may ask of this computer. */
export type GuestCalls = Omit<TargetHost, 'resumed'>;

/** Sets the target going and gets it to stop again, whatever QEMU does. */
export class Motion {
  readonly #target: LiveTarget;
  /** Resumes of ours that QMP has not told yet. */
  #untold = 0;
  #isLoaded: boolean;

  /** `resumed` is told of resumes that were not ours. A replay begins with a state that QEMU has loaded. */
  constructor(target: LiveTarget, resumed: () => void, isLoaded: boolean, calls: GuestCalls | undefined) {
    this.#target = target;
    if (calls) {
      target.gdb.serveCalls({
        answer: (call, memory) => calls.answer(call, memory),
        ended: (code) => calls.ended(code),
        resumed: () => {
          this.#untold++;
        },
      });
    }
    this.#isLoaded = isLoaded;
    target.qmp.onEvent(({ name }) => {
      if (name !== 'RESUME') return;
      if (this.#untold > 0) this.#untold--;
      else resumed();
    });
  }

  /**
   * Does something that loads a state. QEMU crashes when it goes on after two of them that followed each other, because
   * of what its flash memory, which a PC does not have, frees twice then: so there has to be an instruction in between.
   */
  async load(action: () => Promise<void>): Promise<void> {
    if (this.#isLoaded && !this.#target.isX86) await this.step();
    await action();
    this.#isLoaded = true;
    this.#target.forget();
  }

  continue(): Promise<StopReply> {
    this.#target.forget();
    this.#isLoaded = false;
    this.#untold++;
    return this.#target.gdb.continue();
  }

  /** Stops a flight; what stopped it may have been something else. */
  async interrupt(flight: Promise<StopReply>): Promise<StopReply> {
    const { gdb, qmp } = this.#target;
    if (gdb.running) gdb.interrupt();
    const reply = await this.#landing(flight);
    this.#target.forget();
    if (reply) return reply;
    await qmp.execute('stop');
    gdb.abandonRun({ signal: interruptSignal });
    return { signal: interruptSignal };
  }

  /** QEMU may stop without a word to the debugger, as after a snapshot that could not be loaded: QMP knows. */
  async #landing(flight: Promise<StopReply>): Promise<StopReply | undefined> {
    const end = performance.now() + interruptMs;
    while (performance.now() < end) {
      const reply = await within(flight, silenceMs);
      if (reply) return reply;
      if ((await this.status()) !== 'running') return within(flight, silenceMs);
    }
    return undefined;
  }

  /** One instruction of the processor in question. Undefined when it sleeps: it is stopped again then. */
  async step(): Promise<StopReply | undefined> {
    const { gdb, thread } = this.#target;
    for (;;) {
      const reply = await this.move(() => gdb.step(thread), sleepCheckMs);
      if (reply) return reply;
      if ((await gdb.threadState(thread)).includes('halted')) return undefined;
      await setTimeout(0);
    }
  }

  /** A movement that ends on its own; undefined when it was stopped because the time was up. */
  async move(start: () => Promise<StopReply>, timeoutMs: number): Promise<StopReply | undefined> {
    this.#target.forget();
    this.#isLoaded = false;
    this.#untold++;
    const movement = start();
    const reply = await within(movement, timeoutMs);
    if (reply) return reply;
    const late = await this.interrupt(movement);
    return late.signal === interruptSignal ? undefined : late;
  }

  /** Stops what runs although the stub believes that it is stopped: any byte does that. */
  async seize(): Promise<void> {
    const { gdb } = this.#target;
    gdb.interrupt();
    const end = performance.now() + interruptMs;
    while ((await this.status()) === 'running' && performance.now() < end) await setTimeout(5);
    this.#target.forget();
  }

  /** As QEMU calls it: `running`, `paused`, `debug`, `shutdown` … */
  async status(): Promise<string> {
    return qmpAnswer('query-status', await this.#target.qmp.execute('query-status')).status;
  }
}
