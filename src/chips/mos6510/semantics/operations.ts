import { add, type Cpu, compare, nz, subtract } from './cpu.ts';

/** With the byte that was read, in the micro-op `u`. */
export type ReadOperation = (cpu: Cpu, d: number, u: number) => void;

/** What becomes of the byte `m`, in memory or in the accumulator. */
export type Modify = (cpu: Cpu, m: number) => number;
/** Whether a branch is taken. */
export type Taken = (cpu: Cpu) => boolean;

export const reads: Readonly<Record<string, ReadOperation>> = {
  LDA: (cpu, d) => {
    cpu.a = d;
    nz(cpu, d);
  },
  LDX: (cpu, d) => {
    cpu.x = d;
    nz(cpu, d);
  },
  LDY: (cpu, d) => {
    cpu.y = d;
    nz(cpu, d);
  },
  LAX: (cpu, d) => {
    cpu.a = d;
    cpu.x = d;
    nz(cpu, d);
  },
  AND: (cpu, d) => {
    const r = cpu.a & d;
    cpu.a = r;
    nz(cpu, r);
  },
  ORA: (cpu, d) => {
    const r = cpu.a | d;
    cpu.a = r;
    nz(cpu, r);
  },
  EOR: (cpu, d) => {
    const r = cpu.a ^ d;
    cpu.a = r;
    nz(cpu, r);
  },
  ADC: (cpu, d) => {
    add(cpu, d);
  },
  SBC: (cpu, d) => {
    subtract(cpu, d);
  },
  CMP: (cpu, d) => {
    compare(cpu, cpu.a, d);
  },
  CPX: (cpu, d) => {
    compare(cpu, cpu.x, d);
  },
  CPY: (cpu, d) => {
    compare(cpu, cpu.y, d);
  },
  BIT: (cpu, d) => {
    cpu.n = d;
    cpu.v = (d >> 6) & 1;
    cpu.z = cpu.a & d;
  },
  NOP: () => {},
  LAS: (cpu, d) => {
    const r = cpu.s & d;
    cpu.a = r;
    cpu.x = r;
    cpu.s = r;
    nz(cpu, r);
  },
  ANC: (cpu, d) => {
    const r = cpu.a & d;
    cpu.a = r;
    nz(cpu, r);
    cpu.c = r >> 7;
  },
  ALR: (cpu, d) => {
    const r = cpu.a & d;
    cpu.c = r & 1;
    cpu.a = r >> 1;
    nz(cpu, r >> 1);
  },
  /** AND, then ROR of the accumulator through the adder, whose decimal correction and overflow show. */
  ARR: (cpu, d) => {
    const r = cpu.a & d;
    let shifted = (r >> 1) | (cpu.c << 7);
    nz(cpu, shifted);
    if (cpu.d) {
      cpu.v = ((r ^ shifted) >> 6) & 1;
      if ((r & 15) + (r & 1) > 5) shifted = (shifted & 240) | ((shifted + 6) & 15);
      if ((r & 240) + (r & 16) > 80) {
        cpu.c = 1;
        shifted = (shifted + 96) & 255;
      } else cpu.c = 0;
    } else {
      cpu.c = (shifted >> 6) & 1;
      cpu.v = ((shifted >> 6) ^ (shifted >> 5)) & 1;
    }
    cpu.a = shifted;
  },
  SBX: (cpu, d) => {
    const t = (cpu.a & cpu.x) - d;
    cpu.c = t < 0 ? 0 : 1;
    cpu.x = t & 255;
    nz(cpu, t & 255);
  },
  ANE: (cpu, d, u) => {
    const magic = cpu.stalled === u ? cpu.aneStalledMagic : cpu.aneMagic;
    cpu.stalled = 0;
    const r = (cpu.a | magic) & cpu.x & d;
    cpu.a = r;
    nz(cpu, r);
  },
  LXA: (cpu, d) => {
    const r = (cpu.a | cpu.lxaMagic) & d;
    cpu.a = r;
    cpu.x = r;
    nz(cpu, r);
  },
};

/** What a store writes. */
export const stores: Readonly<Record<string, (cpu: Cpu) => number>> = {
  STA: (cpu) => cpu.a,
  STX: (cpu) => cpu.x,
  STY: (cpu) => cpu.y,
  SAX: (cpu) => cpu.a & cpu.x,
};

