import { SourceError } from './source-error.ts';
import { type Token, wholeNumberOf } from './tokens.ts';

/** Bytes of a number that stands alone, and how many tokens it takes. */
interface LiteralData {
  readonly bytes: readonly number[];
  readonly tokens: number;
}

/** Reals, and whole numbers of 64 bits, which are exact: numbers of this computer have 53. Undefined for anything else. */
export function literalData(tokens: readonly Token[], at: number, size: number): LiteralData | undefined {
  const sign = tokens[at]?.kind === 'sign' && /^[-+]$/.test(tokens[at].text) ? tokens[at].text : '';
  const count = sign === '' ? 1 : 2;
  const [number, following] = [tokens[at + count - 1], tokens[at + count]];
  const isAlone = following === undefined || (following.kind === 'sign' && following.text === ',');
  if (number === undefined || !isAlone) return undefined;
  const view = new DataView(new ArrayBuffer(8));
  if (number.kind === 'real') {
    const value = sign === '-' ? -number.value : number.value;
    if (!Number.isFinite(value)) throw new SourceError(`${number.text} is too large.`);
    if (size < 4) throw new SourceError(`${number.text} needs dd or dq: a real number has 32 or 64 bits here.`);
    if (size === 4) view.setFloat32(0, value, true);
    else view.setFloat64(0, value, true);
  } else if (number.kind === 'number' && size === 8) {
    const magnitude = wholeNumberOf(number.text);
    const value = sign === '-' ? -magnitude : magnitude;
    if (value < -(2n ** 63n) || value >= 2n ** 64n)
      throw new SourceError(`${sign}${number.text} does not fit into 8 bytes.`);
    view.setBigUint64(0, BigInt.asUintN(64, value), true);
  } else return undefined;
  return { bytes: [...new Uint8Array(view.buffer, 0, size)], tokens: count };
}
