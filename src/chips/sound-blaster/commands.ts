import type { AdpcmFormat } from './adpcm.ts';
import type { BlasterModel } from './models.ts';

/** Bytes of parameters that a DSP command takes; commands not named take none. */
const parameterCounts: ReadonlyMap<number, number> = new Map([
  [0x10, 1],
  [0x14, 2],
  [0x16, 2],
  [0x17, 2],
  [0x24, 2],
  [0x38, 1],
  [0x40, 1],
  [0x48, 2],
  [0x74, 2],
  [0x75, 2],
  [0x76, 2],
  [0x77, 2],
  [0x80, 2],
  [0xe0, 1],
  [0xe2, 1],
  [0xe4, 1],
]);

/** Those of the Sound Blaster 16 alone, beside Bxh and Cxh with three. */
const parameterCounts16: ReadonlyMap<number, number> = new Map([
  [0x04, 1],
  [0x05, 2],
  [0x0e, 2],
  [0x0f, 1],
  [0x41, 2],
  [0x42, 2],
]);

export function parametersOf(model: BlasterModel, command: number): number {
  if (model !== 'sb16') return parameterCounts.get(command) ?? 0;
  if (isGeneral(command)) return 3;
  return parameterCounts16.get(command) ?? parameterCounts.get(command) ?? 0;
}

/** Commands of the Sound Blaster 16 that say all about a sound: Bxh in 16 bits, Cxh in 8. */
export const isGeneral = (command: number) => (command & 0xf0) === 0xb0 || (command & 0xf0) === 0xc0;

/** Commands after which older DSPs hear nothing until they are done. */
export const highSpeed: ReadonlySet<number> = new Set([0x90, 0x91, 0x98, 0x99]);

export interface Playback {
  readonly endless: boolean;
  readonly recording?: boolean;
  readonly adpcm?: AdpcmFormat;
  /** The first byte is a level. */
  readonly reference?: boolean;
}

/** Commands that start DMA. Those for one block take its length; 90h and 91h use the length of command 48h. */
export const playbacks: ReadonlyMap<number, Playback> = new Map<number, Playback>([
  [0x14, { endless: false }],
  [0x16, { endless: false, adpcm: 2 }],
  [0x17, { endless: false, adpcm: 2, reference: true }],
  [0x1c, { endless: true }],
  [0x1f, { endless: true, adpcm: 2, reference: true }],
  [0x24, { endless: false, recording: true }],
  [0x2c, { endless: true, recording: true }],
  [0x74, { endless: false, adpcm: 4 }],
  [0x75, { endless: false, adpcm: 4, reference: true }],
  [0x76, { endless: false, adpcm: 2.6 }],
  [0x77, { endless: false, adpcm: 2.6, reference: true }],
  [0x7d, { endless: true, adpcm: 4, reference: true }],
  [0x7f, { endless: true, adpcm: 2.6, reference: true }],
  [0x90, { endless: true }],
  [0x91, { endless: false }],
  [0x98, { endless: true, recording: true }],
  [0x99, { endless: false, recording: true }],
]);
