import { SAMPLE_HZ } from '../../../chips/sound-sink.ts';
import type { AudioCapability, CapturedAudio, Listening } from '../../../machine/audio.ts';
import { TimeSlice } from '../../shared/time-slice.ts';
import type { DosEngine } from './dos-engine.ts';
import type { SoundMixer } from './sound-mixer.ts';

/** The OPL2 has samples of its own, and so hands on the last of ours a little later. */
const lateSamples = 4;

/** Of the machine's time: so much sound is worked out at once. */
const stepsPerSecond = 20;

export class DosAudio implements AudioCapability {
  readonly #engine: DosEngine;
  readonly #mixer: SoundMixer;

  constructor(engine: DosEngine, mixer: SoundMixer) {
    this.#engine = engine;
    this.#mixer = mixer;
  }

  async capture(frames: number, wallMs: number, signal: AbortSignal): Promise<CapturedAudio> {
    await this.#catchUpInSlices();
    const seconds = frames / this.#engine.framesPerSecond;
    const window = this.#mixer.open(this.#sample(), Math.ceil(seconds * SAMPLE_HZ) + 1);
    try {
      await this.#engine.run({ frames, wallMs }, signal);
      await this.#catchUpInSlices();
    } finally {
      this.#mixer.close(window);
    }
    return { sampleRate: SAMPLE_HZ, samples: window.take(this.#sample()) };
  }

  listen(): Listening {
    this.#catchUp();
    const window = this.#mixer.open(this.#sample(), SAMPLE_HZ);
    let isClosed = false;
    return {
      sampleRate: SAMPLE_HZ,
      take: () => {
        if (isClosed || this.#engine.isRewinding) return new Int16Array();
        this.#catchUp();
        return window.take(Math.max(0, this.#sample() - lateSamples));
      },
      close: () => {
        isClosed = true;
        this.#mixer.close(window);
      },
    };
  }

  #sample(): number {
    const { instructions, options } = this.#engine.system.board;
    return Math.floor((instructions * SAMPLE_HZ) / options.instructionsPerSecond);
  }

  /** Chips that nobody has asked may have minutes of sound to work out. */
  async #catchUpInSlices(): Promise<void> {
    const { board } = this.#engine.system;
    const slice = new TimeSlice();
    const step = Math.ceil(board.options.instructionsPerSecond / stepsPerSecond);
    for (let to = step; to < board.instructions; to += step) {
      if (slice.isOver) await slice.next();
      // The machine may have been taken back meanwhile.
      const count = Math.min(to, board.instructions);
      for (const chip of board.heard) chip.catchUp(count);
    }
    this.#catchUp();
  }

  /** Between two runs of the processor, at whose end the Sound Blaster has played what was due. */
  #catchUp(): void {
    const { heard, instructions } = this.#engine.system.board;
    for (const chip of heard) chip.catchUp(instructions);
  }
}
