import type { Stop } from '../../../machine/state.ts';
import type { BasicPrompt } from './basic-prompt.ts';
import type { CommodoreEngine } from './commodore-engine.ts';

/** A program that BASIC has been busy with for so long runs. */
const framesUntilSure = 10;
/** RUN clears memory first; nothing that was typed takes longer to begin. */
const mostFrames = 300;
const wallMs = 20_000;

/** What became of a program that was told to start. */
export interface StartOutcome {
  /** It runs or has run, to its end or to an error. */
  readonly started: boolean;
  readonly failure?: string;
  readonly note: string;
}

/** Finds out whether what was typed has started a program. */
export class ProgramStart {
  readonly #engine: CommodoreEngine;
  readonly #prompt: BasicPrompt;

  constructor(engine: CommodoreEngine, prompt: BasicPrompt) {
    this.#engine = engine;
    this.#prompt = prompt;
  }

  /**
   * The command has been typed with Return: lets time pass until its program runs, has ended or has failed. For so many frames
   * BASIC may not have read it yet.
   */
  async outcome(command: string, settling: number, signal: AbortSignal): Promise<StartOutcome> {
    const end = this.#engine.clock() + wallMs;
    // It may have come to its end, or to a breakpoint, before the key was let go.
    let stopped = stoppedBy(this.#engine.stop);
    let busy = 0;
    for (let left = mostFrames; left > 0 && this.#engine.clock() < end && !signal.aborted; left--) {
      stopped ??= stoppedBy(await this.#engine.run({ frames: 1, wallMs }, signal));
      if (stopped) return stopped;
      if (this.#prompt.isProgramRunning()) return { started: true, note: 'it runs' };
      if (mostFrames - left >= settling && this.#prompt.isWaiting()) return endedWith(command, this.failure(command));
      busy++;
      if (busy >= framesUntilSure) return { started: true, note: 'it runs' };
    }
    return { started: false, note: `${command} was typed, but nothing is known of the program yet` };
  }

  /** What BASIC has printed after the command, if that was an error. */
  failure(command: string): string | undefined {
    return basicError(shownAfter(command, this.#prompt));
  }
}

/** BASIC is at its prompt again, perhaps because of an error. Those of a program name its line. */
export function endedWith(command: string, error: string | undefined): StartOutcome {
  if (error === undefined) return { started: true, note: 'it has run to its end: BASIC is at its prompt' };
  if (/ IN \d+$/i.test(error)) return { started: true, failure: error, note: `it ran and ended with ${error}` };
  return { started: false, failure: error, note: `it did not run: ${command} ended with ${error}` };
}

/** A program that nobody had to start has come to a breakpoint. */
export function startedAndStopped({ reason }: Stop): string {
  return `it has started on its own, and was stopped by ${reason}`;
}

/** The lines below a command that was typed. */
export function shownAfter(command: string, screen: { readonly lines: readonly string[] } | undefined): string {
  const lines = screen?.lines.map((line) => line.trimEnd()) ?? [];
  return lines.slice(lines.findLastIndex((line) => line.toUpperCase().includes(command)) + 1).join('\n');
}

/** The error among what BASIC has printed. On a narrow screen it takes two lines. */
export function basicError(shown: string): string | undefined {
  return /^\?[^?]*?ERROR(?:\s+IN\s+\d+)?/im.exec(shown)?.[0].replace(/\s+/g, ' ');
}

function stoppedBy(stop: Stop | undefined): StartOutcome | undefined {
  if (stop?.cause === 'fault') return { started: true, failure: stop.reason, note: `it crashed: ${stop.reason}` };
  if (stop?.cause === 'breakpoint') return { started: true, note: `it started and was stopped by ${stop.reason}` };
  return undefined;
}
