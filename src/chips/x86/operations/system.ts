import { type Core, Unsupported } from '../core.ts';
import { flag } from '../flags.ts';
import type { Instruction } from '../instruction.ts';
import { control, fields } from '../registers.ts';
import { attention, type Call, type Operation, outcome } from './operation.ts';
import { interruptsChanged } from './strings.ts';

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
    core.write(operandSize, fields.ssBase, core.stackOffset(sp - (register + 1) * step), value);
  }
  core.sp = sp - 8 * step;
  return look(core);
};

const popa: Call = (core, { operandSize }) => {
  const step = operandSize >> 3;
  const values = [7, 6, 5, 4, 3, 2, 1, 0].map((register, n) => [register, core.stack(operandSize, n * step)] as const);
  for (const [register, value] of values) {
    // SP is skipped, but the 80386 lets the upper half of ESP through.
    if (operandSize === 32) core.words[register] = register === 4 ? keptPointer(core, value) : value;
    else if (register !== 4) core.halves[register * 2] = value;
  }
  core.sp += 8 * step;
  return 0;
};

function keptPointer(core: Core, value: number): number {
  return core.wideStack ? core.word(fields.esp) : (value & ~0xffff) | core.sp;
}

const enter: Call = (core, { operandSize, imm, imm2 }) => {
  const step = operandSize >> 3;
  const level = imm2 & 31;
  const before = core.sp;
  let sp = before;
  const push = (value: number) => {
    sp = core.stackOffset(sp - step);
    core.write(operandSize, fields.ssBase, sp, value);
  };
  push(operandSize === 32 ? core.word(fields.ebp) : core.half(fields.ebp * 2));
  const frame = sp;
  let bp = core.stackOffset(core.word(fields.ebp));
  for (let n = 1; n < level; n += 1) {
    bp = core.stackOffset(bp - step);
    push(core.read(operandSize, fields.ssBase, bp));
  }
  // Of ESP as it was then: its upper half is there on a 16-bit stack too.
  if (level > 0) push(core.wideStack ? frame : (core.word(fields.esp) & ~0xffff) | frame);
  if (core.isProtected) {
    const linear = core.linear(fields.ssBase, core.stackOffset(sp - imm), 1, true);
    core.checkPages(linear, 1, true, core.isUser);
  }
  if (core.wideStack && operandSize === 32) core.words[fields.ebp] = frame;
  else if (operandSize === 32) core.words[fields.ebp] = (core.word(fields.esp) & ~0xffff) | frame;
  else core.halves[fields.ebp * 2] = frame;
  core.sp = sp - imm;
  return look(core);
};

const leave: Call = (core, { operandSize }) => {
  const frame = core.stackOffset(core.word(fields.ebp));
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

/** Interrupts are the business of those who may use ports. */
function checkInterrupts(core: Core): void {
  if (core.isProtected && core.privilege > core.ioPrivilege) core.fault(13);
}

/** What only the most privileged level may do. */
function checkPrivilege(core: Core): void {
  if (core.isProtected && core.privilege !== 0) core.fault(13);
}

const cli: Call = (core) => {
  checkInterrupts(core);
  core.words[fields.eflags] = core.word(fields.eflags) & ~flag.interrupt;
  return 0;
};

const sti: Call = (core) => {
  checkInterrupts(core);
  const flags = core.word(fields.eflags);
  if (flags & flag.interrupt) return 0;
  core.words[fields.eflags] = flags | flag.interrupt;
  core.words[fields.shadow] = 1;
  interruptsChanged(core);
  return outcome.look;
};

const hlt: Call = (core) => {
  checkPrivilege(core);
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

/** Bits of CR0 that the 486 has. */
const controlOf486 = 0xe005002f | 0;

function setControl(core: Core, value: number): void {
  const { generation } = core.rules;
  if (generation < 3) {
    if (value & control.protection) throw new Unsupported('protected mode of the 80286');
    core.words[fields.cr0] = value;
    return;
  }
  if (value & control.paging && !(value & control.protection)) core.fault(13);
  core.words[fields.cr0] = generation === 3 ? value : (value & controlOf486) | control.extension;
  core.refresh();
}

const lmsw: Call = (core, _, a) => {
  const cr0 = core.word(fields.cr0);
  // It cannot leave protected mode.
  setControl(core, (cr0 & ~14) | (a & 15) | (cr0 & control.protection));
  return look(core);
};

const clts: Call = (core) => {
  checkPrivilege(core);
  core.words[fields.cr0] = core.word(fields.cr0) & ~control.taskSwitched;
  return 0;
};

const moveToControl: Call = (core, { d }, _a, b) => {
  checkPrivilege(core);
  if (d === fields.cr0) setControl(core, b);
  else {
    core.words[d] = b;
    if (d === fields.cr3) core.directoryChanged();
  }
  return look(core);
};

/** What the 486 has fixed in DR6 and DR7. */
const fixedStatus = 0xffff0ff0 | 0;
const fixedControl = 0x400;

const moveToDebug: Call = (core, { d }, _a, b) => {
  checkPrivilege(core);
  core.debug.checkAccess();
  const isFixed = core.rules.generation >= 4;
  if (isFixed && d === fields.dr6) core.words[d] = b | fixedStatus;
  else if (isFixed && d === fields.dr7) core.words[d] = b | fixedControl;
  else core.words[d] = b;
  core.debug.refresh();
  return look(core);
};

const moveFromDebug: Call = (core, { s }) => {
  checkPrivilege(core);
  core.debug.checkAccess();
  return core.word(s);
};

const moveFromControl: Call = (core, { s }) => {
  checkPrivilege(core);
  return core.word(s);
};

function loadTable(base: number, limit: number): Call {
  return (core, { seg, operandSize }, _a, _b, o) => {
    checkPrivilege(core);
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

/** Code on a page that is not there: the fault of fetching it. A page that has come since is read anew. */
const absent: Call = (core, instruction) => {
  for (let n = 0; n <= instruction.length; n += 1) {
    core.checkPages(instruction.byteAddress(n), 1, false, core.isUser);
  }
  core.words[fields.eip] = instruction.ip;
  return outcome.jump;
};

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
  lmsw: { ...looks, reads: 'a', before: 'if (c.isProtected && c.privilege !== 0) c.fault(13);', call: lmsw },
  clts: { ...plain, call: clts },
  'mov CR': { ...looks, reads: 'b', call: moveToControl },
  'mov DR': { ...looks, reads: 'b', call: moveToDebug },
  'mov TR': { ...looks, reads: 'b', call: moveToControl },
  'mov RC': { reads: '', writes: 'a', call: moveFromControl },
  'mov RD': { reads: '', writes: 'a', call: moveFromDebug },
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
  absent: { ...plain, control: 'jump', call: absent },
};
