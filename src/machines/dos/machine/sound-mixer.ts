import type { SoundSink } from '../../../chips/sound-sink.ts';

/** Adds up what speaker, OPL2 and Sound Blaster play, for everybody who listens. */
export class SoundMixer implements SoundSink {
  readonly #windows = new Set<SoundWindow>();
  active = false;

  /** Hears so many samples from this one on, over and over as they are taken. */
  open(first: number, length: number): SoundWindow {
    const window = new SoundWindow(first, length);
    this.#windows.add(window);
    this.active = true;
    return window;
  }

  close(window: SoundWindow): void {
    this.#windows.delete(window);
    this.active = this.#windows.size > 0;
  }

  add(index: number, value: number): void {
    for (const window of this.#windows) window.add(index, value);
  }
}

/** A stretch of time whose sound is kept until it is taken. */
class SoundWindow {
  readonly #mixed: Float32Array;
  #first: number;

  constructor(first: number, length: number) {
    this.#first = first;
    this.#mixed = new Float32Array(length);
  }

  add(index: number, value: number): void {
    const at = index - this.#first;
    if (at < 0 || at >= this.#mixed.length) return;
    const place = index % this.#mixed.length;
    this.#mixed[place] = (this.#mixed[place] ?? 0) + value;
  }

  /** What was heard up to this sample; it goes on from there. Nothing if time has jumped. */
  take(end: number): Int16Array {
    const count = end - this.#first;
    const size = this.#mixed.length;
    if (count < 0 || count > size) {
      this.#mixed.fill(0);
      this.#first = end;
      return new Int16Array();
    }
    const heard = new Int16Array(count);
    for (let at = 0; at < count; at++) {
      const place = (this.#first + at) % size;
      heard[at] = Math.round(Math.max(-1, Math.min(1, this.#mixed[place] ?? 0)) * 32_767);
      this.#mixed[place] = 0;
    }
    this.#first = end;
    return heard;
  }
}
