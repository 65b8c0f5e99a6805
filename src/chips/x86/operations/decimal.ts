import type { Core } from '../core.ts';
import { flag, packFlags } from '../flags.ts';
import { fields } from '../registers.ts';
import { divide8086 } from './divide-8086.ts';
import type { Call, Operation } from './operation.ts';

function setFlags(core: Core, carry: number, auxiliary: number): void {
  core.words[fields.result] = (core.byte(0) << 24) >> 24;
  core.words[fields.carry] = carry;
  core.words[fields.auxiliary] = auxiliary ? flag.auxiliary : 0;
  core.words[fields.overflow] = 0;
}

function adjustDecimal(direction: 1 | -1): Call {
  return (core) => {
    const old = core.byte(0);
    const flags = packFlags(core.words);
    const low = (old & 15) > 9 || (flags & flag.auxiliary) !== 0;
    // With AF set, the 8086 leaves 9A-9F to the low digit's carry.
    const limit = core.rules.generation === 0 && flags & flag.auxiliary ? 0x9f : 0x99;
    const high = old > limit || (flags & flag.carry) !== 0;
    core.bytes[0] = old + direction * ((low ? 6 : 0) + (high ? 0x60 : 0));
    const borrow = direction < 0 && low && old < 6 && core.rules.generation > 0;
    setFlags(core, high || borrow ? 1 : 0, low ? 1 : 0);
    return 0;
  };
}

function adjustAscii(direction: 1 | -1): Call {
  return (core) => {
    const adjust = (core.byte(0) & 15) > 9 || (packFlags(core.words) & flag.auxiliary) !== 0;
    if (adjust && core.rules.generation >= 2) core.halves[0] = core.half(0) + direction * 0x106;
    else if (adjust) {
      core.bytes[0] = core.byte(0) + direction * 6;
      core.bytes[1] = core.byte(1) + direction;
    }
    core.bytes[0] = core.byte(0) & 15;
    setFlags(core, adjust ? 1 : 0, adjust ? 1 : 0);
    return 0;
  };
}

const aam: Call = (core, _, a) => {
  if (core.rules.generation === 0) divide8086(core, 0, core.byte(0), a, 8);
  if (a === 0) core.fault(0);
  core.bytes[1] = core.byte(0) / a;
  core.bytes[0] = core.byte(0) % a;
  setFlags(core, 0, 0);
  return 0;
};

const aad: Call = (core, _, a) => {
  core.halves[0] = (core.byte(0) + core.byte(1) * a) & 0xff;
  setFlags(core, 0, 0);
  return 0;
};

const plain = { reads: '', writes: '', flagsWritten: 'oszapc' } as const;

export const decimal: Readonly<Record<string, Operation>> = {
  daa: { ...plain, flagsRead: 'ac', call: adjustDecimal(1) },
  das: { ...plain, flagsRead: 'ac', call: adjustDecimal(-1) },
  aaa: { ...plain, flagsRead: 'a', call: adjustAscii(1) },
  aas: { ...plain, flagsRead: 'a', call: adjustAscii(-1) },
  aam: { ...plain, reads: 'a', call: aam },
  aad: { ...plain, reads: 'a', call: aad },
};
