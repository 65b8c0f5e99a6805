import type { DebuggedMachine, SeenStop } from '../debugged-machine.ts';
import type { GdbBreakpoints } from './gdb-breakpoints.ts';

const [sigInt, sigIll, sigTrap] = ['02', '04', '05'];
const wallMs = 50_000;

/** How the machine was let go, and how it came to a stop again. */
export interface StopTold {
  readonly signal: string;
  /** `swbreak:;` and the like. */
  readonly reason: string;
}

/** What lets time pass for one debugger, forwards and backwards. */
export class GdbRun {
  readonly #machine: DebuggedMachine;
  readonly #breakpoints: GdbBreakpoints;
  pace: 'real' | 'warp' = 'real';
  #underWay: AbortController | undefined;
  /** An interrupt came before what it is meant for. */
  #isInterrupted = false;

  constructor(machine: DebuggedMachine, breakpoints: GdbBreakpoints) {
    this.#machine = machine;
    this.#breakpoints = breakpoints;
  }

  /** Undefined: the machine is gone. */
  async goOn(): Promise<StopTold | undefined> {
    return this.#while(async (signal) => ((await this.#machine.goOn(this.pace, signal)) ? this.told() : undefined));
  }

  step(): Promise<StopTold | undefined> {
    return this.#while(async (signal) => {
      await this.#machine.call('step', { timeout_ms: wallMs }, signal);
      return this.told();
    });
  }

  stepBack(): Promise<StopTold | undefined> {
    return this.#while(async (signal) => {
      const { stop } = await this.#machine.call('step', { back: true, timeout_ms: wallMs }, signal);
      return atBeginning(stop) ?? this.told();
    });
  }

  goBack(): Promise<StopTold | undefined> {
    return this.#while(async (signal) => {
      const last = this.#breakpoints.haveAccess ? await this.#lastAccess(signal) : undefined;
      if (last) return last;
      for (;;) {
        const { stop } = await this.#machine.call('run', { back: true, timeout_ms: wallMs }, signal);
        if (isOutOfTime(stop) && !signal.aborted) continue;
        return atBeginning(stop) ?? this.#beforeAccess(await this.told(), signal);
      }
    });
  }

  /** The machine stops after an access. Who goes back has passed it only at the instruction that makes it: there rr and gdb's own recordings stop. */
  async #beforeAccess(told: StopTold, signal: AbortSignal): Promise<StopTold> {
    if (isAccess(told)) await this.#machine.call('step', { back: true, timeout_ms: wallMs }, signal);
    return told;
  }

  /** Where the instruction just done has made one, that is where the way back ends. */
  async #lastAccess(signal: AbortSignal): Promise<StopTold | undefined> {
    const { stop } = await this.#machine.call('step', { back: true, timeout_ms: wallMs }, signal);
    const beginning = atBeginning(stop);
    if (beginning) return beginning;
    await this.#machine.call('step', { timeout_ms: wallMs }, signal);
    const told = await this.told();
    return isAccess(told) ? this.#beforeAccess(told, signal) : undefined;
  }

  /** The person at the debugger wants it to stop. */
  async interrupt(isComing: boolean): Promise<void> {
    this.#isInterrupted = isComing && !this.#underWay;
    this.#underWay?.abort();
    if (this.#machine.isRunning) await this.#machine.call('pause');
  }

  async told(): Promise<StopTold> {
    const stop = await this.#machine.stop();
    if (!stop) return { signal: sigTrap ?? '', reason: '' };
    const signal = stop.cause === 'halt' ? sigInt : stop.cause === 'fault' ? sigIll : sigTrap;
    return { signal: signal ?? '', reason: this.#breakpoints.reason(stop) ?? '' };
  }

  async #while(go: (signal: AbortSignal) => Promise<StopTold | undefined>): Promise<StopTold | undefined> {
    const isOverBefore = this.#isInterrupted;
    this.#isInterrupted = false;
    if (isOverBefore) return { signal: sigInt ?? '', reason: '' };
    const underWay = new AbortController();
    this.#underWay = underWay;
    try {
      return await go(underWay.signal);
    } finally {
      this.#underWay = undefined;
    }
  }
}

function isOutOfTime(stop: unknown): boolean {
  const { cause, reason } = Object(stop) as Partial<SeenStop>;
  return cause === 'limit' && reason === 'time limit';
}

/** Whether it is a watchpoint's. */
function isAccess({ reason }: StopTold): boolean {
  return /^[ar]?watch:/.test(reason);
}

/** Nothing older is remembered. */
function atBeginning(stop: unknown): StopTold | undefined {
  const { cause } = Object(stop) as Partial<SeenStop>;
  return cause === 'limit' ? { signal: sigTrap ?? '', reason: 'replaylog:begin;' } : undefined;
}
