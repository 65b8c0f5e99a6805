import { decodeSample, formatWords, samplesOf, takeReference } from './adpcm.ts';
import type { Playback } from './commands.ts';
import { fields, playingModes, type SoundBlasterState } from './fields.ts';

export interface PackedWires {
  /** A byte from memory; undefined while the channel is masked. */
  dma(): { readonly value: number } | undefined;
  blockEnded(): void;
}

/** The DSP counts as if the first byte without a level before it had so many of 4 bits: its upper one comes once more. */
const firstSamples = 4;

/** Playing ADPCM: when bytes are fetched, and when a block is over. */
export class PackedPlayback {
  readonly #s: SoundBlasterState;
  readonly #wires: PackedWires;

  constructor(state: SoundBlasterState, wires: PackedWires) {
    this.#s = state;
    this.#wires = wires;
  }

  /** The DSP fetches the first byte at once. */
  start({ adpcm, reference }: Playback): void {
    const s = this.#s;
    if (adpcm === undefined) return;
    s[fields.format] = formatWords[adpcm];
    s[fields.samplesPerByte] = samplesOf[adpcm];
    if (reference === true) {
      s[fields.adpcmStep] = 0;
      this.#fetchReference();
    } else if (this.#fetch() && adpcm === 4) s[fields.samplesLeft] = firstSamples;
  }

  /** One sample. A block ends when the last of its samples has had its time. */
  step(): void {
    const s = this.#s;
    if (s[fields.adpcmStep] === 0) {
      this.#fetchReference();
      return;
    }
    if (--s[fields.samplesLeft] > 0) {
      decodeSample(s);
      return;
    }
    const ends = s[fields.bytesLeft] === 0;
    if (ends && (s[fields.playing] !== playingModes.endless || s[fields.ending] !== 0)) {
      s[fields.playing] = 0;
      this.#wires.blockEnded();
      return;
    }
    if (ends) s[fields.bytesLeft] = s[fields.blockBytes];
    if (!this.#fetch()) {
      if (ends) s[fields.bytesLeft] = 0;
      s[fields.samplesLeft] = 1;
      return;
    }
    // The first sample of a further block is lost to the interrupt.
    if (ends) this.#wires.blockEnded();
    else decodeSample(s);
  }

  /** False while the channel is masked. */
  #fetch(): boolean {
    const s = this.#s;
    const moved = this.#wires.dma();
    if (moved === undefined) return false;
    s[fields.adpcmData] = moved.value;
    s[fields.samplesLeft] = s[fields.samplesPerByte];
    s[fields.bytesLeft]--;
    return true;
  }

  /** The step is 0 until it has come. */
  #fetchReference(): void {
    const moved = this.#wires.dma();
    if (moved === undefined) return;
    takeReference(this.#s, moved.value);
    this.#s[fields.bytesLeft]--;
  }
}
