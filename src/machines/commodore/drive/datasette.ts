/**
 * A datasette with a TAP image in it, at the level of its wires: while PLAY is down and the motor has current, pulses come
 * out of READ at the cycles the image notes; with RECORD, the waves on WRITE go into it, each from one rise to the next.
 *
 * Not emulated: winding (rewinding takes no time), the time the motor takes to start and stop, the head's own delay.
 */
import { longestPulse, pulseAt, readTap } from '../../../formats/commodore/media/tap.ts';
import { type DatasetteWords, datasetteFields as f } from './datasette-state.ts';
import type { DiskShelf } from './disk-shelf.ts';
import { TapeSlot } from './tape-slot.ts';

export type TapeKey = 'play' | 'record' | 'stop' | 'rewind';

/** What it is plugged into. */
export interface TapeWires {
  now(): number;
  /** A pulse on READ. */
  pulse(): void;
  /** For computers that look at the level of READ: after a pulse, how long its wave is low, and how long it is altogether. */
  wave?(low: number, cycles: number): void;
  /** SENSE: a key is down. */
  setSense(isDown: boolean): void;
  /** It waits for a moment that was not known before. */
  planAnew(): void;
}

const never = 0x3fff_ffff;

export class Datasette {
  readonly #words: DatasetteWords;
  readonly #slot: TapeSlot;
  readonly #wires: TapeWires;

  constructor(words: Int32Array, shelf: DiskShelf, wires: TapeWires) {
    this.#words = words as DatasetteWords;
    this.#slot = new TapeSlot(this.#words, shelf);
    this.#wires = wires;
  }

  /** Throws a MediaError when the bytes are no TAP image. Nothing can be recorded on one that is `readOnly`. */
  insert(image: Uint8Array, readOnly = false): void {
    void readTap(image);
    this.eject();
    this.#slot.insert(image, readOnly);
  }

  eject(): void {
    this.press('stop');
    this.#words[f.position] = 0;
    this.#words[f.left] = 0;
    this.#slot.eject();
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
    if (words[f.recording] !== 0) {
      if (words[f.left] > 0) this.#slot.record(words[f.left]);
      this.#slot.endRecording();
      words[f.left] = 0;
    }
    if (key === 'record' && !this.isReadOnly) {
      this.#slot.startRecording();
      words[f.left] = 0;
      words[f.playing] = 1;
    } else if (key === 'play' && this.hasTape) words[f.playing] = 1;
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
    this.#slot.record((now - words[f.due]) | 0);
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
    return this.#slot.tap !== undefined;
  }

  get isReadOnly(): boolean {
    return this.#words[f.readOnly] !== 0;
  }

  /** Two of these are equal if what is on the tape is. */
  get contents(): string {
    return this.#slot.contents;
  }

  /** How far the tape has run, from 0 to 1. */
  get progress(): number {
    const length = this.#slot.tap?.data.length ?? 0;
    return length === 0 ? 0 : this.#words[f.position] / length;
  }

  /** The tape as it is now, with all that was recorded on it. */
  bytes(): Uint8Array | undefined {
    return this.#slot.bytes();
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
      this.#slot.record(longestPulse);
      words[f.due] += longestPulse;
      return;
    }
    while (words[f.armed] !== 0 && ((words[f.due] - now) | 0) <= 0) {
      const since = words[f.due];
      this.#wires.pulse();
      this.#arm(since);
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
    this.#slot.restored();
  }

  /** The tapes that this copy of its words speaks of, as far as they are known. */
  imagesIn(copy: Int32Array): readonly Uint8Array[] {
    return this.#slot.imagesIn(copy as DatasetteWords);
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
    const { tap } = this.#slot;
    let cycles = 0;
    let low = 0;
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
      low = cycles;
      cycles += pulse.cycles;
    }
    this.#wires.wave?.(low === 0 ? cycles >> 1 : low, cycles);
    words[f.armed] = 1;
    words[f.due] = since + Math.max(1, cycles);
  }
}
