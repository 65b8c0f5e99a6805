import type { Profile } from './profile.ts';

const c64 = (video_standard: string, sid_model: string): Profile => ({
  description: `C64, ${video_standard}, SID ${sid_model}`,
  machine: 'C64',
  video_standard,
  sid_model,
});

const ted = (machine: string, video_standard: string): Profile => ({
  description: `${machine}, ${video_standard}`,
  machine,
  video_standard,
});

/** Common setups, there on every server. */
export const predefinedProfiles: Readonly<Record<string, Profile>> = {
  c64_pal_6581: c64('PAL', '6581'),
  c64_pal_8580: c64('PAL', '8580'),
  c64_ntsc_6581: c64('NTSC', '6581'),
  c64_ntsc_8580: c64('NTSC', '8580'),
  c64_ntsc_8580_1541: {
    ...c64('NTSC', '8580'),
    description: 'C64, NTSC, SID 8580, one 1541',
    drives: [{ unit: 8, type: '1541' }],
  },
  c64c_pal: {
    description: 'C64C, PAL: 8565, 6526A, SID 8580',
    machine: 'C64',
    resources: [
      { name: 'VICIIModel', value: '8565' },
      { name: 'CIA1Model', value: '6526A' },
      { name: 'CIA2Model', value: '6526A' },
      { name: 'SidModel', value: '8580' },
    ],
  },
  c64_reu: { ...c64('PAL', '6581'), description: 'C64, PAL, with a REU of 512K', memory_expansion: 'REU_512K' },
  vic20_pal: {
    description: 'VIC-20, PAL, no expansion',
    machine: 'VIC-20',
    video_standard: 'PAL',
    memory_expansion: null,
  },
  vic20_ntsc: {
    description: 'VIC-20, NTSC, no expansion',
    machine: 'VIC-20',
    video_standard: 'NTSC',
    memory_expansion: null,
  },
  plus4_pal: ted('Plus/4', 'PAL'),
  plus4_ntsc: ted('Plus/4', 'NTSC'),
  c16_pal: ted('C16', 'PAL'),
  c16_ntsc: ted('C16', 'NTSC'),
};
