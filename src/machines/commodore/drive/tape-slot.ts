import { encodePulse, readTap, type Tap, writeTap } from '../../../formats/commodore/media/tap.ts';
import {
  appended,
  cutAt,
  placeAfter,
  recordable,
  type TapePlace,
  tailOf,
} from '../../../formats/commodore/media/tape-recording.ts';
import { type DatasetteWords, datasetteFields as f, pendingRoom } from './datasette-state.ts';
import type { DiskRevision, DiskShelf } from './disk-shelf.ts';

const longestCode = 4;

/**
 * The tape in the datasette. What is on it lies on the machine's shelf and the words name it; what is being recorded lies in
 * the words themselves until there is enough of it.
 */
export class TapeSlot {
  readonly #words: DatasetteWords;
  readonly #pending: Uint8Array;
  readonly #shelf: DiskShelf;
  /** The tape that the words name: a cache. */
  #tape: { readonly revision: DiskRevision; readonly tap: Tap } | undefined;

  constructor(words: DatasetteWords, shelf: DiskShelf) {
    this.#words = words;
    this.#pending = new Uint8Array(words.buffer, words.byteOffset + f.pending * 4, pendingRoom);
    this.#shelf = shelf;
  }

  get tap(): Tap | undefined {
    return this.#tape?.tap;
  }

  /** Two of these are equal if what is on the tape is. */
  get contents(): string {
    const words = this.#words;
    return `${words[f.hasTape]},${words[f.tapeLow]},${words[f.tapeHigh]},${words[f.pendingBytes]}`;
  }

  insert(image: Uint8Array, readOnly: boolean): void {
    this.#words[f.readOnly] = readOnly ? 1 : 0;
    this.#mount(this.#shelf.keep(image));
  }

  eject(): void {
    this.#words[f.readOnly] = 0;
    this.#mount(undefined);
  }

  /** The tape as it is now, with all that was recorded on it. */
  bytes(): Uint8Array | undefined {
    const image = this.#tape && this.#shelf.bytesOf(this.#tape.revision);
    if (!image || this.#words[f.recording] === 0) return image;
    const old = this.#old();
    const recorded = this.#pending.subarray(0, this.#words[f.pendingBytes]);
    return appended(appended(image, recorded), tailOf(old, this.#oldPlace(old)));
  }

  /** From now on the tape ends where it is; without one, a blank one is put in. */
  startRecording(): void {
    const words = this.#words;
    const tape = recordable(
      this.#tape ? this.#shelf.bytesOf(this.#tape.revision) : writeTap(new Uint8Array()),
      words[f.position],
    );
    const old = this.#shelf.keep(tape.image, this.#tape?.revision);
    words[f.oldLow] = old.low;
    words[f.oldHigh] = old.high;
    words[f.oldAt] = tape.at;
    words[f.oldPast] = 0;
    this.#mount(this.#shelf.keep(cutAt(tape.image, tape.at), old));
    words[f.position] = tape.at;
    words[f.recording] = 1;
  }

  /** A pulse after all others. */
  record(cycles: number): void {
    const words = this.#words;
    if (words[f.pendingBytes] + longestCode > pendingRoom) this.#commit();
    const code = encodePulse(cycles);
    this.#pending.set(code, words[f.pendingBytes]);
    words[f.pendingBytes] += code.length;
    words[f.pendingCycles] += cycles;
  }

  /** What was not recorded over comes back. */
  endRecording(): void {
    const words = this.#words;
    this.#commit();
    const old = this.#old();
    this.#append(tailOf(old, this.#oldPlace(old)));
    words.fill(0, f.oldLow, f.pending);
    words[f.recording] = 0;
  }

  /** After somebody wrote to the words. Contents nobody here has ever seen make an empty datasette. */
  restored(): void {
    const words = this.#words;
    const revision = words[f.hasTape] === 0 ? undefined : this.#shelf.find(words[f.tapeLow], words[f.tapeHigh]);
    if (revision !== this.#tape?.revision) this.#mount(revision);
  }

  /** The tape that was in it when this copy of its words was made, and what it records over, as far as they are known. */
  imagesIn(copy: DatasetteWords): readonly Uint8Array[] {
    const tape = copy[f.hasTape] === 0 ? undefined : this.#shelf.find(copy[f.tapeLow], copy[f.tapeHigh]);
    const old = copy[f.recording] === 0 ? undefined : this.#shelf.find(copy[f.oldLow], copy[f.oldHigh]);
    return [tape, old].flatMap((revision) => (revision ? [this.#shelf.bytesOf(revision)] : []));
  }

  /** What waits goes into the image. */
  #commit(): void {
    const words = this.#words;
    const place = this.#oldPlace(this.#old());
    words[f.oldAt] = place.at;
    words[f.oldPast] = place.past;
    this.#append(this.#pending.subarray(0, words[f.pendingBytes]));
    words[f.position] += words[f.pendingBytes];
    words[f.pendingBytes] = 0;
    words[f.pendingCycles] = 0;
    this.#pending.fill(0);
  }

  #append(bytes: Uint8Array): void {
    if (!this.#tape) return;
    const { revision } = this.#tape;
    this.#mount(this.#shelf.keep(appended(this.#shelf.bytesOf(revision), bytes), revision));
  }

  /** The tape that is recorded over. */
  #old(): Tap {
    const revision = this.#shelf.find(this.#words[f.oldLow], this.#words[f.oldHigh]);
    return readTap(revision ? this.#shelf.bytesOf(revision) : writeTap(new Uint8Array()));
  }

  /** How far it is recorded over, with what waits. */
  #oldPlace(old: Tap): TapePlace {
    const words = this.#words;
    return placeAfter(old, { at: words[f.oldAt], past: words[f.oldPast] }, words[f.pendingCycles]);
  }

  #mount(revision: DiskRevision | undefined): void {
    this.#tape = revision && { revision, tap: readTap(this.#shelf.bytesOf(revision)) };
    this.#words[f.hasTape] = revision ? 1 : 0;
    this.#words[f.tapeLow] = revision?.low ?? 0;
    this.#words[f.tapeHigh] = revision?.high ?? 0;
  }
}
