import type { ChipRegister } from '../board/commodore-board.ts';

const none: readonly ChipRegister[] = [];
const rows = {
  vic2: registersOf('vic2', 64),
  sid: registersOf('sid', 32),
  sid2: registersOf('sid2', 32),
  cia1: registersOf('cia1', 16),
  cia2: registersOf('cia2', 16),
  port: registersOf('port', 2),
  expansion: registersOf('expansion', 256),
};

/** By address bits 11-8 of the I/O area; colour RAM and $DF00 have none. */
const areas: readonly (keyof typeof rows | undefined)[] = [
  ...(['vic2', 'vic2', 'vic2', 'vic2', 'sid', 'sid', 'sid', 'sid'] as const),
  ...([undefined, undefined, undefined, undefined, 'cia1', 'cia2', 'expansion', undefined] as const),
];

/** Which register an address is, its mirrors included, where the I/O area is seen. */
export function registersAt(address: number, isSecondSid: boolean): readonly ChipRegister[] {
  if (isSecondSid) return rows.sid2[address & 31] ?? none;
  const name = address < 2 ? 'port' : address >> 12 === 0xd ? areas[(address >> 8) & 15] : undefined;
  if (name === undefined) return none;
  const row = rows[name];
  return row[address & (row.length - 1)] ?? none;
}

function registersOf(chip: string, count: number): readonly (readonly ChipRegister[])[] {
  return Array.from({ length: count }, (_, register) => [{ chip, register }]);
}
