import type { RomSetSpec } from './rom-spec.ts';

/**
 * Not by plain names such as `kernal`: in a folder that holds those they are the C64's, which are of the same length. Whatever their
 * names, originals are known by their bytes.
 */
export const vic20RomSet = {
  machine: 'VIC-20',
  folder: 'VIC20',
  images: {
    kernal: {
      title: 'KERNAL',
      /** For PAL, and for NTSC. */
      names: ['kernal.901486-07.bin', 'kernal.901486-06.bin'],
      bytes: 0x2000,
      revisions: {
        ce0137ed69f003a299f43538fa9eee27898e621e: '901486-07 (PAL)',
        '06de7ec017a5e78bd6746d89c2ecebb646efeb19': '901486-06 (NTSC)',
        c9ead45e6674d1042ca6199160e8583c23aeac22: '901486-02 (Japan)',
      },
    },
    basic: {
      title: 'BASIC',
      names: ['basic-901486-01.bin'],
      bytes: 0x2000,
      revisions: { '587d1e90950675ab6b12d91248a3f0d640d02e8d': '901486-01' },
    },
    chargen: {
      title: 'character set',
      names: ['chargen-901460-03.bin'],
      bytes: 0x1000,
      revisions: {
        '4fd85ab6647ee2ac7ba40f729323f2472d35b9b4': '901460-03',
        dae61ac03065aa2904af5c123ce821855898c555: '901460-02 (Japan)',
      },
    },
  },
} as const satisfies RomSetSpec<'kernal' | 'basic' | 'chargen'>;

/** The same with the KERNAL of the other video standard first. */
export const vic20NtscRomSet: RomSetSpec<'kernal' | 'basic' | 'chargen'> = {
  ...vic20RomSet,
  images: {
    ...vic20RomSet.images,
    kernal: {
      ...vic20RomSet.images.kernal,
      names: vic20RomSet.images.kernal.names.toReversed(),
      revisions: Object.fromEntries(
        Object.entries(vic20RomSet.images.kernal.revisions).sort(([, a], [, b]) => rank(a) - rank(b)),
      ),
    },
  },
};

function rank(revision: string): number {
  return revision.includes('NTSC') ? 0 : 1;
}
