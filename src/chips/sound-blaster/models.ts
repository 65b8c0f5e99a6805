/** Cards of Creative: Sound Blaster 2.0, Pro (2), 16. */
export type BlasterModel = 'sb2' | 'sbpro' | 'sb16';

export const dspVersions: Readonly<Record<BlasterModel, readonly [number, number]>> = {
  sb2: [2, 1],
  sbpro: [3, 2],
  sb16: [4, 5],
};

/** What command E3h answers with. */
export const copyright = 'COPYRIGHT (C) CREATIVE TECHNOLOGY LTD, 1992.';
