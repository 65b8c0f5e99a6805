import { keysFor, scanCodes } from '../../../chips/i8042/scan-codes.ts';
import { ownValue } from '../../../formats/own-value.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { KeyboardCapability } from '../../../machine/input.ts';
import type { Stop } from '../../../machine/state.ts';
import { typedSlowly } from '../../shared/typed-slowly.ts';
import type { DosEngine } from './dos-engine.ts';

/** In frames of 1/70 s; held long enough for programs that poll the keyboard themselves. */
const framesDown = 3;
const framesUp = 2;
/** The BIOS keeps fifteen keys; this many may wait before more are typed. */
const mostWaiting = 12;
const patienceFrames = 140;
/** In real time. A call is given up after 55 s, and then says nothing of what was typed. */
const typingMs = 40_000;
const pressMs = 20_000;
const bufferHead = 0x41a;
const bufferTail = 0x41c;

const aliases: Readonly<Record<string, string>> = {
  return: 'enter',
  esc: 'escape',
  control: 'ctrl',
  del: 'delete',
  ins: 'insert',
  pgup: 'page up',
  pgdn: 'page down',
};

/** A 101-key keyboard. */
export class DosKeyboard implements KeyboardCapability {
  readonly keyNames = Object.keys(scanCodes);
  readonly #engine: DosEngine;
  #held: readonly number[] = [];

  constructor(engine: DosEngine) {
    this.#engine = engine;
  }

  async type(text: string, signal: AbortSignal): Promise<void> {
    const characters = [...text];
    const chords = characters.map((character, index) => {
      const keys = keysFor(character);
      if (keys) return keys;
      throw new MachineError(
        'INVALID_ARGUMENT',
        `No key types ${JSON.stringify(character)} (character ${index + 1}); nothing was typed.`,
        'Type what a US keyboard has.',
      );
    });
    const end = this.#engine.clock() + typingMs;
    const slow = (typed: number) => typedSlowly(typed, characters.length, typingMs);
    for (const [index, keys] of chords.entries()) {
      if (!(await this.#hasRoom(end, signal))) {
        if (this.#engine.clock() >= end) throw slow(index);
        throw new MachineError(
          'LIMIT_REACHED',
          `The program does not read its keyboard: ${index} of ${characters.length} characters were typed.`,
          'Run it until it asks for something, then type the rest.',
          { typed: index },
        );
      }
      const stop = await this.#press(keys, framesDown, framesUp, end, signal);
      if (stop.cause === 'limit' && stop.reason === 'frames') continue;
      if (index === characters.length - 1) return;
      if (this.#engine.clock() >= end) throw slow(index + 1);
      throw new MachineError(
        'LIMIT_REACHED',
        `Something stopped the machine (${stop.reason}) when ${index + 1} of ${characters.length} characters were typed.`,
        'Look at it, then type the rest.',
        { typed: index + 1 },
      );
    }
  }

  async press(chord: readonly string[], frames: number, signal: AbortSignal): Promise<void> {
    await this.#press(chord, frames, 0, this.#engine.clock() + pressMs, signal);
  }

  /** Time does not go on after a stop. */
  async #press(chord: readonly string[], down: number, up: number, end: number, signal: AbortSignal): Promise<Stop> {
    const codes = chord.map(codeOf);
    for (const code of codes) this.#key(code, true);
    const stop = await this.#engine.run({ frames: down, wallMs: this.#leftMs(end) }, signal);
    for (const code of codes.toReversed()) this.#key(code, false);
    const goesOn = up > 0 && stop.cause === 'limit' && stop.reason === 'frames';
    return goesOn ? this.#engine.run({ frames: up, wallMs: this.#leftMs(end) }, signal) : stop;
  }

  keysFor(character: string): readonly string[] | undefined {
    return keysFor(character);
  }

  async hold(keys: readonly string[]): Promise<void> {
    const codes = codesOf(keys);
    for (const code of this.#held) if (!codes.includes(code)) this.#key(code, false);
    for (const code of codes) if (!this.#held.includes(code)) this.#key(code, true);
    this.#held = codes;
  }

  resume(): void {
    const { kbc } = this.#engine.system.board;
    this.#held = [...new Set(Object.values(scanCodes))].filter((code) => kbc.isKeyDown(code));
  }

  #key(code: number, down: boolean): void {
    this.#engine.input({ type: 'key', code, down });
  }

  async #hasRoom(end: number, signal: AbortSignal): Promise<boolean> {
    for (let frames = 0; frames < patienceFrames && this.#engine.clock() < end; frames += 5) {
      if (this.#waiting() < mostWaiting) return true;
      await this.#engine.run({ frames: 5, wallMs: this.#leftMs(end) }, signal);
    }
    return false;
  }

  #leftMs(end: number): number {
    return Math.max(1, end - this.#engine.clock());
  }

  #waiting(): number {
    const { ram } = this.#engine.system.board.memory;
    const word = (address: number) => (ram[address] ?? 0) | ((ram[address + 1] ?? 0) << 8);
    return ((word(bufferTail) - word(bufferHead)) & 0x1f) >> 1;
  }
}

function nameOf(key: string): string {
  const lower = key.toLowerCase();
  return ownValue(aliases, lower) ?? lower;
}

function codesOf(keys: readonly string[]): readonly number[] {
  return keys.flatMap((key) => scanCodes[nameOf(key)] ?? []);
}

function codeOf(key: string): number {
  const code = scanCodes[nameOf(key)];
  if (code !== undefined) return code;
  const names = Object.keys(scanCodes).join(', ');
  throw new MachineError('INVALID_ARGUMENT', `No key ${JSON.stringify(key.slice(0, 20))}.`, `Keys: ${names}.`);
}
