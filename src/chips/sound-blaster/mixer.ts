import { fields, type SoundBlasterState } from './fields.ts';
import type { BlasterModel } from './models.ts';

/** How loud left and right are, from 0 to 1. */
export type Gains = readonly [left: number, right: number];

const resetValues: Readonly<Record<BlasterModel, Readonly<Record<number, number>>>> = {
  sb2: { 2: 8, 6: 8, 4: 0x99, 34: 0x99, 38: 0x99 },
  sbpro: { 4: 0x99, 10: 0x11, 12: 0x11, 14: 0x11, 34: 0x99, 38: 0x99, 40: 0x11, 46: 0x11 },
  sb16: {
    ...{ 48: 0xc0, 49: 0xc0, 50: 0xc0, 51: 0xc0, 52: 0xc0, 53: 0xc0, 60: 0x1f, 61: 0x15, 62: 0x0b },
    ...{ 68: 0x80, 69: 0x80, 70: 0x80, 71: 0x80 },
  },
};
/** Registers of the Pro that the 16 has as a pair of its own, left and right. */
const pairs: Readonly<Record<number, number>> = { 4: 0x32, 34: 0x30, 38: 0x34, 40: 0x36, 46: 0x38 };
const [irqRegister, dmaRegister, statusRegister] = [0x80, 0x81, 0x82];
const irqLines = [9, 5, 7, 10] as const;
const full: Gains = [1, 1];

/**
 * The mixer: CT1335 (of the 2.0, whose registers change nothing that is heard), CT1345 (Pro) or CT1745 (16). Volumes are taken
 * as parts of full loudness; the chips have steps of 2 and 4 dB.
 */
export class BlasterMixer {
  readonly #s: SoundBlasterState;
  readonly #model: BlasterModel;

  constructor(state: SoundBlasterState, model: BlasterModel) {
    this.#s = state;
    this.#model = model;
  }

  powerOn(): void {
    this.reset();
    // IRQ 7, DMA 1 and 5.
    if (this.#model === 'sb16') this.#set(irqRegister, 4);
    if (this.#model === 'sb16') this.#set(dmaRegister, 0x22);
  }

  reset(): void {
    const kept = [this.#get(irqRegister), this.#get(dmaRegister)] as const;
    this.#s.fill(0, fields.mixer, fields.mixer + 256);
    for (const [index, value] of Object.entries(resetValues[this.#model])) this.#set(Number(index), value);
    if (this.#model !== 'sb16') return;
    this.#set(irqRegister, kept[0]);
    this.#set(dmaRegister, kept[1]);
  }

  read(index: number): number {
    if (this.#model !== 'sb16') return this.#get(index);
    const pair = pairs[index];
    if (pair !== undefined) return (this.#get(pair) & 0xf0) | (this.#get(pair + 1) >> 4);
    if (index === statusRegister) return this.#s[fields.irq] | (this.#s[fields.irq16] << 1);
    return this.#get(index);
  }

  write(index: number, value: number): void {
    if (index === 0) this.reset();
    else if (this.#model === 'sb2') this.#set(index, value);
    // Volumes have three bits, the others are read as ones.
    else if (this.#model === 'sbpro') this.#set(index, pairs[index] === undefined ? value : value | 0x11);
    else this.#write16(index, value);
  }

  get isStereo(): boolean {
    return this.#model === 'sbpro' && (this.#get(0x0e) & 2) !== 0;
  }

  get voice(): Gains {
    return this.#gains(4);
  }

  get music(): Gains {
    return this.#gains(0x26);
  }

  get irqLine(): number {
    const chosen = this.#model === 'sb16' ? this.#get(irqRegister) : 4;
    return irqLines.find((_, bit) => (chosen >> bit) & 1) ?? 7;
  }

  get dma8(): number {
    return this.#channel([0, 1, 3], 1);
  }

  get dma16(): number {
    return this.#channel([5, 6, 7], this.dma8);
  }

  #channel(channels: readonly number[], otherwise: number): number {
    const chosen = this.#model === 'sb16' ? this.#get(dmaRegister) : 2;
    return channels.find((channel) => (chosen >> channel) & 1) ?? otherwise;
  }

  #write16(index: number, value: number): void {
    const pair = pairs[index];
    if (index === statusRegister) return;
    if (pair === undefined) this.#set(index, value);
    else {
      this.#set(pair, (value & 0xf0) | 8);
      this.#set(pair + 1, ((value & 15) << 4) | 8);
    }
  }

  /** Of a source (4 the voice, 26h the music), after the master volume. */
  #gains(source: number): Gains {
    if (this.#model === 'sb2') return full;
    const side = (register: number, right: number) => {
      if (this.#model === 'sb16') return (this.#get((pairs[register] ?? 0) + right) >> 3) / 31;
      const value = this.#get(register);
      return (right !== 0 ? (value >> 1) & 7 : value >> 5) / 7;
    };
    return [side(source, 0) * side(0x22, 0), side(source, 1) * side(0x22, 1)];
  }

  #get(index: number): number {
    return this.#s[(fields.mixer + index) as typeof fields.mixer];
  }

  #set(index: number, value: number): void {
    this.#s[(fields.mixer + index) as typeof fields.mixer] = value;
  }
}
