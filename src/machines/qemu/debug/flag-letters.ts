type Flag = readonly [letter: string, bit: bigint];

const x86: readonly Flag[] = [
  ['o', 11n],
  ['d', 10n],
  ['i', 9n],
  ['t', 8n],
  ['s', 7n],
  ['z', 6n],
  ['a', 4n],
  ['p', 2n],
  ['c', 0n],
];

const arm: readonly Flag[] = [
  ['n', 31n],
  ['z', 30n],
  ['c', 29n],
  ['v', 28n],
  ['a', 8n],
  ['i', 7n],
  ['f', 6n],
];

const registers: Readonly<Record<string, readonly Flag[]>> = { eflags: x86, rflags: x86, cpsr: arm };

/** The flags of a flags register by letter, those set in upper case. */
export function flagLetters(register: string, value: bigint): string | undefined {
  return registers[register]?.map(([letter, bit]) => ((value >> bit) & 1n ? letter.toUpperCase() : letter)).join('');
}
