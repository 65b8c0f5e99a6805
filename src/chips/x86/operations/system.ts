import { type Core, Unsupported } from '../core.ts';
import { flag } from '../flags.ts';
import type { Instruction } from '../instruction.ts';
import { fields } from '../registers.ts';
import { attention, type Call, type Operation, outcome } from './operation.ts';
import { interruptsChanged } from './strings.ts';

const protectedMode = 1;
const taskSwitched = 8;
const paging = -0x80000000;

/** What a call that may have given reason to look up ends with. */
export function look(core: Core): number {
  return core.attention[0] === 0 ? outcome.next : outcome.look;
}

/** Offset of a memory operand; for instructions whose template cannot wait for it. */
export function offsetOf(core: Core, instruction: Instruction): number {
  const { base, index, scale, disp } = instruction;
  if (instruction.addressSize === 32) return (core.word(base) + (core.word(index) << scale) + disp) >>> 0;
  return (core.half(base) + core.half(index) + disp) & 0xffff;
}

/** The address counts with the stack pointer as it is after the pop, and a fault takes the pop back. */
const popMemory: Call = (core, instruction, _a, _b, _k, width) => {
  const before = core.sp;
  const value = core.pop(width);
  try {
    core.write(width, instruction.seg, offsetOf(core, instruction), value);
  } catch (error) {
    core.sp = before;
    throw error;
  }
  return look(core);
};

const pusha: Call = (core, { operandSize }) => {
  const step = operandSize >> 3;
  const sp = core.sp;
  for (let register = 0; register < 8; register += 1) {
    const value = operandSize === 32 ? core.word(register) : core.half(register * 2);
    core.write(operandSize, fields.ssBase, (sp - (register + 1) * step) & 0xffff, value);
  }
  core.sp = sp - 8 * step;
  return look(core);
};

const popa: Call = (core, { operandSize }) => {
  const step = operandSize >> 3;
  const values = [7, 6, 5, 4, 3, 2, 1, 0].map((register, n) => [register, core.stack(operandSize, n * step)] as const);
  for (const [register, value] of values) {
    // SP is skipped, but the 80386 lets the upper half of ESP through.
    if (operandSize === 32) core.words[register] = register === 4 ? (value & ~0xffff) | core.sp : value;
    else if (register !== 4) core.halves[register * 2] = value;
  }
  core.sp += 8 * step;
  return 0;
};

const enter: Call = (core, { operandSize, imm, imm2 }) => {
  const step = operandSize >> 3;
  const level = imm2 & 31;
  const before = core.sp;
  let sp = before;
  const push = (value: number) => {
    sp = (sp - step) & 0xffff;
    core.write(operandSize, fields.ssBase, sp, value);
  };
  push(operandSize === 32 ? core.word(fields.ebp) : core.half(fields.ebp * 2));
  const frame = sp;
  let bp = core.half(fields.ebp * 2);
  for (let n = 1; n < level; n += 1) {
    bp = (bp - step) & 0xffff;
    push(core.read(operandSize, fields.ssBase, bp));
  }
  if (level > 0) push(frame);
  if (operandSize === 32) core.words[fields.ebp] = (core.word(fields.esp) & ~0xffff) | frame;
  else core.halves[fields.ebp * 2] = frame;
  core.sp = sp - imm;
  return look(core);
};

const leave: Call = (core, { operandSize }) => {
  const frame = core.half(fields.ebp * 2);
  const value = core.read(operandSize, fields.ssBase, frame);
  core.sp = frame + (operandSize >> 3);
  if (operandSize === 32) core.words[fields.ebp] = value;
  else core.halves[fields.ebp * 2] = value;
  return 0;
};

const bound: Call = (core, { seg }, a, _b, o, width) => {
  const low = core.read(width, seg, o);
  const high = core.read(width, seg, o + width / 8);
  const shift = 32 - width;
  const index = (a << shift) >> shift;
  if (index < (low << shift) >> shift || index > (high << shift) >> shift) core.fault(5);
  return 0;
};

const cli: Call = (core) => {
  core.words[fields.eflags] = core.word(fields.eflags) & ~flag.interrupt;
  return 0;
};

const sti: Call = (core) => {
  const flags = core.word(fields.eflags);
  if (flags & flag.interrupt) return 0;
  core.words[fields.eflags] = flags | flag.interrupt;
  core.words[fields.shadow] = 1;
  interruptsChanged(core);
  return outcome.look;
};

