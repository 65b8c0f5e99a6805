import type { Core, InterruptCause } from '../core.ts';
import { flag, packFlags, unpackFlags, unpackText } from '../flags.ts';
import type { Instruction } from '../instruction.ts';
import { fields, firstSegment } from '../registers.ts';
import { loadSegment, putVirtual } from '../segments.ts';
import {
  frameBytes,
  quickFarCall,
  quickFarReturn,
  quickInterrupt,
  quickInterruptReturn,
  quickPointer,
} from './far-text.ts';
import { loadable, loadSome, resumable } from './load-flags.ts';
import { type Call, type Operation, outcome } from './operation.ts';
import { enterProtected, returnFromInterrupt } from './protected-interrupts.ts';
import { callFar, jumpFar, returnFar } from './protected-transfers.ts';
import { interruptsChanged } from './strings.ts';

const stackPointer = fields.esp * 2;

/** In real and virtual 8086 mode. */
function jumpTo(core: Core, cs: number, ip: number): void {
  if (ip >>> 0 > 0xffff) core.fault(13);
  if (core.isVirtual) putVirtual(core, fields.cs, cs);
  else core.setSegment(fields.cs, cs);
  core.words[fields.eip] = ip;
}

/** Everything is checked before anything is stored: a push that faults leaves no trace. */
function checkPushes(core: Core, width: number, count: number): void {
  if (core.rules.wrapsOffsets) return;
  const bytes = width >> 3;
  for (let n = 1; n <= count; n += 1) {
    const at = core.stackOffset(core.sp - n * bytes);
    const linear = core.linear(fields.ssBase, at, bytes, true);
    core.checkPages(linear, bytes, true, core.isUser);
  }
}

/** True where selectors name descriptors. */
function hasDescriptors(core: Core): boolean {
  return core.isProtected && !core.isVirtual;
}

function pushFar(core: Core, { next, operandSize }: Instruction): void {
  checkPushes(core, operandSize, 2);
  core.push(operandSize, core.words[fields.cs]);
  core.push(operandSize, next);
}

interface Pointer {
  readonly selector: number;
  readonly offset: number;
}

function pointerAt(core: Core, { seg, operandSize, addressSize }: Instruction, at: number): Pointer {
  const offset = core.read(operandSize, seg, at);
  const next = at + operandSize / 8;
  return { offset, selector: core.read16(seg, addressSize === 16 && core.rules.wrapsOffsets ? next & 0xffff : next) };
}

const jmpfAbsolute: Call = (core, { imm, target, next }) => {
  if (hasDescriptors(core)) jumpFar(core, imm, target, next);
  else jumpTo(core, imm, target);
  return outcome.jump;
};

const jmpfMemory: Call = (core, instruction, _a, _b, o) => {
  const { selector, offset } = pointerAt(core, instruction, o);
  if (hasDescriptors(core)) jumpFar(core, selector, offset, instruction.next);
  else jumpTo(core, selector, offset);
  return outcome.jump;
};

const callfAbsolute: Call = (core, instruction) => {
  callTo(core, instruction, instruction.imm, instruction.target);
  return outcome.callTo;
};

function callTo(core: Core, instruction: Instruction, selector: number, offset: number): void {
  if (hasDescriptors(core)) {
    const { next, operandSize: width } = instruction;
    callFar(core, selector, offset, { next, width });
    return;
  }
  if (offset >>> 0 > 0xffff) core.fault(13);
  pushFar(core, instruction);
  jumpTo(core, selector, offset);
}

const callfMemory: Call = (core, instruction, _a, _b, o) => {
  const { selector, offset } = pointerAt(core, instruction, o);
  callTo(core, instruction, selector, offset);
  return outcome.callTo;
};

const retf: Call = (core, { operandSize, imm, space }) => {
  if (!space.plain) return retfSlowly(core, operandSize, imm);
  const { halves, words, memory } = core;
  const sp = halves[stackPointer];
  const at = words[fields.ssBase] + sp;
  if (operandSize === 16 && sp <= 0xfffc && memory.readFlags[at >>> 8] === 0) {
    const { ram } = memory;
    words[fields.eip] = ram[at] | (ram[at + 1] << 8);
    core.setSegment(fields.cs, ram[at + 2] | (ram[at + 3] << 8));
    halves[stackPointer] = sp + 4 + imm;
    return outcome.return;
  }
  return retfSlowly(core, operandSize, imm);
};

