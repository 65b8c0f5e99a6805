import { MachineError } from '../../../machine/errors.ts';
import type { LoadedProgram } from '../../../machine/program.ts';
import type { ScreenCapability } from '../../../machine/screen.ts';
import type { Stop } from '../../../machine/state.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreKeyboard } from './commodore-keyboard.ts';
import type { CommodoreSetup } from './commodore-setup.ts';
import { type ProgramStart, startedAndStopped } from './program-start.ts';
import type { UnwatchedCommands } from './unwatched-commands.ts';

/** The header of a program that belongs where it came from, whatever LOAD says. */
const fixedProgram = 3;
const promptFrames = 100;
/** Half an hour of tape, and what a call may take of a person's time. */
const tapeFrames = 90_000;
const tapeWallMs = 40_000;
const framesBetweenLooks = 10;
/** Longer than any pause that a loader makes with the motor off. */
const framesAtRest = 600;

/** Or what stopped the machine on the way. */
type Outcome = 'loaded' | 'failed' | 'rests' | 'goes on' | Stop;

/** Starts what is on the tape as a person would: LOAD, PLAY, and RUN once it is through. */
export class TapeAutostart {
  readonly #engine: CommodoreEngine;
  readonly #keyboard: CommodoreKeyboard;
  readonly #commands: UnwatchedCommands;
  readonly #screen: ScreenCapability;
  readonly #starts: ProgramStart;
  readonly #setup: CommodoreSetup;

  constructor(
    engine: CommodoreEngine,
    keyboard: CommodoreKeyboard,
    commands: UnwatchedCommands,
    screen: ScreenCapability,
    starts: ProgramStart,
    setup: CommodoreSetup,
  ) {
    this.#setup = setup;
    this.#starts = starts;
    this.#engine = engine;
    this.#keyboard = keyboard;
    this.#commands = commands;
    this.#screen = screen;
  }

  get #basicStart(): number {
    return this.#setup.basicStart;
  }

  async start(signal: AbortSignal): Promise<LoadedProgram> {
    const outcome = await this.#commands.beforeProgram('ram', () => this.#load(signal));
    if (typeof outcome === 'object') return this.#stopped(outcome);
    switch (outcome) {
      case 'loaded':
        return this.#run(signal);
      case 'failed':
        return this.#unknown(`it could not be loaded: ${this.#starts.failure('LOAD') ?? 'the screen shows why'}`);
      case 'rests':
        return this.#unknown('the tape has stopped: the program has started on its own, or waits; look at the screen');
      case 'goes on':
        return this.#unknown('it is still loading, or runs already: look at the screen, then let it run');
    }
  }

  async #load(signal: AbortSignal): Promise<Outcome> {
    await this.#keyboard.press(['clr'], 3, signal);
    await this.#commands.enter('LOAD', signal);
    if (!(await this.#isAsked(signal))) {
      throw new MachineError(
        'UNAVAILABLE',
        'The KERNAL in use does not load from tape.',
        'Start the machine with "roms":"own"; the tape is in the datasette now.',
      );
    }
    await this.#keyboard.press(['tape_play'], 1, signal);
    return this.#outcome(signal);
  }

  async #isAsked(signal: AbortSignal): Promise<boolean> {
    for (let left = promptFrames; left > 0 && !signal.aborted; left -= framesBetweenLooks) {
      if (/PRESS PLAY/.test(await this.#text())) return true;
      await this.#pass(signal);
    }
    return false;
  }

  async #outcome(signal: AbortSignal): Promise<Outcome> {
    const { tape } = this.#engine.board;
    const end = this.#engine.clock() + tapeWallMs;
    let rested = 0;
    let isFound = false;
    for (let left = tapeFrames; left > 0 && this.#engine.clock() < end; left -= framesBetweenLooks) {
      const text = await this.#text();
      if (/\?[A-Z ]+ERROR[\s\S]*READY\./.test(text)) return 'failed';
      if (/LOADING[\s\S]*READY\./.test(text)) return 'loaded';
      if (!isFound && /FOUND/.test(text)) {
        // Or it shows the name for some seconds; the oldest KERNAL does so for ever.
        isFound = true;
        await this.#keyboard.press(['cbm'], 3, signal);
      }
      rested = tape.isMoving ? 0 : rested + framesBetweenLooks;
      if (rested > framesAtRest) return 'rests';
      if (signal.aborted) break;
      const stop = await this.#pass(signal);
      if (stop.cause !== 'limit') return stop;
    }
    return 'goes on';
  }

  /** BASIC programs are run, machine code is called where it begins. */
  async #run(signal: AbortSignal): Promise<LoadedProgram> {
    const { ram } = this.#engine.board;
    const basicStart = this.#basicStart;
    const word = (at: number) => (ram[at] ?? 0) | ((ram[at + 1] ?? 0) << 8);
    const header = word(this.#setup.model.cells.tapeBuffer);
    const first = word(header + 1);
    const length = (word(header + 3) - first) & 0xffff;
    const isFixed = ram[header] === fixedProgram && Math.abs(first - basicStart) > 1;
    const firstAddress = isFixed ? first : basicStart;
    const start = isFixed ? `SYS ${first}` : 'RUN';
    const settling = await this.#commands.start(start, signal);
    const { note, ...outcome } = await this.#starts.outcome(start, settling, signal);
    return {
      firstAddress: BigInt(firstAddress),
      lastAddress: BigInt(firstAddress + Math.max(0, length - 1)),
      ...(isFixed && { startAddress: BigInt(first) }),
      ...outcome,
      notes: [note],
    };
  }

  #stopped(stop: Stop): LoadedProgram {
    if (stop.cause !== 'breakpoint') return this.#unknown(`stopped while loading: ${stop.reason}`);
    return { ...this.#unknown(startedAndStopped(stop)), started: true };
  }

  #unknown(note: string): LoadedProgram {
    const start = BigInt(this.#basicStart);
    return { firstAddress: start, lastAddress: start, started: false, notes: [note] };
  }

  async #text(): Promise<string> {
    const lines = (await this.#screen.text())?.lines ?? [];
    return lines.map((line) => line.trimEnd()).join('\n');
  }

  #pass(signal: AbortSignal): Promise<Stop> {
    return this.#engine.run({ frames: framesBetweenLooks, wallMs: tapeWallMs }, signal);
  }
}
