import { fields } from '../../../chips/mos6510/registers.ts';
import { screenCodeToUnicode } from '../../../formats/commodore/basic/petscii.ts';
import type { CallFrame } from '../../../machine/cpu.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { Stop } from '../../../machine/state.ts';
import { leftovers, type NextProgram } from './basic-leftovers.ts';
import { isProgramAt } from './breakpoints/program-gate.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreKeyboard } from './commodore-keyboard.ts';
import type { CommodoreModel } from './commodore-model.ts';

const jsrOpcode = 0x20;
const jmpOpcode = 0x4c;
const blank = 0x20;
/** In which every set of ROMs has come to its prompt. */
const mostFrames = 400;
const framesBetweenLooks = 5;
const wallMs = 30_000;
const longestInterrupt = 20_000;

/** What BASIC does, as far as memory and stack tell. */
export class BasicPrompt {
  readonly #engine: CommodoreEngine;
  readonly #keyboard: CommodoreKeyboard;
  readonly #model: CommodoreModel;
  readonly #calls: () => readonly CallFrame[];

  constructor(
    engine: CommodoreEngine,
    keyboard: CommodoreKeyboard,
    model: CommodoreModel,
    calls: () => readonly CallFrame[],
  ) {
    this.#model = model;
    this.#engine = engine;
    this.#keyboard = keyboard;
    this.#calls = calls;
  }

  /** Whether a line that is typed now is a command: BASIC's main loop waits for one. */
  isWaiting(): boolean {
    const { ram } = this.#engine.board;
    const { cells } = this.#model;
    const isCursorOff = cells.cursorOff !== undefined && ram[cells.cursorOff] !== 0;
    if (this.#isStarting || ram[cells.keysWaiting] !== 0 || isCursorOff || this.#engine.state === 'ERROR') return false;
    const places = this.#places();
    if (places.some((place) => this.#isProgram(place))) return false;
    const { board } = this.#engine;
    let main = this.#word(cells.mainLoop);
    // After a reset cells are empty for a while.
    if (main < 0x100) return false;
    // Our own ROMs have jumps at published addresses.
    if (board.peek('cpu', main) === jmpOpcode) main = board.peek('cpu', main + 1) | (board.peek('cpu', main + 2) << 8);
    const canTell = board.memory.isSystemRom(main) && board.peek('cpu', main) === jsrOpcode;
    return !canTell || places.includes(main);
  }

  /** Whether a program in RAM is running, or has called what is. */
  isProgramRunning(): boolean {
    return !this.#isStarting && this.#places().some((place) => this.#isProgram(place));
  }

  /**
   * Brings the machine to an empty line at the prompt: with a reset if it does something else. Resolves to what had to be
   * done, in words.
   */
  async reach(signal: AbortSignal, next?: NextProgram): Promise<readonly string[]> {
    const isWaiting = this.isWaiting();
    const left = isWaiting && next ? leftovers(this.#engine.board, this.#model, next) : undefined;
    if (isWaiting && left === undefined) return this.#emptyLine(signal);
    // One that was just switched on only needs time.
    const isBooting = this.#engine.sinceReset < mostFrames && this.#engine.state !== 'ERROR';
    if (isBooting && left === undefined && !this.isProgramRunning() && (await this.#wait(signal)))
      return this.#emptyLine(signal);
    this.#disarmReset();
    await this.#engine.reset('soft');
    if (!(await this.#wait(signal))) {
      throw new MachineError('UNAVAILABLE', 'The machine does not reach the BASIC prompt after a reset.', [
        advice`Remove a cartridge with ${call('media_detach')}.`,
        advice`Load with "start":false and set PC with ${call('registers_write')}.`,
      ]);
    }
    const why = left === undefined ? 'the machine was busy and' : `${left}: the machine`;
    return [`${why} has been reset`, ...(await this.#emptyLine(signal))];
  }

  /** What BASIC has written, whatever the picture shows. */
  get lines(): readonly string[] {
    const { ram } = this.#engine.board;
    const { cells, screen } = this.#model;
    const { columns, rows } = screen;
    const start = this.#word(cells.line) - (ram[cells.row] ?? 0) * columns;
    return Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_each, column) =>
        screenCodeToUnicode((ram[(start + row * columns + column) & 0xffff] ?? 0) & 0x7f, 'upper'),
      ).join(''),
    );
  }

  /** Leaves an interrupt that is being served: registers can then be set as SYS would. */
  async leaveInterrupt(signal: AbortSignal): Promise<void> {
    const { state } = this.#engine.board.cpu;
    for (let left = longestInterrupt; state[fields.i] !== 0 && left > 0; left--) {
      // A limit, not a step: whoever ran freely before goes on afterwards.
      await this.#engine.run({ cycles: 1, wallMs }, signal);
    }
  }

  /** Just reset: stack and cells are still as they were before, and tell nothing. No ROM comes to its prompt so soon. */
  get #isStarting(): boolean {
    return this.#engine.sinceReset < 1;
  }

  async #wait(signal: AbortSignal): Promise<boolean> {
    const end = this.#engine.clock() + wallMs;
    for (let left = mostFrames; left > 0 && this.#engine.clock() < end && !signal.aborted; left -= framesBetweenLooks) {
      const stop = await this.#engine.run({ frames: framesBetweenLooks, wallMs }, signal);
      if (stop.cause !== 'limit') throw stopped(stop);
      if (this.isWaiting()) return true;
    }
    return false;
  }

  /** What stands on the line would be read with what is typed. */
  async #emptyLine(signal: AbortSignal): Promise<readonly string[]> {
    // The line may have to be left; the screen has as many.
    const { rows } = this.#model.screen;
    for (let left = rows; left > 0; left--) {
      if (this.#isLineEmpty()) return left === rows ? [] : ['text on the input line was left there'];
      await this.#keyboard.press(['lshift', 'return'], 3, signal);
    }
    return [];
  }

  #isLineEmpty(): boolean {
    const { ram } = this.#engine.board;
    const { cells, screen } = this.#model;
    const start = this.#word(cells.line);
    const length = (cells.lineEnd === undefined ? screen.columns - 1 : (ram[cells.lineEnd] ?? 0)) + 1;
    // The cursor is the same character in reverse.
    return ram.subarray(start, start + length).every((code) => (code & 0x7f) === blank);
  }

  /** Where the processor is, and everything that has called or been interrupted to get there. */
  #places(): readonly number[] {
    return [this.#engine.pc, ...this.#calls().map(({ from }) => Number(from))];
  }

  #isProgram(address: number): boolean {
    return isProgramAt(address, this.#engine.board, this.#model);
  }

  #disarmReset(): void {
    const { ram } = this.#engine.board;
    const { address, sign } = this.#model.resetTrap;
    if (!sign.every((byte, index) => ram[address + index] === byte)) return;
    this.#engine.input({ type: 'poke', bank: 'ram', address, bytes: Uint8Array.of(0) });
  }

  #word(address: number): number {
    const { ram } = this.#engine.board;
    return (ram[address] ?? 0) | ((ram[address + 1] ?? 0) << 8);
  }
}

function stopped({ reason }: Stop): MachineError {
  return new MachineError(
    'LIMIT_REACHED',
    `Something stopped the machine (${reason}) before it reached the BASIC prompt; the program was not started.`,
    'Try again, or load with "start":false.',
  );
}
