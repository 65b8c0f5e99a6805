import type { AudioCapability, CapturedAudio, Listening } from '../../../machine/audio.ts';
import { MachineError } from '../../../machine/errors.ts';
import type { ViceFolder } from './launch/vice-folder.ts';
import type { ViceEngine } from './vice-engine.ts';

/** Before the samples: one channel of 16 bits. */
const headBytes = 44;
const rateAt = 24;
const sampleBytes = 2;
/** VICE writes when a buffer is full: these are run on for the last of it to be there. */
const mostFramesMore = 25;
const lookMs = 100;
/** As its command line says. */
const defaultRate = 44_100;

/** What a VICE has written to its sound file. It does so at the speed of the machine alone: in warp it makes no sound. */
export class ViceAudio implements AudioCapability {
  readonly #folder: ViceFolder;
  readonly #path: string;
  readonly #engine: ViceEngine;

  constructor(folder: ViceFolder, path: string, engine: ViceEngine) {
    this.#folder = folder;
    this.#path = path;
    this.#engine = engine;
  }

  async capture(frames: number, wallMs: number, signal: AbortSignal): Promise<CapturedAudio> {
    const { framesPerSecond } = this.#engine;
    const end = performance.now() + wallMs;
    const before = Math.max(headBytes, await this.#size());
    const first = this.#engine.frame;
    let stop = await this.#engine.run({ frames, wallMs }, signal, 'real');
    const passed = this.#engine.frame - first;
    const sampleRate = await this.#rate();
    const wanted = Math.round((passed / framesPerSecond) * sampleRate) * sampleBytes;
    for (let more = 0; more < mostFramesMore && stop.reason === 'frames'; more++) {
      if ((await this.#size()) >= before + wanted || performance.now() >= end) break;
      stop = await this.#engine.run({ frames: 1, wallMs }, signal, 'real');
    }
    const bytes = await this.#read(before, Math.min(wanted, (await this.#size()) - before));
    return { sampleRate, samples: samplesOf(bytes) };
  }

  /** As VICE's buffers are written: in pieces, and late. */
  listen(): Listening {
    let heard: Int16Array[] = [];
    let at = -1;
    let isLooking = false;
    const look = async () => {
      const size = Math.max(headBytes, await this.#size());
      const length = Math.min(size - Math.max(at, headBytes), defaultRate * sampleBytes);
      if (at >= 0 && length > 0) heard = [...heard.slice(-10), samplesOf(await this.#read(size - length, length))];
      at = size;
    };
    const timer = setInterval(() => {
      if (isLooking) return;
      isLooking = true;
      void look()
        .catch(() => {})
        .finally(() => {
          isLooking = false;
        });
    }, lookMs).unref();
    return {
      sampleRate: defaultRate,
      take: () => {
        const all = joined(heard);
        heard = [];
        return all.subarray(-defaultRate);
      },
      close: () => clearInterval(timer),
    };
  }

  #size(): Promise<number> {
    return this.#folder.size(this.#path);
  }

  async #rate(): Promise<number> {
    if ((await this.#size()) < headBytes) {
      throw new MachineError('UNAVAILABLE', 'VICE has not made any sound yet.', 'Capture more frames.');
    }
    return Buffer.from(await this.#read(rateAt, 4)).readUInt32LE(0);
  }

  #read(from: number, length: number): Promise<Uint8Array> {
    return this.#folder.readPart(this.#path, from, length);
  }
}

function samplesOf(bytes: Uint8Array): Int16Array {
  const view = Buffer.from(bytes);
  return Int16Array.from({ length: view.length >> 1 }, (_, index) => view.readInt16LE(index * sampleBytes));
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
