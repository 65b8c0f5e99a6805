import type { RomSetSpec, RomSpec } from './rom-spec.ts';

/** Not by plain names such as `kernal`: in a folder that holds those they are the C64's. */
export const plus4RomSet = {
  machine: 'Plus/4',
  folder: 'PLUS4',
  images: {
    kernal: {
      title: 'KERNAL',
      /** For PAL, and for NTSC. */
      names: ['kernal-318004-05.bin', 'kernal-318005-05.bin'],
      bytes: 0x4000,
      revisions: {
        '7c7e07f016391174a557e790c4ef1cbe33512cdb': '318004-05 (PAL)',
        '3c77caf72914c1c0a0875b3a7f6935cd30c54201': '318004-01 (PAL)',
        a3d9e5be091b98de39a046ab167fb7632d053682: '318005-05 (NTSC)',
        b9a5b5dacd57ca117ef0b3af29e91998bf4d7e5f: '364',
      },
    },
    basic: {
      title: 'BASIC',
      names: ['basic-318006-01.bin'],
      bytes: 0x4000,
      revisions: { '161c96b4ad20f3a4f2321808e37a5ded26a135dd': '318006-01' },
    },
  },
} as const satisfies RomSetSpec<'kernal' | 'basic'>;

/** The same with the KERNAL of the other video standard first. */
export const plus4NtscRomSet: RomSetSpec<'kernal' | 'basic'> = {
  ...plus4RomSet,
  images: {
    ...plus4RomSet.images,
    kernal: {
      ...plus4RomSet.images.kernal,
      names: plus4RomSet.images.kernal.names.toReversed(),
      revisions: Object.fromEntries(
        Object.entries(plus4RomSet.images.kernal.revisions).sort(([, a], [, b]) => rank(a) - rank(b)),
      ),
    },
  },
};

function rank(revision: string): number {
  return revision.includes('NTSC') ? 0 : 1;
}

/** The programs that a Plus/4 has built in, where they are found. */
export const functionRoms = {
  low: {
    title: 'function ROM (low)',
    names: ['3plus1-317053-01.bin'],
    bytes: 0x4000,
    revisions: { '3b69f6e7cb4c18bb08e203fb18b7dabfa853390f': '317053-01' },
  },
  high: {
    title: 'function ROM (high)',
    names: ['3plus1-317054-01.bin'],
    bytes: 0x4000,
    revisions: { '0ad7ac2db7da692d972e586ca0dfd747d82c7693': '317054-01' },
  },
} as const satisfies Readonly<Record<string, RomSpec>>;
