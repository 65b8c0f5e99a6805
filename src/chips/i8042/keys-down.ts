import type { I8042State } from './fields.ts';

/** One bit for each key of one byte: three words. They have no name in `fields`, which snapshots are recognised by. */
const plainWords = 29;
const extendedWord = 7;

/** Those with a code of more than a byte. Snapshots have a bit for each in this order. */
const extended: readonly number[] = [
  ...[0xe01c, 0xe01d, 0xe035, 0xe037, 0xe038, 0xe046, 0xe047, 0xe048, 0xe049, 0xe04b, 0xe04d, 0xe04f],
  ...[0xe050, 0xe051, 0xe052, 0xe053, 0xe05b, 0xe05c, 0xe05d, 0xe11d45],
];

export function setKeyDown(s: I8042State, code: number, isDown: boolean): void {
  const place = placeOf(code);
  if (!place) return;
  const [word, bit] = place;
  s[word] = isDown ? (s[word] ?? 0) | bit : (s[word] ?? 0) & ~bit;
}

export function isKeyDown(s: I8042State, code: number): boolean {
  const place = placeOf(code);
  if (!place) return false;
  const [word, bit] = place;
  return ((s[word] ?? 0) & bit) !== 0;
}

/** Undefined for what is no key. */
function placeOf(code: number): readonly [word: number, bit: number] | undefined {
  if (code < 0x60) return [plainWords + (code >> 5), 1 << (code & 31)];
  const at = extended.indexOf(code);
  return at < 0 ? undefined : [extendedWord, 1 << at];
}
