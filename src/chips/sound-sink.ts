/** Samples a second of everything that is captured. */
export const SAMPLE_HZ = 44_100;

/** Where sound goes while somebody listens. Parts add to it; nothing of it comes back to the machine. */
export interface SoundSink {
  readonly active: boolean;
  /** `index` counts samples of SAMPLE_HZ since the machine was switched on; `value` is from -1 to 1. */
  add(index: number, value: number): void;
}
