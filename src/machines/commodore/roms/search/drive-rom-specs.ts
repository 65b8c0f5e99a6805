import type { DriveModel } from '../../drive/real-drive.ts';
import type { RomSpec } from './rom-spec.ts';

/** The DOS of a 1541, in one piece. */
const dos1541: RomSpec = {
  title: '1541 DOS',
  names: [
    'dos1541-325302-01+901229-05.bin',
    'dos1541ii-251968-03.bin',
    'dos1541',
    'dos1541.bin',
    '1541.bin',
    '1541.rom',
    'd1541.rom',
    'dos1541ii',
    'd1541ii',
  ],
  bytes: 0x4000,
  revisions: {
    ab16f56989b27d89babe5f89c5a8cb3da71a82f0: '325302-01 and 901229-05',
    d3b78c3dbac55f5199f33f3fe0036439811f7fb3: '251968-03 (1541-II)',
  },
  sign: 'BM DOS V2.6',
};

const dos1571: RomSpec = {
  title: '1571 DOS',
  names: ['dos1571-310654-05.bin', 'dos1571', 'dos1571.bin', '1571.bin', '1571.rom', 'd1571.rom'],
  bytes: 0x8000,
  revisions: { f1be619c106641a685f6609e4d43d6fc9eac1e70: '310654-05' },
  sign: 'BM DOS V3.0 1571',
};

const dos1581: RomSpec = {
  title: '1581 DOS',
  names: ['dos1581-318045-02.bin', 'dos1581', 'dos1581.bin', '1581.bin', '1581.rom', 'd1581.rom'],
  bytes: 0x8000,
  revisions: { '01228eae6f066bd9b7b2b6a7fa3f667e41dad393': '318045-02' },
  sign: 'CBM DOS V10 1581',
};

/** The DOS of each drive, in one piece. */
export const driveRomSpecs: Readonly<Record<DriveModel, RomSpec>> = { 1541: dos1541, 1571: dos1571, 1581: dos1581 };
