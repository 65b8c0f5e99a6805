import type { RomSetSpec } from './rom-spec.ts';

export type C64RomPart = 'kernal' | 'basic' | 'chargen';

export const c64RomSet: RomSetSpec<C64RomPart> = {
  machine: 'C64',
  folder: 'C64',
  images: {
    kernal: {
      title: 'KERNAL',
      names: ['kernal-901227-03.bin', 'kernal', 'kernal.bin', 'kernal.rom'],
      bytes: 0x2000,
      revisions: {
        '1d503e56df85a62fee696e7618dc5b4e781df1bb': '901227-03',
        '0e2e4ee3f2d41f00bed72f9ab588b83e306fdb13': '901227-02',
        '87cc04d61fc748b82df09856847bb5c2754a2033': '901227-01',
        aa136e91ecf3c5ac64f696b3dbcbfc5ba0871c98: '251104-04 (SX-64)',
        '6c4fa9465f6091b174df27dfe679499df447503c': '901246-01 (Educator 64)',
        '3ad6cc1837c679a11f551ad1cf1a32dd84ace719': '390852-01 (C64 GS)',
        '4ff0f11e80f4b57430d8f0c3799ed0f0e0f4565d': '906145-02 (Japan)',
      },
    },
    basic: {
      title: 'BASIC',
      names: ['basic-901226-01.bin', 'basic', 'basic.bin', 'basic.rom'],
      bytes: 0x2000,
      revisions: { '79015323128650c742a3694c9429aa91f355905e': '901226-01' },
    },
    chargen: {
      title: 'character set',
      names: ['chargen-901225-01.bin', 'chargen', 'chargen.bin', 'char.rom'],
      bytes: 0x1000,
      revisions: {
        adc7c31e18c7c7413d54802ef2f4193da14711aa: '901225-01',
        '0fad19dbcdb12461c99657b2979dbb5c2e47b527': '906143-02 (Japan)',
      },
    },
  },
  // The C64C's 251913-01.
  inOne: ['basic', 'kernal'],
};
