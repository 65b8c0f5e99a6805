import type { Words } from './formats.ts';
import { setInteger, toWhole } from './integer.ts';
import { bias, kind, kindOf, type Real } from './real.ts';
import { exception, type Work } from './work.ts';

const digits = 18;
const limit = 10n ** BigInt(digits);

/** Eighteen decimal digits and a sign, in ten bytes. */
export function loadDecimal(words: Words, real: Real): void {
  const head = words[2];
  let value = 0n;
  for (let place = digits - 1; place >= 0; place -= 1) {
    const nibble = place < 16 ? words[place >> 3] >>> ((place & 7) * 4) : head >>> ((place - 16) * 4);
    value = value * 10n + BigInt(nibble & 15);
  }
  const sign = (head >>> 15) & 1;
  setInteger(real, sign, Number(value >> 32n) | 0, Number(value & 0xffffffffn) | 0);
  real.sign = sign;
}

/** `a` as decimal digits; what has more of them is invalid, and stored as no number at all. */
export function storeDecimal(work: Work, words: Words): void {
  const { a, result } = work;
  if (kindOf(a) < kind.infinity && a.exponent <= bias + 59) {
    toWhole(work, a);
    let value = (BigInt(result.high >>> 0) << 32n) | BigInt(result.low >>> 0);
    if (value < limit) {
      if (work.isInexact) work.flags |= exception.precision;
      const packed = [0, 0, result.sign << 15];
      for (let place = 0; place < digits; place += 1) {
        packed[place >> 3] = packed[place >> 3] | (Number(value % 10n) << ((place & 7) * 4));
        value /= 10n;
      }
      words.set(packed);
      return;
    }
  }
  work.roundedUp = 0;
  work.invalid();
  words.set([0, -0x40000000, 0xffff]);
}
