import type { WatchedSound } from '../../api/watch.ts';
import type { AudioCapability, Listening } from '../../machine/audio.ts';

const periodMs = 20;
/** A machine that runs faster than real time is heard in pieces of about this length. */
const mostAheadMs = 300;
const nextPieceMs = 60;
/** Somebody who does not take it is not listened for. */
const patienceMs = 1000;

export interface SoundViewer {
  /** False while the viewer does not keep up: they miss sound. */
  isReady(): boolean;
  hear(sound: WatchedSound): void;
  /** There will be no more. */
  trouble(error: unknown): void;
}

/**
 * What a machine sounds like, for a viewer. Sound has a price on most machines, so no more of it is worked out than
 * real time has room for, and none for somebody who does not take it.
 */
export class SoundView {
  readonly #audio: AudioCapability;
  readonly #viewer: SoundViewer;
  readonly #timer: NodeJS.Timeout;
  #listening: Listening | undefined;
  /** When what was sent so far will have been heard. */
  #heardAt = 0;
  #readyAt = performance.now();

  constructor(audio: AudioCapability, viewer: SoundViewer) {
    this.#audio = audio;
    this.#viewer = viewer;
    this.#timer = setInterval(() => {
      try {
        this.#pass();
      } catch (error) {
        clearInterval(this.#timer);
        viewer.trouble(error);
      }
    }, periodMs);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stop();
  }

  #pass(): void {
    const now = performance.now();
    const isReady = this.#viewer.isReady();
    if (isReady) this.#readyAt = now;
    const isLate = now - this.#readyAt > patienceMs;
    if (isLate || this.#heardAt - now > (this.#listening ? mostAheadMs : nextPieceMs)) {
      this.#stop();
      return;
    }
    this.#listening ??= this.#audio.listen();
    const { sampleRate } = this.#listening;
    const samples = this.#listening.take();
    if (samples.length === 0 || !isReady) return;
    this.#heardAt = Math.max(this.#heardAt, now) + (samples.length * 1000) / sampleRate;
    this.#viewer.hear({ sampleRate, samples });
  }

  #stop(): void {
    this.#listening?.close();
    this.#listening = undefined;
  }
}
