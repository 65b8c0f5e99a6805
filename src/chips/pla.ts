/**
 * The PLA (906114) of the C64: from the processor port's three banking lines and the cartridge's two, which part
 * answers in each 4 KiB of the address space. Lines are levels: 1 = high, which for GAME and EXROM means unused.
 *
 * Not emulated: the glitches of the real chip while its inputs change.
 */
export type MemoryPart = 'ram' | 'basic' | 'kernal' | 'chargen' | 'io' | 'roml' | 'romh' | 'open';

export interface PlaLines {
  readonly loram: number;
  readonly hiram: number;
  readonly charen: number;
  readonly game: number;
  readonly exrom: number;
}

/** The five lines as a number 0-31, in the order of the port: LORAM is bit 0, EXROM bit 3, GAME bit 4. */
export function plaConfiguration(port: number, exrom: number, game: number): number {
  return (port & 7) | (exrom << 3) | (game << 4);
}

export function plaLines(configuration: number): PlaLines {
  const line = (bit: number) => (configuration >> bit) & 1;
  return { loram: line(0), hiram: line(1), charen: line(2), exrom: line(3), game: line(4) };
}

/** What the processor reads in the 4 KiB that begin at `page` * $1000. */
export function partRead(lines: PlaLines, page: number): MemoryPart {
  const { loram, hiram, charen, game, exrom } = lines;
  if (game === 0 && exrom === 1) return ultimax(page);
  const cartridge16K = game === 0 && exrom === 0;
  switch (page) {
    case 0x8:
    case 0x9:
      return exrom === 0 && loram && hiram ? 'roml' : 'ram';
    case 0xa:
    case 0xb:
      if (cartridge16K && hiram) return 'romh';
      return game === 1 && loram && hiram ? 'basic' : 'ram';
    case 0xd: {
      // With a 16K cartridge LORAM alone does not open the area: the character ROM needs HIRAM, I/O either line.
      const open = charen || game === 1 ? loram || hiram : hiram;
      if (!open) return 'ram';
      return charen ? 'io' : 'chargen';
    }
    case 0xe:
    case 0xf:
      return hiram ? 'kernal' : 'ram';
    default:
      return 'ram';
  }
}

/** Where a write goes: RAM lies under every ROM; only I/O and a cartridge in Ultimax mode take writes away from it. */
export function partWritten(lines: PlaLines, page: number): MemoryPart {
  const part = partRead(lines, page);
  if (part === 'io') return 'io';
  return lines.game === 0 && lines.exrom === 1 ? part : 'ram';
}

function ultimax(page: number): MemoryPart {
  if (page === 0) return 'ram';
  if (page === 0x8 || page === 0x9) return 'roml';
  if (page === 0xd) return 'io';
  return page >= 0xe ? 'romh' : 'open';
}
