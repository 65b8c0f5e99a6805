/**
 * A datasette with a TAP image in it, at the level of its wires: while PLAY is down and the motor has current, pulses come
 * out of READ at the cycles the image notes.
 *
 * Not emulated: recording, winding, the time the motor takes to start and stop, the head's own delay.
 */
import { pulseAt, readTap, type Tap } from '../media/tap.ts';
import type { DiskRevision, DiskShelf } from './disk-shelf.ts';

export const datasetteFields = {
  /** Which tape is in it, as a hash (see DiskShelf). */
  hasTape: 0,
  tapeLow: 1,
  tapeHigh: 2,
  playing: 3,
  motor: 4,
  /** Offset of the next pulse in the image. */
  position: 5,
  /** 1 while it moves: then `due` is the cycle (its low 32 bits) of the next pulse, else what is left until it. */
  armed: 6,
  due: 7,
  left: 8,
} as const;

export const datasetteWords = 10;

type Words = Int32Array & Record<(typeof datasetteFields)[keyof typeof datasetteFields], number>;

/** What it is plugged into. */
export interface TapeWires {
  now(): number;
  /** A pulse on READ. */
  pulse(): void;
  /** SENSE: a key is down. */
  setSense(isDown: boolean): void;
  /** It waits for a moment that was not known before. */
  planAnew(): void;
}

const f = datasetteFields;
const never = 0x3fff_ffff;
/** Below the range of signed differences of cycles. */
const longestPulse = 0x3fff_fff0;

export class Datasette {
  readonly #words: Words;
  readonly #shelf: DiskShelf;
  readonly #wires: TapeWires;
  /** The tape that the words name: a cache. */
  #tape: { readonly revision: DiskRevision; readonly tap: Tap } | undefined;

  constructor(words: Int32Array, shelf: DiskShelf, wires: TapeWires) {
    this.#words = words as Words;
    this.#shelf = shelf;
    this.#wires = wires;
  }

  /** Throws a MediaError when the bytes are no TAP image. */
  insert(image: Uint8Array): void {
    const tap = readTap(image);
    this.eject();
    this.#tape = { revision: this.#shelf.keep(image), tap };
    this.#name();
  }

  eject(): void {
    this.press('stop');
    this.#tape = undefined;
    this.#words[f.position] = 0;
    this.#words[f.left] = 0;
    this.#name();
  }

  /** The keys; `rewind` goes to the start at once and stops. */
  press(key: 'play' | 'stop' | 'rewind'): void {
    const words = this.#words;
    words[f.playing] = key === 'play' && this.#tape !== undefined ? 1 : 0;
    this.#wires.setSense(words[f.playing] !== 0);
    this.#moveOrStop();
    if (key === 'rewind') {
      words[f.position] = 0;
      words[f.left] = 0;
    }
  }

  setMotor(isOn: boolean): void {
    const value = isOn ? 1 : 0;
    if (this.#words[f.motor] === value) return;
    this.#words[f.motor] = value;
    this.#moveOrStop();
  }

  get isPlaying(): boolean {
    return this.#words[f.playing] !== 0;
  }

  /** How far the tape has run, from 0 to 1. */
  get progress(): number {
    const length = this.#tape?.tap.data.length ?? 0;
    return length === 0 ? 0 : this.#words[f.position] / length;
  }

  bytes(): Uint8Array | undefined {
    return this.#tape && this.#shelf.bytesOf(this.#tape.revision);
  }

  /** How many cycles after this one it can be left alone. */
  quietCycles(): number {
    const words = this.#words;
    return words[f.armed] === 0 ? never : Math.max(0, ((words[f.due] - this.#wires.now()) | 0) - 1);
  }

  tick(): void {
    const words = this.#words;
    if (words[f.armed] === 0) return;
    const now = this.#wires.now();
    while (words[f.armed] !== 0 && ((words[f.due] - now) | 0) <= 0) {
      this.#wires.pulse();
      this.#arm(words[f.due]);
    }
  }

  /** All words are zero: power comes on. The tape stays where it is, the key too. */
  powerUp(before: Int32Array): void {
    this.#words.set(before);
    this.#words[f.motor] = 0;
    this.#words[f.armed] = 0;
    this.#wires.setSense(this.isPlaying);
  }

  /** What `powerUp` has to be told. */
  kept(): Int32Array {
    this.#moveOrStop(true);
    return this.#words.slice();
  }

  restored(): void {
    const words = this.#words;
    const revision = words[f.hasTape] === 0 ? undefined : this.#shelf.find(words[f.tapeLow], words[f.tapeHigh]);
    if (revision === this.#tape?.revision) return;
    this.#tape = revision && { revision, tap: readTap(this.#shelf.bytesOf(revision)) };
  }

  /** The tape that was in it when this copy of its words was made, if it is known. */
  imageIn(copy: Int32Array): Uint8Array | undefined {
    const words = copy as Words;
    const revision = words[f.hasTape] === 0 ? undefined : this.#shelf.find(words[f.tapeLow], words[f.tapeHigh]);
    return revision && this.#shelf.bytesOf(revision);
  }

  #moveOrStop(powerOff = false): void {
    const words = this.#words;
    const moves = !powerOff && words[f.playing] !== 0 && words[f.motor] !== 0;
    if (moves === (words[f.armed] !== 0)) return;
    const now = this.#wires.now();
    if (!moves) {
      words[f.left] = Math.max(0, (words[f.due] - now) | 0);
      words[f.armed] = 0;
      return;
    }
    if (words[f.left] > 0) {
      words[f.due] = now + words[f.left];
      words[f.armed] = 1;
    } else this.#arm(now);
    this.#wires.planAnew();
  }

  /** The next pulse, counted from `since`; at the end of the tape the key springs up. */
  #arm(since: number): void {
    const words = this.#words;
    const tap = this.#tape?.tap;
    let cycles = 0;
    // Version 2 notes half waves: READ falls with every second one.
    for (let halves = tap?.version === 2 ? 2 : 1; halves > 0; halves--) {
      const pulse = tap && pulseAt(tap, words[f.position]);
      if (!pulse) {
        words[f.armed] = 0;
        words[f.left] = 0;
        words[f.playing] = 0;
        this.#wires.setSense(false);
        return;
      }
      words[f.position] = pulse.next;
      cycles += pulse.cycles;
    }
    words[f.armed] = 1;
    words[f.due] = since + Math.min(Math.max(1, cycles), longestPulse);
  }

  #name(): void {
    const revision = this.#tape?.revision;
    this.#words[f.hasTape] = revision ? 1 : 0;
    this.#words[f.tapeLow] = revision?.low ?? 0;
    this.#words[f.tapeHigh] = revision?.high ?? 0;
  }
}
