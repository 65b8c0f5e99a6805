import { SAMPLE_HZ } from '../../../chips/sound-sink.ts';
import type { AudioCapability, CapturedAudio, Listening } from '../../../machine/audio.ts';
import type { Engine } from './engine.ts';
import type { SoundMixer } from './sound-mixer.ts';

/** The OPL2 has samples of its own, and so hands on the last of ours a little later. */
const lateSamples = 4;

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
    const window = this.#mixer.open(this.#sample(), Math.ceil(seconds * SAMPLE_HZ) + 1);
    try {
      await this.#engine.run({ frames, wallMs }, signal);
      this.#catchUp();
    } finally {
      this.#mixer.close(window);
    }
    return { sampleRate: SAMPLE_HZ, samples: window.take(this.#sample()) };
  }

  listen(): Listening {
    this.#catchUp();
    const window = this.#mixer.open(this.#sample(), SAMPLE_HZ);
    return {
      sampleRate: SAMPLE_HZ,
      take: () => {
        if (this.#engine.isRewinding) return new Int16Array();
        this.#catchUp();
        return window.take(Math.max(0, this.#sample() - lateSamples));
      },
      close: () => this.#mixer.close(window),
    };
  }

  #sample(): number {
    const { instructions, options } = this.#engine.system.board;
    return Math.floor((instructions * SAMPLE_HZ) / options.instructionsPerSecond);
  }

  /** Between two runs of the processor, at whose end the Sound Blaster has played what was due. */
  #catchUp(): void {
    const { speaker, opl, instructions } = this.#engine.system.board;
    for (const chip of [speaker, opl]) chip.catchUp(instructions);
  }
}
