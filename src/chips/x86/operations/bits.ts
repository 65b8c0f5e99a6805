import type { Core } from '../core.ts';
import { flag } from '../flags.ts';
import type { Width } from '../instruction.ts';
import { fields } from '../registers.ts';
import type { Call, Operation, Shape } from './operation.ts';

/** A bit's number may lead to other words of memory than the one addressed. */
function reach({ width, addressSize }: Shape): string {
  const [shift, bytes] = width === 32 ? [5, 4] : [4, 2];
  const index = width === 32 ? 'b' : '((b << 16) >> 16)';
  const offset = `o + (${index} >> ${shift}) * ${bytes}`;
  return addressSize === 32 ? `o = (${offset}) >>> 0;` : `o = (${offset}) & 65535;`;
}

/** OF is not defined; the 80386 finds the bit by rotating to the right and sets OF as ROR does. */
function bitTest(change: string): Operation {
  return {
    reads: 'ab',
    writes: change === '' ? '' : 'a',
    flagsWritten: 'oc',
    code: ({ width }) => {
      const rotated = width === 32 ? '(a >>> k) | (k === 0 ? 0 : a << (32 - k))' : '((a | (a << 16)) >>> k) << 16';
      const overflow = `t = ${rotated}; fo = t ^ (t << 1);`;
      return `k = b & ${width - 1}; q = 1 << k; ${overflow} fc = (a & q) === 0 ? 0 : 1; ${change}`;
    },
  };
}

const tests = { bt: bitTest(''), bts: bitTest('r = a | q;'), btr: bitTest('r = a & ~q;'), btc: bitTest('r = a ^ q;') };

function bitOf(value: number, index: number): number {
  return index < 0 ? 0 : (value >>> index) & 1;
}

/** Only ZF is defined. What the 80386 leaves otherwise: the flags of 0 - source, or of the bit's number. */
function setScanFlags(core: Core, result: number, auxiliary: number, carry: number, overflow: number): void {
  core.words[fields.result] = result;
  core.words[fields.auxiliary] = auxiliary ? flag.auxiliary : 0;
  core.words[fields.carry] = carry;
  core.words[fields.overflow] = overflow << 31;
}

function negated(source: number, width: Width): number {
  return (-source << (32 - width)) >> (32 - width);
}

const bsf: Call = (core, _, a, b, _k, width) => {
  if (b === 0) {
    setScanFlags(core, 0, 0, 0, 0);
    return a;
  }
  const index = 31 - Math.clz32(b & -b);
  if (index === 0) setScanFlags(core, negated(b, width), 1, bitOf(b, 1), bitOf(b, width - 1));
  else setScanFlags(core, index, (index & 15) === 0 ? 1 : 0, 0, 0);
  return index;
};

const bsr: Call = (core, _, a, b, _k, width) => {
  if (b === 0) {
    setScanFlags(core, 0, 0, 0, 0);
    return a;
  }
  const index = 31 - Math.clz32(b);
  const [carry, below] = index === 0 ? [0, 1] : [bitOf(b, index - 1), bitOf(b, index - 2)];
  setScanFlags(core, negated(b, width), b & 15, carry, carry ^ below);
  return index;
};

export const bits: Readonly<Record<string, Operation>> = {
  ...Object.fromEntries(
    Object.entries(tests).flatMap(([name, operation]): [string, Operation][] => [
      [`${name} EG`, { ...operation, prepare: reach }],
      [`${name} EI`, operation],
    ]),
  ),
  bsf: { reads: 'ab', writes: 'a', flagsWritten: 'oszapc', call: bsf },
  bsr: { reads: 'ab', writes: 'a', flagsWritten: 'oszapc', call: bsr },
};
