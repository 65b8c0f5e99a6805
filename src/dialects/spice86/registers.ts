const general = ['AX', 'BX', 'CX', 'DX', 'SI', 'DI', 'SP', 'BP'] as const;
const segments = ['CS', 'DS', 'ES', 'FS', 'GS', 'SS'] as const;
const flagBits = {
  CarryFlag: 0,
  ParityFlag: 2,
  AuxiliaryFlag: 4,
  ZeroFlag: 6,
  SignFlag: 7,
  DirectionFlag: 10,
  OverflowFlag: 11,
  InterruptFlag: 9,
} as const;

/** Registers by the names of the original. Processors without 32 bits have the lower half, and no FS and GS. */
export function spiceRegisters(registers: Readonly<Record<string, number>>) {
  const values = new Map(Object.entries(registers).map(([name, value]) => [name.toUpperCase(), value]));
  const numberOf = (name: string) => values.get(`E${name}`) ?? values.get(name) ?? 0;
  const flags = numberOf('FLAGS');
  return {
    generalPurpose: Object.fromEntries(general.map((name) => [`E${name}`, numberOf(name)])),
    segments: Object.fromEntries(segments.map((name) => [name, values.get(name) ?? 0])),
    instructionPointer: { IP: numberOf('IP') & 0xffff },
    flags: Object.fromEntries(Object.entries(flagBits).map(([name, bit]) => [name, ((flags >> bit) & 1) === 1])),
  };
}
