import { unicodeToPetscii } from '../../../formats/commodore/basic/petscii.ts';
import { lowerHex } from '../../../formats/hex.ts';
import { commands, text } from '../../../links/vice/wire.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { KeyboardCapability } from '../../../machine/input.ts';
import { typedSlowly } from '../../shared/typed-slowly.ts';
import type { ViceDatasette } from './vice-datasette.ts';
import type { ViceEngine } from './vice-engine.ts';
import type { ViceModel } from './vice-models.ts';
import type { ViceSession } from './vice-session.ts';

/** As many as the KERNAL's buffer holds. */
const bufferBytes = 10;
/** Until a program that reads keys at all has read them. */
const mostFrames = 200;
const framesPerKey = 3;
const wallMs = 20_000;
/** In real time. A call is given up after 55 s, and then says nothing of what was typed. */
const typingMs = 35_000;

/** Keys that are more than a character, by the code that they give. */
const codes: Readonly<Record<string, number>> = {
  return: 13,
  enter: 13,
  space: 32,
  del: 20,
  backspace: 20,
  delete: 20,
  inst: 148,
  home: 19,
  clr: 147,
  down: 17,
  up: 145,
  right: 29,
  left: 157,
  f1: 133,
  f3: 134,
  f5: 135,
  f7: 136,
  f2: 137,
  f4: 138,
  f6: 139,
  f8: 140,
};
/** With shift. */
const shifted: Readonly<Record<string, string>> = {
  del: 'inst',
  home: 'clr',
  down: 'up',
  right: 'left',
  f1: 'f2',
  f3: 'f4',
  f5: 'f6',
  f7: 'f8',
  return: 'return',
  space: 'space',
};
/** With the control key: colours, and reverse characters. */
const controlled = [146, 144, 5, 28, 159, 156, 30, 31, 158, 18];
const shifts = ['shift', 'lshift', 'rshift'];
const characters = [...'abcdefghijklmnopqrstuvwxyz0123456789 !"#$%&\'()*+,-./:;<=>?@[]£↑←'].filter(
  (each) => each !== ' ',
);

/** Types through the KERNAL's keyboard buffer: VICE's monitor has no way to its keys. */
export class ViceKeyboard implements KeyboardCapability {
  readonly keyNames: readonly string[];
  readonly #session: ViceSession;
  readonly #engine: ViceEngine;
  readonly #model: ViceModel;
  readonly #datasette: ViceDatasette | undefined;

  constructor(session: ViceSession, engine: ViceEngine, model: ViceModel, datasette?: ViceDatasette) {
    this.#session = session;
    this.#engine = engine;
    this.#model = model;
    this.#datasette = datasette;
    const onTape = datasette?.keyNames ?? [];
    this.keyNames = [...characters, ...Object.keys(codes), ...shifts, 'ctrl', ...onTape];
  }

  async type(typed: string, signal: AbortSignal): Promise<void> {
    const all = [...typed].map((character) => {
      const code = codeOf(character);
      if (code !== undefined) return code;
      throw new MachineError(
        'INVALID_ARGUMENT',
        `The ${this.#model.name} has no key for ${JSON.stringify(character)}; nothing was typed.`,
        'Type letters, digits, punctuation and \\n.',
      );
    });
    await this.#enter(Uint8Array.from(all), signal);
  }

  async press(chord: readonly string[], frames: number, signal: AbortSignal): Promise<void> {
    const names = chord.map((name) => name.toLowerCase());
    const [only = ''] = names;
    if (names.length === 1 && this.#datasette?.keyNames.includes(only)) {
      await this.#datasette.press(only);
      await this.#engine.run({ frames: Math.max(1, frames), wallMs }, signal);
      return;
    }
    const code = this.#codeOfChord(names);
    await this.#enter(Uint8Array.of(code), signal);
    if (frames > 1 && !signal.aborted) await this.#engine.run({ frames: frames - 1, wallMs }, signal);
  }

  async hold(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    throw this.#noMatrix('Keys cannot be held');
  }

  keysFor(character: string): readonly string[] | undefined {
    if (character === ' ') return ['space'];
    if (character === '\n' || character === '\r') return ['return'];
    const name = character.toLowerCase();
    return characters.includes(name) ? [name] : undefined;
  }

  async feed(given: Uint8Array): Promise<number> {
    const { cells } = this.#model;
    if (!cells) throw this.#noMatrix('Its keyboard buffer cannot be reached');
    const [waiting = 0] = await this.#session.peek(0, cells.keysWaiting, 1);
    if (waiting > 0) return 0;
    const some = given.subarray(0, bufferBytes);
    await this.#session.poke(0, cells.keyBuffer, some);
    await this.#session.poke(0, cells.keysWaiting, Uint8Array.of(some.length));
    return some.length;
  }

