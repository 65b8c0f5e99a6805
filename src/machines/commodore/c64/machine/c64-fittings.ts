import type { Mos6526Model } from '../../../../chips/mos6526/mos6526.ts';
import type { SidModel } from '../../../../chips/sid/sid.ts';
import type { Vic2Model } from '../../../../chips/vic2/models.ts';
import { dqbbSizes, geoRamSizes, ramCartSizes, reuSizes } from '../../expansions/expansion-sizes.ts';
import type { Fitted, FittedResource, Fittings } from '../../machine/fittings.ts';
import type { C64Board } from '../c64-board.ts';
import type { FittedMemory } from '../memory-expansions.ts';
import type { RamBoard } from '../ram-banks.ts';
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

/** By VICE's numbers; its 1 is a board that is not emulated. */
const memoryHacks: Readonly<Record<number, string>> = { 0: 'none', 2: 'plus60k', 3: 'plus256k' };
const plus60kBases = { D100: 0xd100, D040: 0xd040 } as const;

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
  switched('DQBB', 'RAM at $8000-$BFFF (Double Quick Brown Box)', 'dqbb'),
  sized('DQBBSize', 'Size of the DQBB in KiB', 'dqbbSize', dqbbSizes),
  switched('RAMCART', 'RAM in pages, kept by a battery (RAMCart)', 'ramcart'),
  sized('RAMCARTsize', 'Size of the RAMCart in KiB', 'ramcartSize', ramCartSizes),
  { ...switched('RAMCART_RO', 'Switch of the RAMCart: read-only', 'ramcartReadOnly'), wantsReset: false },
  switched('IsepicCartridgeEnabled', 'Freezer with 2 KiB of RAM (ISEPIC)', 'isepic'),
  switched('IsepicSwitch', 'Switch of the ISEPIC at power-on: towards the computer', 'isepicSwitch'),
  {
    name: 'MemoryHack',
    type: 'integer',
    category: 'memory',
    description: 'RAM that is soldered to the board',
    possible: Object.entries(memoryHacks).map(([value, name]) => ({ value: Number(value), name })),
    wantsReset: true,
    read: ({ memoryHack }) => Number(Object.keys(memoryHacks).find((hack) => memoryHacks[Number(hack)] === memoryHack)),
    write: (fitted, value) => ({ ...fitted, memoryHack: memoryHacks[Number(value)] ?? 'none' }),
  },
  sized('PLUS60Kbase', 'Address of the register of a +60K', 'plus60kBase', plus60kBases),
];

export function c64Fittings(board: C64Board): Fittings {
  // Of a +60K that is not in yet.
  let plus60kBase = 'D100';
  return {
    resources,
    get now() {
      return {
        ...board.chips,
        sid2: onOff(board.sids.fitted.isIn),
        sid2Address: nameOfSize(secondSidAddresses, board.sids.fitted.address),
        border: board.border,
        ...memoryNow(board.fittedMemory, plus60kBase),
      };
    },
    fit(fitted) {
      const { vic, cia1, cia2, sid, border } = fitted;
      const now = board.chips;
      board.border = border as BorderMode;
      plus60kBase = fitted.plus60kBase ?? plus60kBase;
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
    options: (fitted) => ({
      video: ['pal', 'ntsc', 'ntsc-old'][standardOf(fitted.vic) - 1],
      revision: revisions[fitted.vic ?? ''] ?? 'old',
      sid: fitted.sid,
      sid2: fitted.sid2 === 'on' ? fitted.sid2Address : 'none',
      reu: fitted.reu === 'on' ? fitted.reuSize : 'none',
      georam: fitted.georam === 'on' ? fitted.georamSize : 'none',
      dqbb: fitted.dqbb === 'on' ? fitted.dqbbSize : 'none',
      ramcart: fitted.ramcart === 'on' ? fitted.ramcartSize : 'none',
      ramcart_readonly: fitted.ramcartReadOnly === 'on',
      isepic: fitted.isepic === 'on' ? fitted.isepicSwitch : 'none',
      ram_banks: banksOf(fitted),
    }),
  };
}

const onOff = (is: boolean) => (is ? 'on' : 'off');

function memoryNow({ reu, geoRam, dqbb, ramCart, isepic, banks }: FittedMemory, plus60kBase: string): Fitted {
  return {
    reu: onOff(reu.isIn),
    reuSize: nameOfSize(reuSizes, reu.kilobytes),
    georam: onOff(geoRam.isIn),
    georamSize: nameOfSize(geoRamSizes, geoRam.kilobytes),
    dqbb: onOff(dqbb.isIn),
    dqbbSize: nameOfSize(dqbbSizes, dqbb.kilobytes),
    ramcart: onOff(ramCart.isIn),
    ramcartSize: nameOfSize(ramCartSizes, ramCart.kilobytes),
    ramcartReadOnly: onOff(ramCart.isReadOnly),
    isepic: onOff(isepic.isIn),
    isepicSwitch: onOff(isepic.isOn),
    memoryHack: banks.replace('-d040', ''),
    plus60kBase: baseOf(banks) ?? plus60kBase,
  };
}

function baseOf(banks: FittedMemory['banks']): string | undefined {
  if (banks === 'plus60k-d040') return 'D040';
  return banks === 'plus60k' ? 'D100' : undefined;
}

function banksOf({ memoryHack = 'none', plus60kBase }: Fitted): RamBoard | 'none' {
  if (memoryHack === 'plus60k') return plus60kBase === 'D040' ? 'plus60k-d040' : 'plus60k';
  return memoryHack === 'plus256k' ? memoryHack : 'none';
}

function fitMemory(board: C64Board, fitted: Fitted): void {
  const expansion = (socket: string, sizes: Sizes) => ({
    isIn: fitted[socket] === 'on',
    kilobytes: sizeNamed(sizes, fitted[`${socket}Size`] ?? ''),
  });
  const wanted: FittedMemory = {
    reu: expansion('reu', reuSizes),
    geoRam: expansion('georam', geoRamSizes),
    dqbb: expansion('dqbb', dqbbSizes),
    ramCart: { ...expansion('ramcart', ramCartSizes), isReadOnly: fitted.ramcartReadOnly === 'on' },
    isepic: { isIn: fitted.isepic === 'on', isOn: fitted.isepicSwitch === 'on' },
    banks: banksOf(fitted),
  };
  if (JSON.stringify(wanted) !== JSON.stringify(board.fittedMemory)) board.fitMemory(wanted);
}

function fitSecondSid(board: C64Board, { sid2, sid2Address = '' }: Fitted): void {
  const wanted = { isIn: sid2 === 'on', address: sizeNamed(secondSidAddresses, sid2Address) };
  if (JSON.stringify(wanted) !== JSON.stringify(board.sids.fitted)) board.fitSecondSid(wanted);
}

type Sizes = Readonly<Record<string, number>>;

const sizeNamed = (sizes: Sizes, name: string) => sizes[name] ?? Object.values(sizes)[0] ?? 0;
const nameOfSize = (sizes: Sizes, size: number) => Object.keys(sizes).find((name) => sizes[name] === size) ?? '';

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
