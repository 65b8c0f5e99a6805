/**
 * A datasette with a TAP image in it, at the level of its wires: while PLAY is down and the motor has current, pulses come
 * out of READ at the cycles the image notes; with RECORD, the waves on WRITE go into it, each from one rise to the next.
 *
 * Not emulated: winding (rewinding takes no time), the time the motor takes to start and stop, the head's own delay.
 */
import { encodePulse, longestPulse, pulseAt, readTap, type Tap, writeTap } from '../media/tap.ts';
import { recordable, recordedOver } from '../media/tape-recording.ts';
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
  /**
   * 1 while it moves: then `due` is the cycle (its low 32 bits) of the next pulse, else `left` is what is left until it.
   * When it records: the cycle of the last one, and what went by since then.
   */
  armed: 6,
  due: 7,
  left: 8,
  recording: 9,
  readOnly: 10,
  /** The level of WRITE. */
  write: 11,
  /** What was recorded at `position` and is not in the image yet: how many bytes, for how long, and the bytes. */
  pendingBytes: 12,
  pendingCycles: 13,
  pending: 14,
} as const;

const pendingRoom = 256;

export const datasettePart = {
  words: datasetteFields.pending + pendingRoom / 4,
  fields: datasetteFields,
  lengths: { pending: pendingRoom / 4 },
};

type Words = Int32Array & Record<(typeof datasetteFields)[keyof typeof datasetteFields], number>;

export type TapeKey = 'play' | 'record' | 'stop' | 'rewind';

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
const longestCode = 4;

export class Datasette {
  readonly #words: Words;
  readonly #pending: Uint8Array;
  readonly #shelf: DiskShelf;
  readonly #wires: TapeWires;
  /** The tape that the words name: a cache. */
  #tape: { readonly revision: DiskRevision; readonly tap: Tap } | undefined;

  constructor(words: Int32Array, shelf: DiskShelf, wires: TapeWires) {
    this.#words = words as Words;
    this.#pending = new Uint8Array(words.buffer, words.byteOffset + f.pending * 4, pendingRoom);
    this.#shelf = shelf;
    this.#wires = wires;
  }

  /** Throws a MediaError when the bytes are no TAP image. Nothing can be recorded on one that is `readOnly`. */
  insert(image: Uint8Array, readOnly = false): void {
    void readTap(image);
    this.eject();
    this.#words[f.readOnly] = readOnly ? 1 : 0;
    this.#mount(this.#shelf.keep(image));
  }

  eject(): void {
    this.press('stop');
    this.#words[f.position] = 0;
    this.#words[f.left] = 0;
    this.#words[f.readOnly] = 0;
    this.#mount(undefined);
  }

