import { bigLong, bigWord, latin, MediaError } from './byte-fields.ts';

export interface CrtChip {
  readonly type: 'rom' | 'ram' | 'flash';
  readonly bank: number;
  readonly address: number;
  readonly size: number;
  /** Empty for RAM. */
  readonly bytes: Uint8Array;
}

export interface Crt {
  readonly name: string;
  readonly version: number;
  readonly hardware: number;
  /** Of several makes of the same hardware, which. */
  readonly revision?: number;
  /** What the number stands for, as in `hardwareNames`. */
  readonly hardwareName: string;
  /** Lines at power-on as levels, 1 = high = not asserted. */
  readonly exrom: number;
  readonly game: number;
  readonly chips: readonly CrtChip[];
}

/** Hardware types by number. Which of them run is decided by `cartridgeOf`. */
export const hardwareNames: readonly string[] = [
  'Normal cartridge',
  'Action Replay',
  'KCS Power Cartridge',
  'Final Cartridge III',
  "Simons' BASIC",
  'Ocean',
  'Expert Cartridge',
  'Fun Play',
  'Super Games',
  'Atomic Power',
  'Epyx FastLoad',
  'Westermann Learning',
  'Rex Utility',
  'Final Cartridge I',
  'Magic Formel',
  'C64 Game System, System 3',
  'WarpSpeed',
  'Dinamic',
  'Zaxxon',
  'Magic Desk',
  'Super Snapshot V5',
  'Comal-80',
  'Structured BASIC',
  'Ross',
  'Dela EP64',
  'Dela EP7x8',
  'Dela EP256',
  'Rex EP256',
  'Mikro Assembler',
  'Final Cartridge Plus',
  'Action Replay 4',
  'StarDOS',
  'EasyFlash',
  'EasyFlash X-Bank',
  'Capture',
  'Action Replay 3',
  'Retro Replay',
  'MMC64',
  'MMC Replay',
  'IDE64',
  'Super Snapshot V4',
  'IEEE-488',
  'Game Killer',
  'Prophet64',
  'EXOS',
  'Freeze Frame',
  'Freeze Machine',
  'Snapshot64',
  'Super Explode V5.0',
  'Magic Voice',
  'Action Replay 2',
  'MACH 5',
  'Diashow-Maker',
  'Pagefox',
  'Kingsoft',
  'Silverrock 128K',
  'Formel 64',
  'RGCD',
  'RR-Net MK3',
  'EasyCalc',
  'GMod2',
  'MAX BASIC',
  'GMod3',
  'ZIPP-CODE 48',
  'Blackbox V8',
  'Blackbox V3',
  'Blackbox V4',
  'REX RAM-Floppy',
  'BIS-Plus',
  'SD-BOX',
  'MultiMAX',
  'Blackbox V9',
  'Lt. Kernal Host Adaptor',
  'RAMLink',
  'Drean',
  'IEEE Flash! 64',
  'Turtle Graphics II',
  'Freeze Frame MK2',
  'Partner 64',
  'Hyper-BASIC',
  'Universal Cartridge 1',
  'Universal Cartridge 1.5',
  'Universal Cartridge 2',
  'BMP Data Turbo 2000',
  'Profi-DOS',
  'Magic Desk 16',
  'Megabyter',
];

/** Four times as many as the largest cartridges have. */
const mostChips = 512;

const chipTypes: readonly CrtChip['type'][] = ['rom', 'ram', 'flash'];

export const isCrt = (file: Uint8Array): boolean => latin(file, 0, 16) === 'C64 CARTRIDGE   ';

export function readCrt(file: Uint8Array): Crt {
  if (!isCrt(file) || file.length < 0x40) throw new MediaError('no C64 cartridge image: its signature is missing');
  const chips: CrtChip[] = [];
  // Some tools wrote a header length of $20 although the header is always $40 long.
  let at = Math.max(0x40, bigLong(file, 16));
  while (at + 16 <= file.length && latin(file, at, 4) === 'CHIP') {
    const type = chipTypes[bigWord(file, at + 8)] ?? 'rom';
    const size = bigWord(file, at + 14);
    const bytes = type === 'ram' ? new Uint8Array(0) : file.subarray(at + 16, at + 16 + size);
    if (type !== 'ram' && bytes.length < size)
      throw new MediaError(`chip ${chips.length} of the cartridge is cut short`);
    if (chips.length === mostChips) throw new MediaError(`the cartridge image has more than ${mostChips} chips`);
    chips.push({ type, bank: bigWord(file, at + 10), address: bigWord(file, at + 12), size, bytes });
    const length = bigLong(file, at + 4);
    at += length >= 16 ? length : 16 + size;
  }
  if (chips.length === 0) throw new MediaError('the cartridge image has no chips');
  const hardware = bigWord(file, 22);
  return {
    name: latin(file, 0x20, 32).replace(/\0.*$/s, '').trimEnd(),
    version: bigWord(file, 20),
    hardware,
    revision: file[26] ?? 0,
    hardwareName: hardwareNames[hardware] ?? 'a newer one',
    exrom: file[24] === 0 ? 0 : 1,
    game: file[25] === 0 ? 0 : 1,
    chips,
  };
}

/** The other way round. */
export function writeCrt({ name, version, hardware, revision = 0, exrom, game, chips }: Crt): Uint8Array {
  const length = chips.reduce((sum, { bytes }) => sum + 16 + bytes.length, 0x40);
  const file = new Uint8Array(length);
  const view = new DataView(file.buffer);
  const text = (at: number, word: string) => file.set(new TextEncoder().encode(word), at);
  text(0, 'C64 CARTRIDGE   ');
  view.setUint32(16, 0x40);
  view.setUint16(20, version);
  view.setUint16(22, hardware);
  file.set([exrom, game, revision], 24);
  text(0x20, name.slice(0, 31));
  let at = 0x40;
  for (const { type, bank, address, size, bytes } of chips) {
    text(at, 'CHIP');
    view.setUint32(at + 4, 16 + bytes.length);
    view.setUint16(at + 8, chipTypes.indexOf(type));
    view.setUint16(at + 10, bank);
    view.setUint16(at + 12, address);
    view.setUint16(at + 14, size);
    file.set(bytes, at + 16);
    at += 16 + bytes.length;
  }
  return file;
}