  /** As fast as the program takes them. */
  async #enter(all: Uint8Array, signal: AbortSignal): Promise<void> {
    const { cells } = this.#model;
    const end = performance.now() + typingMs;
    if (!cells) {
      for (let at = 0; at < all.length && !signal.aborted; at += bufferBytes) {
        if (performance.now() >= end) throw typedSlowly(at, all.length, typingMs);
        const some = all.subarray(at, at + bufferBytes);
        const keys = this.#session.isOldest ? escaped(some) : Buffer.from(some).toString('latin1');
        await this.#session.ask(commands.keyboardFeed, text(keys));
        await this.#engine.run({ frames: some.length * framesPerKey, wallMs }, signal);
      }
      return;
    }
    for (let at = 0; at < all.length; ) {
      await this.#drained(cells.keysWaiting, at, all.length, signal);
      if (signal.aborted) return;
      if (performance.now() >= end) throw typedSlowly(at, all.length, typingMs);
      at += await this.feed(all.subarray(at));
    }
    await this.#drained(cells.keysWaiting, all.length, all.length, signal);
    // The last one is read, but what it does has not happened.
    await this.#engine.run({ frames: framesPerKey, wallMs }, signal);
  }

  async #drained(cell: number, typed: number, total: number, signal: AbortSignal): Promise<void> {
    for (let frames = 0; !signal.aborted; frames++) {
      const [waiting = 0] = await this.#session.peek(0, cell, 1);
      if (waiting === 0) return;
      const stop = frames < mostFrames ? await this.#engine.run({ frames: 1, wallMs }, signal) : undefined;
      if (stop?.cause === 'limit' || signal.aborted) continue;
      const why = stop ? `something stopped the machine (${stop.reason})` : 'the program reads no keys from the KERNAL';
      throw new MachineError(
        'LIMIT_REACHED',
        `${Math.max(0, typed - waiting)} of ${total} characters were taken: ${why}.`,
        'Look at it, then type the rest.',
        { typed: Math.max(0, typed - waiting) },
      );
    }
  }

  #codeOfChord(names: readonly string[]): number {
    const unknown = names.find((name) => !this.keyNames.includes(name) && codeOf(name) === undefined);
    if (unknown !== undefined) {
      if (otherKeys.has(unknown)) throw this.#noMatrix(`The key ${unknown} gives no character`);
      const message = `No key ${JSON.stringify(unknown.slice(0, 20))}.`;
      throw new MachineError('INVALID_ARGUMENT', message, `Keys: ${this.keyNames.join(' ')}.`);
    }
    if (names.some((name) => this.#datasette?.keyNames.includes(name))) {
      throw new MachineError('INVALID_ARGUMENT', 'Keys of the datasette are pressed alone.', 'Press them one by one.');
    }
    const plain = names.filter((name) => !shifts.includes(name) && name !== 'ctrl');
    const [name = ''] = plain;
    if (plain.length !== 1) throw this.#noMatrix('Only one key with shift or ctrl can be pressed');
    if (names.includes('ctrl')) {
      const colour = /^[0-9]$/.test(name) ? controlled[Number(name)] : undefined;
      if (colour === undefined) throw this.#noMatrix(`ctrl and ${name} cannot be pressed`);
      return colour;
    }
    const isShifted = names.some((each) => shifts.includes(each));
    const code = codes[isShifted ? (shifted[name] ?? name) : name] ?? codeOf(name) ?? 0;
    const isLetter = code >= 65 && code <= 90;
    return isShifted && isLetter ? code + 128 : code;
  }

  #noMatrix(what: string): MachineError {
    const { builtIn } = this.#model;
    return new MachineError(
      'MISSING_CAPABILITY',
      `${what}: VICE's monitor reaches the keyboard buffer, not the keys.`,
      [
        advice`Type characters, cursor and function keys.`,
        ...(builtIn ? [advice`The built-in machine has all keys: ${call('machine_start', { kind: builtIn })}.`] : []),
      ],
    );
  }
}

/** Keys of a Commodore that leave no code in the buffer. */
const otherKeys = new Set([
  'restore',
  'stop',
  'runstop',
  'run/stop',
  'cbm',
  'commodore',
  'c=',
  'control',
  'escape',
  'help',
  'esc',
]);

function codeOf(character: string): number | undefined {
  if (character === '\n' || character === '\r') return 13;
  return [...character].length === 1 ? unicodeToPetscii(character) : undefined;
}

/** VICE 3.5 takes letters for ASCII, and makes PETSCII of them, but for codes that are written so. */
function escaped(codesOfKeys: Uint8Array): string {
  return [...codesOfKeys].map((code) => `\\x${lowerHex(code, 2)}`).join('');
}
