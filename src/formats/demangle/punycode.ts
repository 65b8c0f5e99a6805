import { NotMangled } from './mangled-text.ts';

/** Figures of RFC 3492. */
const [base, tMin, tMax, skew, damp, initialBias, initialCode] = [36, 1, 26, 38, 700, 72, 0x80];

/** Decodes an identifier of Rust, which has `_` where the RFC has `-`. */
export function punycode(text: string): string {
  const split = text.lastIndexOf('_');
  const output = Array.from(split < 0 ? '' : text.slice(0, split), (each) => each.codePointAt(0) ?? 0);
  let [code, index, bias] = [initialCode, 0, initialBias];
  for (let at = split + 1; at < text.length; ) {
    const before = index;
    let weight = 1;
    for (let k = base; ; k += base) {
      const digit = digitOf(text[at++] ?? '');
      index += digit * weight;
      const threshold = Math.min(tMax, Math.max(tMin, k - bias));
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const length = output.length + 1;
    bias = adapted(index - before, length, before === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10ffff) throw new NotMangled('no such character');
    output.splice(index++, 0, code);
  }
  return String.fromCodePoint(...output);
}

function digitOf(character: string): number {
  const value = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(character);
  if (value < 0 || character === '') throw new NotMangled('no punycode');
  return value;
}

function adapted(delta: number, points: number, first: boolean): number {
  let left = Math.floor(delta / (first ? damp : 2));
  left += Math.floor(left / points);
  let k = 0;
  for (; left > ((base - tMin) * tMax) / 2; k += base) left = Math.floor(left / (base - tMin));
  return k + Math.floor(((base - tMin + 1) * left) / (left + skew));
}
