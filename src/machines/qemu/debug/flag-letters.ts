type Flag = readonly [clear: string, set: string, bit: number];

const x86: readonly Flag[] = [
  ['o', 'O', 11],
  ['d', 'D', 10],
  ['i', 'I', 9],
  ['t', 'T', 8],
  ['s', 'S', 7],
  ['z', 'Z', 6],
  ['a', 'A', 4],
  ['p', 'P', 2],
  ['c', 'C', 0],
];

const arm: readonly Flag[] = [
  ['n', 'N', 31],
  ['z', 'Z', 30],
  ['c', 'C', 29],
  ['v', 'V', 28],
  ['a', 'A', 8],
  ['i', 'I', 7],
  ['f', 'F', 6],
];

const registers: ReadonlyMap<string, readonly Flag[]> = new Map([
  ['eflags', x86],
  ['rflags', x86],
  ['cpsr', arm],
]);

/** The flags of a flags register by letter, those set in upper case. */
export function flagLetters(register: string, value: bigint): string | undefined {
  const flags = registers.get(register);
  if (!flags) return undefined;
  const low = Number(BigInt.asUintN(32, value));
  let letters = '';
  for (const [clear, set, bit] of flags) letters += (low >>> bit) & 1 ? set : clear;
  return letters;
}