function retfSlowly(core: Core, operandSize: number, imm: number): number {
  if (hasDescriptors(core)) {
    returnFar(core, operandSize, imm);
    return outcome.return;
  }
  const ip = core.stack(operandSize, 0);
  const cs = core.stack(operandSize, operandSize >> 3);
  jumpTo(core, cs, ip);
  core.sp += (operandSize >> 2) + imm;
  return outcome.return;
}

/** Goes through an interrupt vector: `ip` is what the handler returns to. Gives the bytes of an error code that was pushed. */
export function enterInterrupt(core: Core, vector: number, ip: number, cause: InterruptCause, code = -1): number {
  core.onInterrupt?.(vector, cause);
  if (core.isProtected) return enterProtected(core, vector, ip, cause, code);
  if (vector * 4 + 3 > core.words[fields.idtLimit] >>> 0) core.fault(13);
  const { words, memory } = core;
  const flags = packFlags(words);
  pushFrame(core, flags, words[fields.cs], ip);
  words[fields.eflags] = words[fields.eflags] & ~(flag.interrupt | flag.trap | flag.resume);
  const entry = words[fields.idtBase] + vector * 4;
  if (memory.readFlags[entry >>> 8] === 0) {
    const { ram } = memory;
    core.setSegment(fields.cs, ram[entry + 2] | (ram[entry + 3] << 8));
    words[fields.eip] = ram[entry] | (ram[entry + 1] << 8);
  } else {
    core.setSegment(fields.cs, memory.read16(entry + 2));
    words[fields.eip] = memory.read16(entry);
  }
  return 0;
}

/** Programs call services millions of times: plain memory is written at once, also beside code on the stack. */
function pushFrame(core: Core, flags: number, cs: number, ip: number): void {
  const { halves, words, memory } = core;
  const sp = halves[stackPointer] - frameBytes;
  const at = words[fields.ssBase] + sp;
  if (sp < 0 || core.wideStack || !memory.isFree(at, frameBytes)) {
    checkPushes(core, 16, 3);
    core.push16(flags);
    core.push16(cs);
    core.push16(ip);
    return;
  }
  const { ram } = memory;
  ram[at] = ip;
  ram[at + 1] = ip >> 8;
  ram[at + 2] = cs;
  ram[at + 3] = cs >> 8;
  ram[at + 4] = flags;
  ram[at + 5] = flags >> 8;
  halves[stackPointer] = sp;
}

function interrupt(vector: (imm: number) => number): Call {
  return (core, { ip, next, imm, form }) => {
    core.words[fields.eip] = ip;
    if (core.isVirtual && core.ioPrivilege < 3 && form.mnemonic === 'int') core.fault(13);
    enterInterrupt(core, vector(imm), next, 'software');
    return outcome.callTo;
  };
}

const into: Call = (core, { ip, next }) => {
  if (core.word(fields.overflow) >= 0) return outcome.next;
  core.words[fields.eip] = ip;
  enterInterrupt(core, 4, next, 'software');
  return outcome.callTo;
};

const iret: Call = (core, { operandSize, space, ip: own, next }) => {
  if (!space.plain) {
    core.words[fields.eip] = own;
    return iretSlowly(core, operandSize, next);
  }
  const { halves, words, memory } = core;
  const sp = halves[stackPointer];
  const at = words[fields.ssBase] + sp;
  if (operandSize === 16 && sp <= 0x10000 - frameBytes && memory.readFlags[at >>> 8] === 0) {
    const { ram } = memory;
    words[fields.eip] = ram[at] | (ram[at + 1] << 8);
    core.setSegment(fields.cs, ram[at + 2] | (ram[at + 3] << 8));
    halves[stackPointer] = sp + frameBytes;
    loadFlags(core, ram[at + 4] | (ram[at + 5] << 8));
    return outcome.return;
  }
  return iretSlowly(core, operandSize, next);
};

function iretSlowly(core: Core, operandSize: number, next: number): number {
  if (core.isProtected) {
    returnFromInterrupt(core, operandSize, next);
    if (isAwaited(core)) interruptsChanged(core);
    return outcome.return;
  }
  const step = operandSize >> 3;
  const ip = core.stack(operandSize, 0);
  const cs = core.stack(operandSize, step);
  const flags = core.stack(operandSize, step * 2);
  jumpTo(core, cs, ip);
  core.sp += step * 3;
  loadFlags(core, flags, operandSize, true);
  return outcome.return;
}

