import { hexWord } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';

interface Bank {
  /** Our name of the memory space. */
  readonly space: string | undefined;
  /** The addresses of the bank, where it is a part of the space. */
  readonly first?: number;
  readonly last?: number;
  /** Where the space counts from 0: what the processor calls its first address. */
  readonly base?: number;
}

/** Color RAM has so many places. */
const colors = 0x400;

const whole = { cpu: { space: undefined }, main: { space: 'ram' }, rom: { space: 'rom' }, io: { space: 'io' } };
const cartridge = { cartridge: { space: 'cart' } };

/** Colors are in RAM, characters in the KERNAL. */
const plus4 = {
  ...whole,
  char_rom: { space: 'rom', first: 0xd000, last: 0xd7ff },
  kernal_rom: { space: 'rom', first: 0xc000, last: 0xffff },
  basic_rom: { space: 'rom', first: 0x8000, last: 0xbfff },
  ...cartridge,
};

const banksOf: Readonly<Record<string, Readonly<Record<string, Bank>>>> = {
  c64: {
    ...whole,
    color_ram: { space: 'color', base: 0xd800 },
    char_rom: { space: 'rom', first: 0xd000, last: 0xdfff },
    kernal_rom: { space: 'rom', first: 0xe000, last: 0xffff },
    basic_rom: { space: 'rom', first: 0xa000, last: 0xbfff },
    ...cartridge,
  },
  vic20: {
    ...whole,
    color_ram: { space: 'color', base: 0x9400 },
    char_rom: { space: 'rom', first: 0x8000, last: 0x8fff },
    kernal_rom: { space: 'rom', first: 0xe000, last: 0xffff },
    basic_rom: { space: 'rom', first: 0xc000, last: 0xdfff },
    ...cartridge,
  },
  plus4,
  c16: plus4,
};

/** The banks of a machine whose memory spaces these are, by the original's names. */
export function bankNames(kind: string, spaces: readonly string[]): readonly string[] {
  const named = Object.entries(banksOf[kind] ?? whole).flatMap(([name, { space }]) =>
    space === undefined || spaces.includes(space) ? [name] : [],
  );
  return [...named, ...spaces.filter((space) => /^drive\d+$/.test(space))];
}

/** Where in which of our spaces a range of a bank lies; those that begin elsewhere are also counted from 0. */
export function placeIn(
  kind: string,
  spaces: readonly string[],
  bank: string,
  address: number,
  size: number,
): { readonly space: string | undefined; readonly address: number } {
  const names = bankNames(kind, spaces);
  if (!names.includes(bank)) {
    const banks = `Banks: ${names.join(', ')}.`;
    const absent = absentBecause(kind, bank);
    const [reason, way] = absent ?? [`There is no bank ${JSON.stringify(bank)}.`];
    throw new MachineError('INVALID_ARGUMENT', reason, way === undefined ? banks : `${way} ${banks}`, {
      valid_banks: names,
    });
  }
  const { space, first, last, base }: Bank = banksOf[kind]?.[bank] ?? { space: bank };
  if (base !== undefined) {
    const offset = address >= base ? address - base : address;
    if (offset + size <= colors) return { space, address: offset };
    throw outside(bank, base, base + colors - 1, address, size);
  }
  if (first === undefined || last === undefined) return { space, address };
  const from = address < first && address <= last - first ? address + first : address;
  if (from >= first && from + size - 1 <= last) return { space, address: from };
  throw outside(bank, first, last, address, size);
}

/** Why a bank that there can be is not there, and what brings it. */
function absentBecause(kind: string, bank: string): readonly [reason: string, way: string] | undefined {
  if (/^drive(8|9|10|11)$/.test(bank)) {
    const reason = `${bank} has no memory of its own: it works without its ROM, at the level of the bus.`;
    return [reason, 'Memory of a drive is read where its ROM is found (--roms).'];
  }
  if (bank !== 'cartridge' || !('cartridge' in (banksOf[kind] ?? {}))) return undefined;
  return ['No cartridge is plugged in.', 'Call vice.files.attach_cartridge first.'];
}

function outside(bank: string, first: number, last: number, address: number, size: number): MachineError {
  const valid_range = `${hexWord(first)}-${hexWord(last)}`;
  return new MachineError('ADDRESS_OUT_OF_BOUNDS', 'Invalid address range', `${bank} is ${valid_range}.`, {
    requested_address: hexWord(address),
    requested_size: size,
    valid_range,
  });
}
