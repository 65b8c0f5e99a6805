import { mos6560Models } from '../../../chips/mos6560/models.ts';
import { cyclesPerLine as tedCycles, tedModels } from '../../../chips/ted/models.ts';
import { type SystemCells, usualCells } from '../machine/commodore-model.ts';
import { plus4Model } from '../plus4/plus4-model.ts';
import { vic20Model } from '../vic20/vic20-model.ts';

export const vicePrograms = [
  'x64sc',
  'x64',
  'xvic',
  'xplus4',
  'x128',
  'xpet',
  'xcbm2',
  'xcbm5x0',
  'x64dtv',
  'xscpu64',
] as const;
export type ViceProgram = (typeof vicePrograms)[number];
export type VideoStandard = 'pal' | 'ntsc';

interface Timing {
  readonly clockHz: number;
  readonly frameCycles: number;
  /** Where VICE counts lines of the picture and not those of the chip: how many there are, and which of the chip's is the first. */
  readonly lines?: { readonly count: number; readonly first: number };
}

/** What is known of the machine that one of VICE's programs is. */
export interface ViceMachine {
  /** As people say. */
  readonly name: string;
  readonly processor: string;
  /** Our own machine that can do what VICE cannot. */
  readonly builtIn?: 'c64' | 'vic20' | 'plus4';
  /** Below VICE's data folder. */
  readonly folder: string;
  /** Whose of our own ROMs it starts with. */
  readonly ownRoms?: 'c64' | 'vic20' | 'plus4';
  readonly video: 'vic2' | 'vic' | 'ted' | 'crtc' | undefined;
  readonly timing: Readonly<Record<VideoStandard, Timing>>;
  /** Whether frames are all of `frameCycles`; where not, they are counted as they come. */
  readonly hasFixedFrames: boolean;
  /** Whether the TV standard can be chosen. */
  readonly hasStandards: boolean;
  /** In cycles, with an interrupt in front and whatever the video chip takes meanwhile. */
  readonly longestInstruction: number;
  /** In which it comes to its prompt. */
  readonly bootFrames: number;
  /** Whether some opcodes stop the processor for good. */
  readonly canJam: boolean;
  /** Cells of its system; undefined where they lie in no bank that is seen. */
  readonly cells?: Pick<SystemCells, 'keysWaiting' | 'keyBuffer' | 'column' | 'row'>;
  /** Where BASIC programs begin on the bare machine. */
  readonly basicStart?: number;
  readonly controlPorts: readonly number[];
  /** VICE's own snapshots of it end VICE. */
  readonly isLostBySnapshots?: boolean;
}

/** The same with the times of its TV standard. */
export type ViceModel = ViceMachine & Timing & { readonly program: ViceProgram; readonly standard: VideoStandard };

const vic2Timing = {
  pal: { clockHz: 985_248, frameCycles: 63 * 312 },
  ntsc: { clockHz: 1_022_730, frameCycles: 65 * 263 },
} as const;
const fiftyHertz = { clockHz: 1_000_000, frameCycles: 20_000 };
const sixtyHertz = { clockHz: 1_000_000, frameCycles: 16_667 };

/** All of a C64 but what it starts with and what we have in its place. */
const likeC64 = {
  name: 'C64',
  processor: 'MOS 6510',
  folder: 'C64',
  video: 'vic2',
  timing: vic2Timing,
  hasFixedFrames: true,
  hasStandards: true,
  longestInstruction: 80,
  bootFrames: 150,
  canJam: true,
  cells: usualCells,
  basicStart: 0x0801,
  controlPorts: [1, 2],
} as const satisfies ViceMachine;

const c64: ViceMachine = { ...likeC64, builtIn: 'c64', ownRoms: 'c64' };

const { '6561': palVic, '6560': ntscVic } = mos6560Models;

const machines: Readonly<Record<ViceProgram, ViceMachine>> = {
  x64sc: c64,
  x64: c64,
  xvic: {
    name: 'VIC-20',
    processor: 'MOS 6502',
    builtIn: 'vic20',
    folder: 'VIC20',
    ownRoms: 'vic20',
    video: 'vic',
    timing: {
      pal: { clockHz: palVic.clockHz, frameCycles: 71 * 312 },
      ntsc: { clockHz: ntscVic.clockHz, frameCycles: 65 * 261 },
    },
    hasFixedFrames: true,
    hasStandards: true,
    longestInstruction: 20,
    bootFrames: 150,
    canJam: true,
    cells: usualCells,
    basicStart: vic20Model.basicStart.none,
    controlPorts: vic20Model.controlPorts,
  },
  xplus4: {
    name: 'Plus/4',
    processor: 'MOS 7501',
    builtIn: 'plus4',
    folder: 'PLUS4',
    ownRoms: 'plus4',
    video: 'ted',
    timing: {
      pal: tedTiming('pal'),
      ntsc: tedTiming('ntsc'),
    },
    hasFixedFrames: true,
    hasStandards: true,
    longestInstruction: 200,
    bootFrames: 150,
    canJam: true,
    cells: plus4Model.cells,
    basicStart: plus4Model.basicStarts[0],
    controlPorts: plus4Model.controlPorts,
  },
  x128: {
    ...likeC64,
    name: 'C128',
    processor: 'MOS 8502',
    folder: 'C128',
    // It looks for a disk to start from first.
    bootFrames: 280,
    cells: { keysWaiting: 0xd0, keyBuffer: 0x034a, column: 0xec, row: 0xeb },
    basicStart: 0x1c01,
  },
  xpet: {
    name: 'PET',
    processor: 'MOS 6502',
    folder: 'PET',
    video: 'crtc',
    timing: { pal: fiftyHertz, ntsc: sixtyHertz },
    hasFixedFrames: false,
    hasStandards: false,
    longestInstruction: 20,
    bootFrames: 150,
    canJam: true,
    cells: { keysWaiting: 0x9e, keyBuffer: 0x026f, column: 0xc6, row: 0xd8 },
    basicStart: 0x0401,
    controlPorts: [],
  },
  xcbm2: businessMachine('CBM-II (6xx, 7xx)'),
  xcbm5x0: businessMachine('CBM-II (5x0)'),
  x64dtv: {
    ...likeC64,
    name: 'C64 DTV',
    processor: 'DTV 6510',
    folder: 'C64DTV',
    builtIn: 'c64',
    isLostBySnapshots: true,
  },
  xscpu64: {
    ...likeC64,
    name: 'C64 with SuperCPU',
    processor: 'WDC 65816',
    folder: 'SCPU64',
    canJam: false,
    hasFixedFrames: false,
    builtIn: 'c64',
  },
};

function tedTiming(standard: VideoStandard): Timing {
  const { clockHz, lines, syncLine } = tedModels[standard];
  return { clockHz, frameCycles: tedCycles * lines, lines: { count: lines, first: syncLine } };
}

function businessMachine(name: string): ViceMachine {
  return {
    name,
    processor: 'MOS 6509',
    folder: 'CBM-II',
    video: undefined,
    timing: { pal: fiftyHertz, ntsc: sixtyHertz },
    hasFixedFrames: false,
    hasStandards: false,
    longestInstruction: 80,
    bootFrames: 150,
    canJam: true,
    controlPorts: [],
  };
}

export function viceModel(program: ViceProgram, standard: VideoStandard): ViceModel {
  const machine = machines[program];
  return { ...machine, ...machine.timing[standard], program, standard };
}