/** POPF and IRET: bits the model does not have keep their values. */
function loadFlags(core: Core, value: number, width = 16, isReturn = false): void {
  if (core.isProtected) loadSome(core, value, loadable(core, width));
  else {
    const { loadableFlags, wideFlags, fixedFlags } = core.rules;
    const allowed = (width === 32 ? wideFlags : loadableFlags) | (isReturn ? resumable(core, width) : 0);
    const kept = packFlags(core.words) & ~(allowed | flag.resume);
    unpackFlags(core.words, kept | (value & allowed) | fixedFlags);
  }
  if (isAwaited(core)) interruptsChanged(core);
}

/** True when the flags decide about what comes next: an interrupt that waits, or a trap after each instruction. */
function isAwaited(core: Core): boolean {
  if (core.word(fields.interruptLine) !== 0 || core.word(fields.nmiPending) !== 0) return true;
  return (core.word(fields.eflags) & (flag.trap | flag.resume)) !== 0;
}

/** In virtual 8086 mode the flags are the monitor's, unless it lets the program have them. */
function checkVirtual(core: Core): void {
  if (core.isVirtual && core.ioPrivilege < 3) core.fault(13);
}

const pushf: Call = (core, { operandSize }) => {
  checkVirtual(core);
  const seen = (0xffff | core.rules.wideFlags) & ~(flag.resume | flag.virtual8086);
  core.push(operandSize, packFlags(core.words) & seen);
  return core.attention[0] === 0 ? outcome.next : outcome.look;
};

const popf: Call = (core, { operandSize }) => {
  checkVirtual(core);
  loadFlags(core, core.pop(operandSize), operandSize);
  return core.attention[0] === 0 ? outcome.next : outcome.look;
};

const sahf = `r = R8[1]; ${unpackText('r')}`;

const lahf: Call = (core) => {
  core.bytes[1] = packFlags(core.words);
  return 0;
};

function loadPointer(segment: number): Call {
  return (core, instruction, _a, _b, o) => {
    const { selector, offset } = pointerAt(core, instruction, o);
    loadSegment(core, firstSegment + segment, selector);
    return offset;
  };
}

const jumps = { reads: '', writes: '', control: 'jump' } as const;
const loads = { reads: 'o', writes: 'a' } as const;
const everyFlag = 'oszapc';
/** May lead to another task, which has flags of its own. */
const leavesTask = { ...jumps, flagsRead: everyFlag, flagsWritten: everyFlag } as const;

export const far: Readonly<Record<string, Operation>> = {
  'jmpf A': { ...jumps, call: jmpfAbsolute },
  'jmpf M': { ...jumps, reads: 'o', call: jmpfMemory },
  'callf A': { ...jumps, call: callfAbsolute, quick: quickFarCall },
  'callf M': { ...jumps, reads: 'o', call: callfMemory },
  'jmpf protected far': { ...leavesTask, call: jmpfAbsolute },
  'jmpf protected memory': { ...leavesTask, reads: 'o', call: jmpfMemory },
  'callf protected far': { ...leavesTask, call: callfAbsolute },
  'callf protected memory': { ...leavesTask, reads: 'o', call: callfMemory },
  retf: { ...jumps, call: retf, quick: quickFarReturn },
  int: { ...jumps, flagsRead: everyFlag, call: interrupt((imm) => imm), quick: quickInterrupt },
  int3: { ...jumps, flagsRead: everyFlag, call: interrupt(() => 3) },
  int1: { ...jumps, flagsRead: everyFlag, call: interrupt(() => 1) },
  into: { ...jumps, flagsRead: everyFlag, call: into },
  iret: { ...jumps, flagsWritten: everyFlag, call: iret, quick: quickInterruptReturn },
  pushf: { reads: '', writes: '', control: 'look', flagsRead: everyFlag, call: pushf },
  popf: { reads: '', writes: '', control: 'look', flagsWritten: everyFlag, call: popf },
  sahf: { reads: '', writes: '', flagsRead: everyFlag, flagsWritten: everyFlag, code: () => sahf },
  lahf: { reads: '', writes: '', flagsRead: everyFlag, call: lahf },
  les: { ...loads, call: loadPointer(0), quick: quickPointer(fields.es) },
  lds: { ...loads, call: loadPointer(3), quick: quickPointer(fields.ds) },
  lss: { ...loads, call: loadPointer(2) },
  lfs: { ...loads, call: loadPointer(4), quick: quickPointer(fields.fs) },
  lgs: { ...loads, call: loadPointer(5), quick: quickPointer(fields.gs) },
};