  /**
   * The keys. `rewind` goes to the start at once and stops; `record` also presses PLAY, and puts a blank tape in if there
   * is none; it does not go down if nothing can be recorded.
   */
  press(key: TapeKey): void {
    const words = this.#words;
    if (key === 'record' && words[f.recording] !== 0) return;
    words[f.playing] = 0;
    this.#moveOrStop();
    if (words[f.recording] !== 0) this.#endRecording();
    if (key === 'record') this.#startRecording();
    else if (key === 'play' && this.#tape !== undefined) words[f.playing] = 1;
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

  setWrite(isHigh: boolean): void {
    const words = this.#words;
    const value = isHigh ? 1 : 0;
    if (words[f.write] === value) return;
    words[f.write] = value;
    if (value === 0 || words[f.recording] === 0 || words[f.armed] === 0) return;
    const now = this.#wires.now();
    this.#record((now - words[f.due]) | 0);
    words[f.due] = now;
  }

  /** PLAY is down, with RECORD or without. */
  get isPlaying(): boolean {
    return this.#words[f.playing] !== 0;
  }

  /** It runs: a key is down, and the motor has current. */
  get isMoving(): boolean {
    return this.#words[f.armed] !== 0;
  }

  get hasTape(): boolean {
    return this.#tape !== undefined;
  }

  get isReadOnly(): boolean {
    return this.#words[f.readOnly] !== 0;
  }

  /** Two of these are equal if what is on the tape is. */
  get contents(): string {
    const words = this.#words;
    return `${words[f.hasTape]},${words[f.tapeLow]},${words[f.tapeHigh]},${words[f.pendingBytes]}`;
  }

  /** How far the tape has run, from 0 to 1. */
  get progress(): number {
    const length = this.#tape?.tap.data.length ?? 0;
    return length === 0 ? 0 : this.#words[f.position] / length;
  }

  /** The tape as it is now, with all that was recorded on it. */
  bytes(): Uint8Array | undefined {
    return this.#tape && this.#withPending(this.#shelf.bytesOf(this.#tape.revision));
  }

  /** How many cycles after this one it can be left alone. */
  quietCycles(): number {
    const words = this.#words;
    if (words[f.armed] === 0) return never;
    const due = words[f.recording] === 0 ? words[f.due] : words[f.due] + longestPulse;
    return Math.max(0, ((due - this.#wires.now()) | 0) - 1);
  }

  tick(): void {
    const words = this.#words;
    if (words[f.armed] === 0) return;
    const now = this.#wires.now();
    if (words[f.recording] !== 0) {
      if (((now - words[f.due]) | 0) < longestPulse) return;
      this.#record(longestPulse);
      words[f.due] += longestPulse;
      return;
    }
    while (words[f.armed] !== 0 && ((words[f.due] - now) | 0) <= 0) {
      this.#wires.pulse();
      this.#arm(words[f.due]);
    }
  }

  /** All words are zero: power comes on. The tape stays where it is, the key too. */
  powerUp(before: Int32Array): void {
    this.#words.set(before);
    this.#words[f.motor] = 0;
    this.#words[f.write] = 0;
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
    if (revision !== this.#tape?.revision) this.#mount(revision);
  }

  /** The tape that was in it when this copy of its words was made, if it is known. */
  imageIn(copy: Int32Array): Uint8Array | undefined {
    const words = copy as Words;
    const revision = words[f.hasTape] === 0 ? undefined : this.#shelf.find(words[f.tapeLow], words[f.tapeHigh]);
    return revision && this.#shelf.bytesOf(revision);
  }

  #startRecording(): void {
    const words = this.#words;
    if (words[f.readOnly] !== 0) return;
    const image = this.#tape ? this.#shelf.bytesOf(this.#tape.revision) : writeTap(new Uint8Array());
    const tape = recordable(image, words[f.position]);
    this.#mount(this.#shelf.keep(tape.image, this.#tape?.revision));
    words[f.position] = tape.position;
    words[f.left] = 0;
    words[f.playing] = 1;
    words[f.recording] = 1;
  }

  #endRecording(): void {
    const words = this.#words;
    if (words[f.left] > 0) this.#record(words[f.left]);
    this.#commit();
    words[f.left] = 0;
    words[f.recording] = 0;
  }

  #record(cycles: number): void {
    const words = this.#words;
    if (words[f.pendingBytes] + longestCode > pendingRoom) this.#commit();
    const code = encodePulse(cycles);
    this.#pending.set(code, words[f.pendingBytes]);
    words[f.pendingBytes] += code.length;
    words[f.pendingCycles] += cycles;
  }

  /** What waits goes into the image. */
  #commit(): void {
    const words = this.#words;
    if (words[f.pendingBytes] === 0 || !this.#tape) return;
    const { revision } = this.#tape;
    this.#mount(this.#shelf.keep(this.#withPending(this.#shelf.bytesOf(revision)), revision));
    words[f.position] += words[f.pendingBytes];
    words[f.pendingBytes] = 0;
    words[f.pendingCycles] = 0;
    this.#pending.fill(0);
  }

  #withPending(image: Uint8Array): Uint8Array {
    const words = this.#words;
    if (words[f.pendingBytes] === 0) return image;
    const recorded = this.#pending.subarray(0, words[f.pendingBytes]);
    return recordedOver(image, words[f.position], recorded, words[f.pendingCycles]);
  }

  #moveOrStop(powerOff = false): void {
    const words = this.#words;
    const moves = !powerOff && words[f.playing] !== 0 && words[f.motor] !== 0;
    if (moves === (words[f.armed] !== 0)) return;
    const now = this.#wires.now();
    const isRecording = words[f.recording] !== 0;
    if (!moves) {
      words[f.left] = Math.max(0, (isRecording ? now - words[f.due] : words[f.due] - now) | 0);
      words[f.armed] = 0;
      return;
    }
    if (isRecording) {
      words[f.due] = now - words[f.left];
      words[f.armed] = 1;
    } else if (words[f.left] > 0) {
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
    words[f.due] = since + Math.max(1, cycles);
  }

  #mount(revision: DiskRevision | undefined): void {
    this.#tape = revision && { revision, tap: readTap(this.#shelf.bytesOf(revision)) };
    this.#words[f.hasTape] = revision ? 1 : 0;
    this.#words[f.tapeLow] = revision?.low ?? 0;
    this.#words[f.tapeHigh] = revision?.high ?? 0;
  }
}
