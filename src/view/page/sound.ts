import type { PageSound } from '../channel.ts';

/** Sound that waits to be heard: as much as the network and a busy page need, and as much as is still worth hearing. */
const wantedSeconds = 0.1;
const mostSeconds = 0.4;
/** How much faster or slower it is played to keep to that; nobody hears half a percent. */
const mostBend = 0.005;
const fadeSeconds = 0.004;
/** What machines have; others are brought to it by the browser. */
const contextHertz = 44_100;
/** Below what can be heard: loudspeakers rest anywhere. */
const lowestHertz = 16;

/** Plays what a machine sounds like. Silent until somebody unmutes it, which browsers want a person to do. */
export class SoundPlayer {
  #context: AudioContext | undefined;
  #gain: GainNode | undefined;
  /** When the next piece has to begin, in the context's time. */
  #next = 0;
  /** Where in the next piece we are, counted from the last sample of the one before. */
  #place = 0;
  #last = 0;

  get isOn(): boolean {
    return this.#context !== undefined;
  }

  async unmute(): Promise<void> {
    const context = new AudioContext({ sampleRate: contextHertz, latencyHint: 'interactive' });
    const filter = new BiquadFilterNode(context, { type: 'highpass', frequency: lowestHertz });
    this.#gain = new GainNode(context);
    this.#gain.connect(filter).connect(context.destination);
    this.#context = context;
    this.#next = 0;
    await context.resume();
  }

  async mute(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    await context?.close();
  }

  play({ sampleRate, samples }: PageSound): void {
    const context = this.#context;
    if (context?.state !== 'running' || !this.#gain) return;
    const isLate = this.#next < context.currentTime;
    if (isLate) this.#next = context.currentTime + wantedSeconds;
    const waiting = this.#next - context.currentTime;
    if (waiting > mostSeconds) return;
    const bend = Math.max(-mostBend, Math.min(mostBend, (waiting - wantedSeconds) * 0.05));
    const bent = this.#bend(samples, 1 + bend);
    if (bent.length === 0) return;
    const buffer = context.createBuffer(1, bent.length, sampleRate);
    buffer.copyToChannel(bent, 0);
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(this.#gain);
    source.start(this.#next);
    this.#fade(this.#gain.gain, isLate, this.#next, this.#next + buffer.duration);
    this.#next += buffer.duration;
  }

  /** In after silence; out at the end, unless more has come by then. */
  #fade(gain: AudioParam, isFirst: boolean, start: number, end: number): void {
    // The first piece may begin with the clock itself.
    gain.cancelScheduledValues(Math.max(0, start - fadeSeconds));
    gain.setValueAtTime(isFirst ? 0 : 1, start);
    if (isFirst) gain.linearRampToValueAtTime(1, start + fadeSeconds);
    gain.setValueAtTime(1, Math.max(start, end - fadeSeconds));
    gain.linearRampToValueAtTime(0, end);
  }

  /** So many samples for one, on the lines between them; pieces fit together. */
  #bend(samples: Int16Array, step: number): Float32Array<ArrayBuffer> {
    const bent = new Float32Array(Math.max(0, Math.ceil((samples.length - this.#place) / step)));
    let place = this.#place;
    for (let index = 0; index < bent.length; index++, place += step) {
      const before = Math.floor(place);
      const from = before === 0 ? this.#last : (samples[before - 1] ?? 0);
      bent[index] = (from + ((samples[before] ?? 0) - from) * (place - before)) / 32_768;
    }
    this.#place = place - samples.length;
    this.#last = samples.at(-1) ?? 0;
    return bent;
  }
}