const hlt: Call = (core) => {
  core.words[fields.halted] = 1;
  core.attention[0] = core.attention[0] | attention.halted;
  return outcome.look;
};

const callback: Call = (core, instruction) => {
  core.words[fields.eip] = instruction.next;
  const outcomeOfService = core.wires.callback(instruction.imm);
  if (outcomeOfService === 'jump') return outcome.jump;
  if (outcomeOfService === 'wait') {
    core.words[fields.eip] = instruction.ip;
    core.words[fields.halted] = 2;
    core.attention[0] = core.attention[0] | attention.halted;
    return outcome.jump;
  }
  return look(core);
};

function setControl(core: Core, value: number): void {
  if (value & protectedMode) throw new Unsupported('protected mode');
  if (value & paging) throw new Unsupported('paging');
  core.words[fields.cr0] = value;
}

const lmsw: Call = (core, _, a) => {
  setControl(core, (core.word(fields.cr0) & ~15) | (a & 15));
  return 0;
};

const clts: Call = (core) => {
  core.words[fields.cr0] = core.word(fields.cr0) & ~taskSwitched;
  return 0;
};

const moveToControl: Call = (core, { d }, _a, b) => {
  if (d === fields.cr0) setControl(core, b);
  else core.words[d] = b;
  return 0;
};

const moveFromControl: Call = (core, { s }) => core.word(s);

function loadTable(base: number, limit: number): Call {
  return (core, { seg, operandSize }, _a, _b, o) => {
    const size = core.read16(seg, o);
    const start = core.read32(seg, o + 2);
    core.words[limit] = size;
    core.words[base] = operandSize === 32 ? start : start & 0xffffff;
    return 0;
  };
}

function storeTable(base: number, limit: number): Call {
  return (core, { seg, operandSize }, _a, _b, o) => {
    core.write16(seg, o, core.word(limit));
    // The 80286 stores ones in the byte it has no use for.
    const top = core.rules.generation === 2 ? -0x1000000 : 0;
    core.write32(seg, o + 2, operandSize === 32 ? core.word(base) : (core.word(base) & 0xffffff) | top);
    return look(core);
  };
}

function faults(vector: number): Call {
  return (core) => {
    // An 8086 has no such fault: what it does is not defined.
    if (core.rules.generation === 0) throw new Unsupported('undefined opcode');
    return core.fault(vector);
  };
}

const plain = { reads: '', writes: '' } as const;
const looks = { ...plain, control: 'look' } as const;
const tables = { ...looks, reads: 'o' } as const;

export const system: Readonly<Record<string, Operation>> = {
  'pop memory': { ...looks, call: popMemory },
  pusha: { ...looks, call: pusha },
  popa: { ...plain, call: popa },
  enter: { ...looks, call: enter },
  leave: { ...plain, call: leave },
  bound: { ...plain, reads: 'ao', call: bound },
  cli: { ...plain, call: cli },
  sti: { ...looks, call: sti },
  hlt: { ...looks, call: hlt },
  callback: { ...plain, control: 'jump', call: callback },
  smsw: { reads: '', writes: 'a', code: () => `r = R[${fields.cr0}];` },
  lmsw: { ...plain, reads: 'a', call: lmsw },
  clts: { ...plain, call: clts },
  'mov CR': { ...plain, reads: 'b', call: moveToControl },
  'mov DR': { ...plain, reads: 'b', call: moveToControl },
  'mov TR': { ...plain, reads: 'b', call: moveToControl },
  'mov RC': { reads: '', writes: 'a', call: moveFromControl },
  'mov RD': { reads: '', writes: 'a', call: moveFromControl },
  'mov RT': { reads: '', writes: 'a', call: moveFromControl },
  sgdt: { ...tables, call: storeTable(fields.gdtBase, fields.gdtLimit) },
  sidt: { ...tables, call: storeTable(fields.idtBase, fields.idtLimit) },
  lgdt: { ...tables, call: loadTable(fields.gdtBase, fields.gdtLimit) },
  lidt: { ...tables, call: loadTable(fields.idtBase, fields.idtLimit) },
  xlat: {
    reads: '',
    writes: '',
    code: ({ addressSize, field }) => {
      const at = addressSize === 32 ? '(R[3] + R8[0]) >>> 0' : '(R16[6] + R8[0]) & 65535';
      return `R8[0] = c.read8(${field('seg')}, ${at});`;
    },
  },
  invalid: { ...looks, call: faults(6) },
  overlong: { ...looks, call: faults(13) },
};
