import { SAMPLE_HZ, type SoundSink } from '../../../chips/sound-sink.ts';
import type { AudioCapability, CapturedAudio } from '../../../machine/audio.ts';
import type { Engine } from './engine.ts';

/** Adds up what speaker, OPL2 and Sound Blaster play while somebody listens. */
export class SoundMixer implements SoundSink {
  active = false;
  #first = 0;
  #mixed: Float32Array = new Float32Array();

  start(first: number, length: number): void {
    this.#first = first;
    this.#mixed = new Float32Array(length);
    this.active = true;
  }

  /** What was heard up to this sample. */
  stop(end: number): Int16Array {
    this.active = false;
    const heard = this.#mixed.subarray(0, Math.max(0, end - this.#first));
    return Int16Array.from(heard, (value) => Math.round(Math.max(-1, Math.min(1, value)) * 32_767));
  }

  add(index: number, value: number): void {
    const at = index - this.#first;
    if (at >= 0 && at < this.#mixed.length) this.#mixed[at] = (this.#mixed[at] ?? 0) + value;
  }
}

export class DosAudio implements AudioCapability {
  readonly #engine: Engine;
  readonly #mixer: SoundMixer;

  constructor(engine: Engine, mixer: SoundMixer) {
    this.#engine = engine;
    this.#mixer = mixer;
  }

  async capture(frames: number, wallMs: number, signal: AbortSignal): Promise<CapturedAudio> {
    this.#catchUp();
    const seconds = frames / this.#engine.framesPerSecond;
    this.#mixer.start(this.#sample(), Math.ceil(seconds * SAMPLE_HZ) + 1);
    try {
      await this.#engine.run({ frames, wallMs }, signal);
      this.#catchUp();
    } finally {
      this.#mixer.active = false;
    }
    return { sampleRate: SAMPLE_HZ, samples: this.#mixer.stop(this.#sample()) };
  }

  #sample(): number {
    const { instructions, options } = this.#engine.system.board;
    return Math.floor((instructions * SAMPLE_HZ) / options.instructionsPerSecond);
  }

  #catchUp(): void {
    const { speaker, opl, blaster, instructions } = this.#engine.system.board;
    for (const chip of [speaker, opl, blaster]) chip.catchUp(instructions);
  }
}
