import { setTimeout } from 'node:timers/promises';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { JoystickCapability, KeyboardCapability } from '../../../machine/input.ts';
import type { Stop } from '../../../machine/state.ts';
import { requireDirections, requirePort } from '../../shared/control-port.ts';
import { typedSlowly } from '../../shared/typed-slowly.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { CommodoreModel, SystemCells } from './commodore-model.ts';
import { joystickBits } from './joystick-bits.ts';
import { KeyMatrix, type KeyPlace } from './key-matrix.ts';

/** Long enough that the KERNAL's scan, once in a sixtieth of a second, sees the key, and sees it gone. */
const framesDown = 3;
const framesUp = 2;
const frameWallMs = 10_000;
/** In real time. A call is given up after 55 s, and then says nothing of what was typed. */
const typingMs = 40_000;
/** Half a minute: programs that load leave the keyboard alone for seconds. */
const framesWaiting = 1500;
/** Where the time ends first, so many tell that the program looks elsewhere and is not just slow. */
const framesTelling = 250;
const seenTries = 40;
/** Few enough that BASIC, which waits for keys, does not take one between two looks. */
const cyclesBetweenLooks = 12;
const looksPerFrame = 1700;
/** As many as the KERNAL's buffer holds. */
const keyBufferBytes = 10;
/** The datasette's own. */
const tapeKeys = { tape_play: 'play', tape_record: 'record', tape_stop: 'stop', tape_rewind: 'rewind' } as const;

/** What ends typing before its time: a stop, or a program that does not look at the keyboard. */
interface Ending {
  /** A number: of the frames in which no key was taken. */
  readonly by: Stop | number;
  readonly isTaken: boolean;
}

