import type { Mos6526Model } from '../../../../chips/mos6526/mos6526.ts';
import type { SidModel } from '../../../../chips/sid/sid.ts';
import type { Vic2Model } from '../../../../chips/vic2/models.ts';
import { geoRamSizes, reuSizes } from '../../expansions/expansion-sizes.ts';
import type { Fitted, FittedResource, Fittings } from '../../machine/fittings.ts';
import type { C64Board } from '../c64-board.ts';
import { secondSidAddresses } from '../second-sid.ts';
import { type BorderMode, borderModes } from '../visible-frame.ts';

interface Standard {
  readonly name: string;
  /** The chips of early and of late machines. */
  readonly early: Vic2Model;
  readonly late: Vic2Model;
}

const vicModels = [
  '6569',
  '8565',
  '6569R1',
  '6567',
  '8562',
  '6567R56A',
  '8565early',
  '8565late',
  '8562early',
] as const satisfies readonly Vic2Model[];
const sidModels = ['6581', '8580'] as const satisfies readonly SidModel[];
const ciaModels = ['6526', '6526A'] as const satisfies readonly Mos6526Model[];
const borderNames = ['Normal', 'Full', 'Debug', 'None'];

/** By VICE's numbers. */
const standards: Readonly<Record<number, Standard>> = {
  1: { name: 'PAL', early: '6569', late: '8565' },
  2: { name: 'NTSC', early: '6567', late: '8562' },
  3: { name: 'NTSC-OLD', early: '6567R56A', late: '6567R56A' },
};
const standardOf = (vic = ''): number => ({ 6567: 2, 8562: 2, '8562early': 2, '6567R56A': 3 })[vic] ?? 1;
const isLate = (vic = ''): boolean => /^85/.test(vic);
const revisions: Readonly<Record<string, string>> = {
  8565: 'new',
  8562: 'new',
  '8565early': 'new-early',
  '8562early': 'new-early',
  '8565late': 'new-late',
};

const resources: readonly FittedResource[] = [
  {
    name: 'MachineVideoStandard',
    type: 'integer',
    category: 'video',
    description: 'Video standard used by the emulated machine; sets the model of the VIC-II',
    possible: Object.entries(standards).map(([value, { name }]) => ({ value: Number(value), name })),
    wantsReset: true,
    read: ({ vic }) => standardOf(vic),
    write: (fitted, value) => {
      const standard = standards[Number(value)];
      if (!standard || Number(value) === standardOf(fitted.vic)) return fitted;
      return { ...fitted, vic: isLate(fitted.vic) ? standard.late : standard.early };
    },
  },
  counted('VICIIModel', 'video', 'Model of the VIC-II, which decides the video standard', 'vic', vicModels),
  {
    ...counted('VICIIBorderMode', 'video', 'How much of the border a picture shows', 'border', borderModes),
    possible: borderNames.map((name, value) => ({ value, name })),
    wantsReset: false,
  },
  { ...counted('SidModel', 'sid', 'Model of the SID', 'sid', sidModels), wantsReset: false },
  { ...switched('SidStereo', 'A second SID', 'sid2'), category: 'sid', wantsReset: false },
  {
    ...sized('Sid2AddressStart', 'Address of the second SID', 'sid2Address', secondSidAddresses),
    category: 'sid',
    wantsReset: false,
  },
  { ...counted('CIA1Model', 'machine', 'Model of CIA 1', 'cia1', ciaModels), wantsReset: false },
  { ...counted('CIA2Model', 'machine', 'Model of CIA 2', 'cia2', ciaModels), wantsReset: false },
  switched('REU', 'RAM expansion with DMA (REU)', 'reu'),
  sized('REUsize', 'Size of the REU in KiB', 'reuSize', reuSizes),
  switched('GEORAM', 'RAM expansion in pages (GeoRAM)', 'georam'),
  sized('GEORAMsize', 'Size of the GeoRAM in KiB', 'georamSize', geoRamSizes),
];

