import type { SidModel } from '../../../../chips/sid/sid.ts';
import { outputDoubles, outputFields, SAMPLE_RATE, SidOutput } from '../../../../chips/sid/sid-output.ts';
import type { AudioCapability, CapturedAudio } from '../../../../machine/audio.ts';
import { boardWords } from './board-words.ts';
import type { Engine } from './engine.ts';

/** Cycles after which the fast part of the output stage has settled. */
const settleCycles = 200;

/** The SID's sound, computed only while somebody captures it. */
export class C64Audio implements AudioCapability {
  readonly #engine: Engine;
  readonly #model: SidModel;
  readonly #clockHz: number;

  constructor(engine: Engine, model: SidModel, clockHz: number) {
    this.#engine = engine;
    this.#model = model;
    this.#clockHz = clockHz;
  }

  async capture(frames: number, wallMs: number, signal: AbortSignal): Promise<CapturedAudio> {
    const { board } = this.#engine;
    const analogue = new Float64Array(outputDoubles);
    const output = new SidOutput(board.sid, boardWords(board, 'sid'), analogue, this.#model, this.#clockHz);
    let isSettled = false;
    board.listen({
      catchUp(cycles) {
        const early = isSettled ? 0 : Math.min(cycles, settleCycles);
        if (early > 0) {
          output.catchUp(early);
          // As if it had been listened to for long: the level the chip rests at is no sound.
          analogue[outputFields.rcHigh] = analogue[outputFields.rcLow] ?? 0;
          output.take();
          isSettled = true;
        }
        output.catchUp(cycles - early);
      },
    });
    try {
      await this.#engine.run({ frames, wallMs }, signal);
    } finally {
      board.listen(undefined);
    }
    return { sampleRate: SAMPLE_RATE, samples: output.take() };
  }
}