interface Typing {
  readonly signal: AbortSignal;
  /** By the engine's clock. */
  readonly end: number;
}

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
    const typing = { signal, end: this.#engine.clock() + typingMs };
    let last: readonly KeyPlace[] = [];
    for (const [index, character] of characters.entries()) {
      if (signal.aborted) return;
      const places = this.#keys(character) ?? [];
      const ending = await this.#typeKey(places, last, typing);
      last = places;
      const typed = ending?.isTaken === false ? index : index + 1;
      const isLate = this.#engine.clock() >= typing.end;
      if (signal.aborted || typed === characters.length) return;
      if (typeof ending?.by === 'number') throw unseen(ending.by, typed, characters.length);
      if (isLate) throw typedSlowly(typed, characters.length, typingMs);
      if (ending) throw stopped(ending.by, typed, characters.length);
    }
  }

  /** Down until the KERNAL has it and hardly longer: what the key brings about is still to come. */
  async tapReturn(signal: AbortSignal): Promise<void> {
    const { board } = this.#engine;
    const { keysWaiting } = this.#cells;
    const isIn = () => board.peek('ram', keysWaiting) !== 0;
    const pass = (cycles: number) => this.#engine.run({ cycles, wallMs: frameWallMs }, signal);
    await this.#frames(framesUp, signal);
    for (let frame = 0; isIn() && frame < framesWaiting && !signal.aborted; frame++) await this.#frames(1, signal);
    this.#setDown(this.#keys('\n') ?? [], true);
    const most = framesWaiting * looksPerFrame;
    for (let look = 0; !isIn() && look < most && !signal.aborted; look++) await pass(cyclesBetweenLooks);
    this.#setDown(this.#keys('\n') ?? [], false);
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

  resume(): void {
    const { board } = this.#engine;
    const lines = [0, 1, 2, 3, 4, 5, 6, 7];
    const places = lines.flatMap((column) => lines.map((row) => ({ column, row })));
    const down = places.filter(({ column, row }) => board.isKeyDown(column, row));
    this.#held = new Map(down.map((place) => [`${place.column},${place.row}`, place]));
    this.#restoreHeld = board.isRestoreDown;
  }

  #placesOf(keys: readonly string[]): Map<string, KeyPlace> {
    const places = keys.flatMap((name) => this.#matrix.keysFor(name) ?? []);
    return new Map(places.map((place) => [`${place.column},${place.row}`, place]));
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
      const message = 'RECORD cannot be pressed: the tape is write-protected.';
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
    const wanted = this.#placesOf(keys);
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

  async set(port: number, directions: readonly string[], byHand = false): Promise<void> {
    requirePort(port, this.ports, this.#name);
    const bits = requireDirections(directions).reduce((all, direction) => all | joystickBits[direction], 0);
    this.#engine.input({ type: 'joystick', port, bits, byHand });
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

  /** Down until the program has looked, but not before it has seen the last key go up and has room for this one. */
  async #typeKey(places: readonly KeyPlace[], last: readonly KeyPlace[], typing: Typing): Promise<Ending | undefined> {
    const { board } = this.#engine;
    const looks = board.keyboardLooks;
    const areSeen = (keys: readonly KeyPlace[]) => keys.every((place) => looks.hasSeen(place));
    const hasRoom = () => board.peek('ram', this.#cells.keysWaiting) !== keyBufferBytes;
    const early = await this.#until(() => areSeen(last) && hasRoom(), typing);
    if (early) return { by: early, isTaken: false };
    looks.forget();
    this.#setDown(places, true);
    let ending: Stop | number | undefined = await this.#pass(framesDown, typing);
    if (!ending && !areSeen(places)) {
      ending = (await this.#until(() => areSeen(places), typing)) ?? (await this.#pass(framesDown, typing));
    }
    const isTaken = areSeen(places);
    this.#setDown(places, false);
    looks.forget();
    const by = ending ?? (await this.#pass(framesUp, typing));
    return by === undefined ? undefined : { by, isTaken };
  }

  async #until(isSo: () => boolean, typing: Typing): Promise<Stop | number | undefined> {
    for (let frame = 0; !isSo(); frame++) {
      const isOver = frame >= framesTelling && this.#engine.clock() >= typing.end;
      if (frame === framesWaiting || isOver) return frame;
      const stop = await this.#pass(1, typing);
      if (stop) return stop.cause === 'limit' && frame >= framesTelling ? frame : stop;
    }
    return undefined;
  }

  /** What else than the time ended it. */
  async #pass(frames: number, { signal, end }: Typing): Promise<Stop | undefined> {
    const stop = await this.#frames(frames, signal, Math.max(1, end - this.#engine.clock()));
    return passed(stop) ? undefined : stop;
  }

  async #hold(places: readonly KeyPlace[], frames: number, signal: AbortSignal): Promise<Stop> {
    this.#setDown(places, true);
    const stop = await this.#frames(frames, signal);
    this.#setDown(places, false);
    return stop;
  }

  #setDown(places: readonly KeyPlace[], isDown: boolean): void {
    for (const { column, row } of places) this.#engine.input({ type: 'key', column, row, down: isDown });
  }

  #frames(frames: number, signal: AbortSignal, wallMs = frameWallMs): Promise<Stop> {
    return this.#engine.run({ frames, wallMs }, signal);
  }
}

function passed({ cause, reason }: Stop): boolean {
  return cause === 'limit' && reason === 'frames';
}

function unseen(frames: number, typed: number, all: number): MachineError {
  return new MachineError(
    'LIMIT_REACHED',
    `The program took no key in ${frames} frames; ${typed} of ${all} characters were typed.`,
    advice`Look at what it does, or let it go on with ${call('run', { frames: framesWaiting })}; then type the rest.`,
    { typed },
  );
}

function stopped({ reason }: Stop, typed: number, all: number): MachineError {
  return new MachineError(
    'LIMIT_REACHED',
    `Something stopped the machine (${reason}) when ${typed} of ${all} characters were typed.`,
    'Look at it, then type the rest.',
    { typed },
  );
}

function isTapeKey(name: string): name is keyof typeof tapeKeys {
  return name in tapeKeys;
}
