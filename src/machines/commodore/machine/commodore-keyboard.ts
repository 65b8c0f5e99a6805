import { setTimeout } from 'node:timers/promises';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { JoystickCapability, KeyboardCapability } from '../../../machine/input.ts';
import type { Stop } from '../../../machine/state.ts';
import { requireDirections, requirePort } from '../../shared/control-port.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreModel, SystemCells } from './commodore-model.ts';
import { joystickBits } from './joystick-bits.ts';
import { KeyMatrix, type KeyPlace } from './key-matrix.ts';

/** Long enough that the KERNAL's scan, once in a sixtieth of a second, sees the key, and sees it gone. */
const framesDown = 3;
const framesUp = 2;
const frameWallMs = 10_000;
const seenTries = 40;
/** As many as the KERNAL's buffer holds. */
const keyBufferBytes = 10;
/** The datasette's own. */
const tapeKeys = { tape_play: 'play', tape_record: 'record', tape_stop: 'stop', tape_rewind: 'rewind' } as const;

/** Types through the keyboard's matrix, as fingers do. */
export class CommodoreKeyboard implements KeyboardCapability, JoystickCapability {
  readonly keyNames: readonly string[];
  readonly ports: readonly number[];
  readonly #name: string;
  readonly #matrix: KeyMatrix;
  readonly #engine: CommodoreEngine;
  readonly #cells: SystemCells;
  #held = new Map<string, KeyPlace>();
  #restoreHeld = false;
  #holding = Promise.resolve();

  constructor(engine: CommodoreEngine, { name, keys, shifted, controlPorts, cells }: CommodoreModel) {
    this.#cells = cells;
    this.#name = name;
    this.#matrix = new KeyMatrix(keys, shifted);
    this.keyNames = [...this.#matrix.keyNames, ...Object.keys(tapeKeys), 'freeze'];
    this.ports = controlPorts;
    this.#engine = engine;
  }

  async type(text: string, signal: AbortSignal): Promise<void> {
    const unknown = [...text].find((character) => this.#keys(character) === undefined);
    if (unknown !== undefined) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `The ${this.#name} has no key for ${JSON.stringify(unknown)}; nothing was typed.`,
        'Type letters, digits, punctuation and \\n; for others use keys with shift or cbm.',
      );
    }
    const characters = [...text];
    for (const [index, character] of characters.entries()) {
      if (signal.aborted) return;
      const down = await this.#hold(this.#keys(character) ?? [], framesDown, signal);
      const stop = passed(down) ? await this.#frames(framesUp, signal) : down;
      if (passed(stop) || signal.aborted || index === characters.length - 1) continue;
      throw new MachineError(
        'LIMIT_REACHED',
        `Something stopped the machine (${stop.reason}) when ${index + 1} of ${characters.length} characters were typed.`,
        'Look at it, then type the rest.',
        { typed: index + 1 },
      );
    }
  }

  async press(chord: readonly string[], frames: number, signal: AbortSignal): Promise<void> {
    const names = chord.map((name) => name.toLowerCase());
    const restore = names.includes('restore') && this.keyNames.includes('restore');
    const isButton = (name: string) => (restore && name === 'restore') || name === 'freeze' || isTapeKey(name);
    const places = chord
      .filter((name) => !isButton(name.toLowerCase()))
      .flatMap((name) => {
        const keys = this.#matrix.keysFor(name);
        if (keys) return keys;
        const message = `No key ${JSON.stringify(name.slice(0, 20))}.`;
        throw new MachineError('INVALID_ARGUMENT', message, `Keys: ${this.keyNames.join(' ')}.`);
      });
    for (const name of names) if (isTapeKey(name)) this.#pressOnTape(name);
    if (names.includes('freeze')) this.#pressFreeze();
    if (restore) this.#engine.input({ type: 'restore', down: true });
    await this.#hold(places, frames, signal);
    if (restore) this.#engine.input({ type: 'restore', down: false });
    await this.#frames(framesUp, signal);
  }

  /** Names of characters hold the shift key that they need. */
  keysFor(character: string): readonly string[] | undefined {
    return this.#matrix.keysFor(character) && [this.#matrix.plainName(character)];
  }

