import type { ChipRegister } from '../board/commodore-board.ts';

const none: readonly ChipRegister[] = [];
const rows = {
  vic2: registersOf('vic2', 64),
  sid: registersOf('sid', 32),
  cia1: registersOf('cia1', 16),
  cia2: registersOf('cia2', 16),
};

/** Which chip's register an address of the I/O area is, its mirrors included; none for colour RAM and the cartridge. */
export function registersAt(address: number): readonly ChipRegister[] {
  const area = (address >> 8) & 15;
  const row = area < 4 ? rows.vic2 : area < 8 ? rows.sid : area === 12 ? rows.cia1 : area === 13 ? rows.cia2 : none;
  return row === none ? none : ((row[address & (row.length - 1)] as readonly ChipRegister[] | undefined) ?? none);
}

function registersOf(chip: string, count: number): readonly (readonly ChipRegister[])[] {
  return Array.from({ length: count }, (_, register) => [{ chip, register }]);
}