export function c64Fittings(board: C64Board): Fittings {
  return {
    resources,
    get now() {
      const { reu, geoRam } = board.fittedMemory;
      return {
        ...board.chips,
        sid2: board.sids.fitted.isIn ? 'on' : 'off',
        sid2Address: nameOfSize(secondSidAddresses, board.sids.fitted.address),
        border: board.border,
        reu: reu.isIn ? 'on' : 'off',
        reuSize: nameOfSize(reuSizes, reu.kilobytes),
        georam: geoRam.isIn ? 'on' : 'off',
        georamSize: nameOfSize(geoRamSizes, geoRam.kilobytes),
      };
    },
    fit(fitted) {
      const { vic, cia1, cia2, sid, border } = fitted;
      const now = board.chips;
      board.border = border as BorderMode;
      fitMemory(board, fitted);
      fitSecondSid(board, fitted);
      if (vic === now.vic && cia1 === now.cia1 && cia2 === now.cia2 && sid === now.sid) return;
      board.refit({
        vic: vic as Vic2Model,
        cia1: cia1 as Mos6526Model,
        cia2: cia2 as Mos6526Model,
        sid: sid as SidModel,
      });
    },
    options: ({ vic = '', sid, sid2, sid2Address, reu, reuSize, georam, georamSize }) => ({
      video: ['pal', 'ntsc', 'ntsc-old'][standardOf(vic) - 1],
      revision: revisions[vic] ?? 'old',
      sid,
      sid2: sid2 === 'on' ? sid2Address : 'none',
      reu: reu === 'on' ? reuSize : 'none',
      georam: georam === 'on' ? georamSize : 'none',
    }),
  };
}

function fitMemory(board: C64Board, { reu, reuSize = '', georam, georamSize = '' }: Fitted): void {
  const wanted = {
    reu: { isIn: reu === 'on', kilobytes: sizeNamed(reuSizes, reuSize) },
    geoRam: { isIn: georam === 'on', kilobytes: sizeNamed(geoRamSizes, georamSize) },
  };
  if (JSON.stringify(wanted) !== JSON.stringify(board.fittedMemory)) board.fitMemory(wanted);
}

function fitSecondSid(board: C64Board, { sid2, sid2Address = '' }: Fitted): void {
  const wanted = { isIn: sid2 === 'on', address: sizeNamed(secondSidAddresses, sid2Address) };
  if (JSON.stringify(wanted) !== JSON.stringify(board.sids.fitted)) board.fitSecondSid(wanted);
}

type Sizes = Readonly<Record<string, number>>;

const sizeNamed = (sizes: Sizes, name: string) => sizes[name] ?? 512;
const nameOfSize = (sizes: Sizes, kilobytes: number) =>
  Object.keys(sizes).find((name) => sizes[name] === kilobytes) ?? '512K';

function switched(name: string, description: string, socket: string): FittedResource {
  return {
    name,
    type: 'integer',
    category: 'memory',
    description,
    possible: [
      { value: 0, name: 'Off' },
      { value: 1, name: 'On' },
    ],
    wantsReset: true,
    read: (fitted) => (fitted[socket] === 'on' ? 1 : 0),
    write: (fitted, value) => ({ ...fitted, [socket]: value === 1 ? 'on' : 'off' }),
  };
}

function sized(name: string, description: string, socket: string, sizes: Sizes): FittedResource {
  return {
    name,
    type: 'integer',
    category: 'memory',
    description,
    possible: Object.entries(sizes).map(([size, value]) => ({ value, name: size })),
    wantsReset: true,
    read: (fitted) => sizeNamed(sizes, fitted[socket] ?? ''),
    write: (fitted, value) => ({ ...fitted, [socket]: nameOfSize(sizes, Number(value)) }),
  };
}

/** One whose values count the models. */
function counted(
  name: string,
  category: FittedResource['category'],
  description: string,
  socket: string,
  models: readonly string[],
): FittedResource {
  return {
    name,
    type: 'integer',
    category,
    description,
    possible: models.map((model, value) => ({ value, name: model })),
    wantsReset: true,
    read: (fitted: Fitted) => models.indexOf(fitted[socket] ?? ''),
    write: (fitted, value) => ({ ...fitted, [socket]: models[Number(value)] ?? '' }),
  };
}