  /** One state after the other, each long enough to be seen: fingers on a page are faster than the KERNAL's scan. */
  hold(keys: readonly string[]): Promise<void> {
    this.#holding = this.#holding.then(async () => {
      this.#setKeys(keys);
      const engine = this.#engine;
      const seen = engine.board.frameCount + framesUp;
      for (let tries = 0; tries < seenTries; tries++) {
        // On a machine that is stopped whoever holds keys also lets the time pass.
        if (engine.board.frameCount >= seen || engine.state !== 'RUNNING') return;
        await setTimeout(5);
      }
    });
    return this.#holding;
  }

  /** The button of a cartridge. */
  #pressFreeze(): void {
    if (!this.#engine.board.canFreeze) {
      const message = 'There is no cartridge with a freeze button, or the button does nothing now.';
      throw new MachineError(
        'WRONG_STATE',
        message,
        advice`Insert one with ${call('media_attach', { path: 'action-replay.crt' })}.`,
      );
    }
    this.#engine.input({ type: 'freeze' });
  }

  #pressOnTape(name: keyof typeof tapeKeys): void {
    if (name === 'tape_record' && this.#engine.board.tape.isReadOnly) {
      const message = 'RECORD does not go down: the tape is write-protected.';
      throw new MachineError(
        'DENIED',
        message,
        advice`Insert it with ${call('media_attach')} without "readonly", or insert another one.`,
      );
    }
    if (['tape_play', 'tape_rewind'].includes(name) && !this.#engine.board.tape.hasTape) {
      const message = `There is no tape in the datasette for ${name}.`;
      throw new MachineError(
        'WRONG_STATE',
        message,
        advice`Insert one with ${call('media_attach', { path: 'game.tap' })}.`,
      );
    }
    this.#engine.input({ type: 'tapeKey', key: tapeKeys[name] });
  }

  #setKeys(keys: readonly string[]): void {
    const wanted = new Map(
      keys.flatMap((name) => this.#matrix.keysFor(name) ?? []).map((place) => [`${place.column},${place.row}`, place]),
    );
    for (const [id, { column, row }] of this.#held) {
      if (!wanted.has(id)) this.#engine.input({ type: 'key', column, row, down: false });
    }
    for (const [id, { column, row }] of wanted) {
      if (!this.#held.has(id)) this.#engine.input({ type: 'key', column, row, down: true });
    }
    this.#held = wanted;
    const restore = keys.includes('restore');
    if (restore !== this.#restoreHeld) this.#engine.input({ type: 'restore', down: restore });
    this.#restoreHeld = restore;
  }

  async set(port: number, directions: readonly string[]): Promise<void> {
    requirePort(port, this.ports, this.#name);
    const bits = requireDirections(directions).reduce((all, direction) => all | joystickBits[direction], 0);
    this.#engine.input({ type: 'joystick', port, bits });
  }

  async feed(codes: Uint8Array): Promise<number> {
    const { keysWaiting, keyBuffer } = this.#cells;
    if (this.#engine.board.peek('ram', keysWaiting) !== 0) return 0;
    const bytes = codes.slice(0, keyBufferBytes);
    this.#engine.input({ type: 'poke', bank: 'ram', address: keyBuffer, bytes });
    this.#engine.input({ type: 'poke', bank: 'ram', address: keysWaiting, bytes: Uint8Array.of(bytes.length) });
    return bytes.length;
  }

  async setUserPort(pins: number): Promise<void> {
    if (!this.#engine.board.setUserPort) {
      throw new MachineError(
        'MISSING_CAPABILITY',
        `The ${this.#name} has no user port.`,
        'Use a machine that has one.',
      );
    }
    this.#engine.input({ type: 'userPort', pins });
  }

  /** Capitals are what the machine shows for plain letters at power-on. */
  #keys(character: string): readonly KeyPlace[] | undefined {
    return this.#matrix.keysFor(character);
  }

  async #hold(places: readonly KeyPlace[], frames: number, signal: AbortSignal): Promise<Stop> {
    for (const { column, row } of places) this.#engine.input({ type: 'key', column, row, down: true });
    const stop = await this.#frames(frames, signal);
    for (const { column, row } of places) this.#engine.input({ type: 'key', column, row, down: false });
    return stop;
  }

  #frames(frames: number, signal: AbortSignal): Promise<Stop> {
    return this.#engine.run({ frames, wallMs: frameWallMs }, signal);
  }
}

function passed({ cause, reason }: Stop): boolean {
  return cause === 'limit' && reason === 'frames';
}

function isTapeKey(name: string): name is keyof typeof tapeKeys {
  return name in tapeKeys;
}
