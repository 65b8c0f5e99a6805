import type { Mos6526Model } from '../../../../chips/mos6526/mos6526.ts';
import type { SidModel } from '../../../../chips/sid/sid.ts';
import type { Vic2Model } from '../../../../chips/vic2/models.ts';
import type { Fitted, FittedResource, Fittings } from '../../machine/fittings.ts';
import type { C64Board } from '../c64-board.ts';
import { type BorderMode, borderModes } from '../visible-frame.ts';

interface Standard {
  readonly name: string;
  /** The chips of early and of late machines. */
  readonly early: Vic2Model;
  readonly late: Vic2Model;
}

const vicModels = ['6569', '8565', '6569R1', '6567', '8562', '6567R56A'] as const satisfies readonly Vic2Model[];
const sidModels = ['6581', '8580'] as const satisfies readonly SidModel[];
const ciaModels = ['6526', '6526A'] as const satisfies readonly Mos6526Model[];
const borderNames = ['Normal', 'Full', 'Debug', 'None'];

/** By VICE's numbers. */
const standards: Readonly<Record<number, Standard>> = {
  1: { name: 'PAL', early: '6569', late: '8565' },
  2: { name: 'NTSC', early: '6567', late: '8562' },
  3: { name: 'NTSC-OLD', early: '6567R56A', late: '6567R56A' },
};
const standardOf = (vic = ''): number => ({ 6567: 2, 8562: 2, '6567R56A': 3 })[vic] ?? 1;
const isLate = (vic: string | undefined): boolean => vic === '8565' || vic === '8562';

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
  { ...counted('CIA1Model', 'machine', 'Model of CIA 1', 'cia1', ciaModels), wantsReset: false },
  { ...counted('CIA2Model', 'machine', 'Model of CIA 2', 'cia2', ciaModels), wantsReset: false },
];

export function c64Fittings(board: C64Board): Fittings {
  return {
    resources,
    get now() {
      return { ...board.chips, border: board.border };
    },
    fit({ vic, cia1, cia2, sid, border }) {
      const now = board.chips;
      board.border = border as BorderMode;
      if (vic === now.vic && cia1 === now.cia1 && cia2 === now.cia2 && sid === now.sid) return;
      board.refit({
        vic: vic as Vic2Model,
        cia1: cia1 as Mos6526Model,
        cia2: cia2 as Mos6526Model,
        sid: sid as SidModel,
      });
    },
    options: ({ vic, sid }) => ({
      video: ['pal', 'ntsc', 'ntsc-old'][standardOf(vic) - 1],
      revision: isLate(vic) ? 'new' : 'old',
      sid,
    }),
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