export const modifies: Readonly<Record<string, Modify>> = {
  ASL: (cpu, m) => {
    cpu.c = m >> 7;
    m = (m << 1) & 255;
    nz(cpu, m);
    return m;
  },
  LSR: (cpu, m) => {
    cpu.c = m & 1;
    m >>= 1;
    nz(cpu, m);
    return m;
  },
  ROL: (cpu, m) => {
    const t = (m << 1) | cpu.c;
    cpu.c = t >> 8;
    m = t & 255;
    nz(cpu, m);
    return m;
  },
  ROR: (cpu, m) => {
    const t = m | (cpu.c << 8);
    cpu.c = t & 1;
    m = t >> 1;
    nz(cpu, m);
    return m;
  },
  INC: (cpu, m) => {
    m = (m + 1) & 255;
    nz(cpu, m);
    return m;
  },
  DEC: (cpu, m) => {
    m = (m - 1) & 255;
    nz(cpu, m);
    return m;
  },
  SLO: (cpu, m) => {
    cpu.c = m >> 7;
    m = (m << 1) & 255;
    const r = cpu.a | m;
    cpu.a = r;
    nz(cpu, r);
    return m;
  },
  RLA: (cpu, m) => {
    const t = (m << 1) | cpu.c;
    cpu.c = t >> 8;
    m = t & 255;
    const r = cpu.a & m;
    cpu.a = r;
    nz(cpu, r);
    return m;
  },
  SRE: (cpu, m) => {
    cpu.c = m & 1;
    m >>= 1;
    const r = cpu.a ^ m;
    cpu.a = r;
    nz(cpu, r);
    return m;
  },
  RRA: (cpu, m) => {
    const t = m | (cpu.c << 8);
    cpu.c = t & 1;
    m = t >> 1;
    add(cpu, m);
    return m;
  },
  DCP: (cpu, m) => {
    m = (m - 1) & 255;
    compare(cpu, cpu.a, m);
    return m;
  },
  ISC: (cpu, m) => {
    m = (m + 1) & 255;
    subtract(cpu, m);
    return m;
  },
};

export const implied: Readonly<Record<string, (cpu: Cpu) => void>> = {
  CLC: (cpu) => {
    cpu.c = 0;
  },
  SEC: (cpu) => {
    cpu.c = 1;
  },
  CLI: (cpu) => {
    cpu.i = 0;
  },
  SEI: (cpu) => {
    cpu.i = 1;
  },
  CLV: (cpu) => {
    cpu.v = 0;
  },
  CLD: (cpu) => {
    cpu.d = 0;
  },
  SED: (cpu) => {
    cpu.d = 1;
  },
  TAX: (cpu) => {
    cpu.x = cpu.a;
    nz(cpu, cpu.a);
  },
  TAY: (cpu) => {
    cpu.y = cpu.a;
    nz(cpu, cpu.a);
  },
  TXA: (cpu) => {
    cpu.a = cpu.x;
    nz(cpu, cpu.x);
  },
  TYA: (cpu) => {
    cpu.a = cpu.y;
    nz(cpu, cpu.y);
  },
  TSX: (cpu) => {
    cpu.x = cpu.s;
    nz(cpu, cpu.s);
  },
  TXS: (cpu) => {
    cpu.s = cpu.x;
  },
  INX: (cpu) => {
    const r = (cpu.x + 1) & 255;
    cpu.x = r;
    nz(cpu, r);
  },
  INY: (cpu) => {
    const r = (cpu.y + 1) & 255;
    cpu.y = r;
    nz(cpu, r);
  },
  DEX: (cpu) => {
    const r = (cpu.x - 1) & 255;
    cpu.x = r;
    nz(cpu, r);
  },
  DEY: (cpu) => {
    const r = (cpu.y - 1) & 255;
    cpu.y = r;
    nz(cpu, r);
  },
  NOP: () => {},
};

export const branches: Readonly<Record<string, Taken>> = {
  BPL: (cpu) => (cpu.n & 128) === 0,
  BMI: (cpu) => (cpu.n & 128) !== 0,
  BVC: (cpu) => cpu.v === 0,
  BVS: (cpu) => cpu.v !== 0,
  BCC: (cpu) => cpu.c === 0,
  BCS: (cpu) => cpu.c !== 0,
  BNE: (cpu) => cpu.z !== 0,
  BEQ: (cpu) => cpu.z === 0,
};
