import { SAMPLE_HZ } from '../../../chips/sound-sink.ts';
import type { AudioCapability, CapturedAudio, Listening } from '../../../machine/audio.ts';
import type { SoundClock } from '../board/sound-clock.ts';
import type { CommodoreEngine } from './commodore-engine.ts';
import type { SoundOutput } from './commodore-setup.ts';

/** Cycles after which the fast part of the output stage has settled. */
const settleCycles = 200;
/** What somebody who listens can have missed. */
const mostKept = SAMPLE_HZ;

type Ear = (samples: Int16Array) => void;

/** The machine's sound, computed only while somebody captures it or listens. */
export class CommodoreAudio implements AudioCapability {
  readonly #engine: CommodoreEngine;
  readonly #newOutput: () => SoundOutput;
  readonly #ears = new Set<Ear>();
  #stage: OutputStage | undefined;
  #forgetSlices = () => {};

  constructor(engine: CommodoreEngine, newOutput: () => SoundOutput) {
    this.#engine = engine;
    this.#newOutput = newOutput;
  }

  async capture(frames: number, wallMs: number, signal: AbortSignal): Promise<CapturedAudio> {
    const pieces: Int16Array[] = [];
    const ear = (samples: Int16Array) => void pieces.push(samples);
    this.#handOut();
    // An output stage of its own: what is captured does not depend on who listened before.
    this.#switchOn();
    this.#ears.add(ear);
    try {
      await this.#engine.run({ frames, wallMs }, signal);
    } finally {
      this.#handOut();
      this.#remove(ear);
    }
    return { sampleRate: SAMPLE_HZ, samples: joined(pieces) };
  }

  listen(): Listening {
    let pieces: Int16Array[] = [];
    let kept = 0;
    const ear = (samples: Int16Array) => {
      pieces.push(samples);
      kept += samples.length;
      while (kept - (pieces[0]?.length ?? 0) >= mostKept) kept -= pieces.shift()?.length ?? 0;
    };
    if (!this.#stage) this.#switchOn();
    else this.#handOut();
    this.#ears.add(ear);
    return {
      sampleRate: SAMPLE_HZ,
      take: () => {
        this.#handOut();
        const samples = joined(pieces);
        pieces = [];
        kept = 0;
        return samples.subarray(-mostKept);
      },
      close: () => this.#remove(ear),
    };
  }

  /** There is another chip now: whoever listens hears that. */
  renew(): void {
    if (!this.#stage) return;
    this.#handOut();
    this.#switchOn();
  }

  #switchOn(): void {
    this.#stage = new OutputStage(this.#engine, this.#newOutput(), () => this.#handOut());
    this.#engine.board.listen(this.#stage);
    // The sound of a long run in one go would keep everybody waiting.
    this.#forgetSlices();
    this.#forgetSlices = this.#engine.afterEachSlice(() => this.#handOut());
  }

  #remove(ear: Ear): void {
    this.#ears.delete(ear);
    if (this.#ears.size > 0) return;
    this.#forgetSlices();
    this.#engine.board.listen(undefined);
    this.#stage = undefined;
  }

  /** To everybody who listens, up to this cycle. */
  #handOut(): void {
    if (!this.#stage) return;
    // Brings the chip up to the present.
    this.#engine.board.listen(this.#stage);
    const samples = this.#stage.take();
    if (samples.length > 0) for (const ear of this.#ears) ear(samples);
  }
}

/** Runs the sound chip in its own stead and hears it. */
class OutputStage implements SoundClock {
  readonly #engine: CommodoreEngine;
  readonly #output: SoundOutput;
  readonly #mostCycles: number;
  readonly #full: () => void;
  #isSettled = false;
  #cycles = 0;

  constructor(engine: CommodoreEngine, output: SoundOutput, full: () => void) {
    this.#engine = engine;
    this.#output = output;
    this.#mostCycles = engine.board.clockHz / 4;
    this.#full = full;
  }

  catchUp(cycles: number): void {
    if (this.#engine.isRewinding) {
      this.#engine.board.sound.catchUp(cycles);
      return;
    }
    const early = this.#isSettled ? 0 : Math.min(cycles, settleCycles);
    if (early > 0) {
      this.#output.catchUp(early);
      this.#output.settle();
      this.#output.take();
      this.#isSettled = true;
    }
    this.#output.catchUp(cycles - early);
    this.#cycles += cycles;
    if (this.#cycles > this.#mostCycles) this.#full();
  }

  take(): Int16Array {
    this.#cycles = 0;
    return this.#output.take();
  }
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const [first, ...more] = pieces;
  if (!first || more.length === 0) return first ?? new Int16Array();
  const all = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
