import type { CommodoreBreakpoints } from './breakpoints/commodore-breakpoints.ts';
import type { ProgramPlace } from './breakpoints/program-gate.ts';
import type { CommodoreKeyboard } from './commodore-keyboard.ts';

const framesToRead = 5;

type Breakpoints = Pick<CommodoreBreakpoints, 'list' | 'change' | 'beforeProgram'>;

/** Breakpoints are meant for the program, not for the system that starts before it and reads the command. */
export class UnwatchedCommands {
  readonly #keyboard: CommodoreKeyboard;
  readonly #breakpoints: Breakpoints;

  constructor(keyboard: CommodoreKeyboard, breakpoints: Breakpoints) {
    this.#keyboard = keyboard;
    this.#breakpoints = breakpoints;
  }

  /** Types a line with Return that brings no program about. */
  enter(command: string, signal: AbortSignal): Promise<void> {
    return this.unwatched(() => this.#keyboard.type(`${command}\n`, signal));
  }

  /**
   * Types a line with Return that does; breakpoints count again as soon as the KERNAL has that key. Answers for how many frames
   * BASIC may still seem to wait for a line.
   */
  async start(command: string, signal: AbortSignal): Promise<number> {
    if ((await this.#enabled()).length === 0) {
      await this.#keyboard.type(`${command}\n`, signal);
      return 0;
    }
    await this.unwatched(async () => {
      await this.#keyboard.type(command, signal);
      await this.#keyboard.tapReturn(signal);
    });
    return framesToRead;
  }

  /** The machine gets its program while the action lasts: breakpoints count from its first instruction, and afterwards. */
  beforeProgram<Result>(place: ProgramPlace, action: () => Promise<Result>): Promise<Result> {
    return this.#breakpoints.beforeProgram(place, action);
  }

  async unwatched<Result>(action: () => Promise<Result>): Promise<Result> {
    const on = await this.#enabled();
    for (const { id } of on) await this.#breakpoints.change(id, { enabled: false });
    try {
      return await action();
    } finally {
      for (const { id } of on) await this.#breakpoints.change(id, { enabled: true });
    }
  }

  async #enabled() {
    return (await this.#breakpoints.list()).filter(({ enabled }) => enabled);
  }
}
