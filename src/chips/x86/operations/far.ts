import type { Core, InterruptCause } from '../core.ts';
import { flag, packFlags, unpackFlags } from '../flags.ts';
import type { Instruction } from '../instruction.ts';
import { fields, firstSegment } from '../registers.ts';
import { type Call, type Operation, outcome } from './operation.ts';
import { interruptsChanged } from './strings.ts';

const stackPointer = fields.esp * 2;
/** IP, CS and flags. */
const frameBytes = 6;

function jumpTo(core: Core, cs: number, ip: number): void {
  if (ip >>> 0 > 0xffff) core.fault(13);
  core.setSegment(fields.cs, cs);
  core.words[fields.eip] = ip;
}

/** Everything is checked before anything is stored: a push that faults leaves no trace. */
function checkPushes(core: Core, width: number, count: number): void {
  if (core.rules.wrapsOffsets) return;
  const bytes = width >> 3;
  for (let n = 1; n <= count; n += 1) {
    if (((core.sp - n * bytes) & 0xffff) > 0x10000 - bytes) core.fault(12);
  }
}

function pushFar(core: Core, { cs, next, operandSize }: Instruction): void {
  checkPushes(core, operandSize, 2);
  core.push(operandSize, cs);
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

const jmpfAbsolute: Call = (core, { imm, target }) => {
  jumpTo(core, imm, target);
  return outcome.jump;
};

const jmpfMemory: Call = (core, instruction, _a, _b, o) => {
  const { selector, offset } = pointerAt(core, instruction, o);
  jumpTo(core, selector, offset);
  return outcome.jump;
};

const callfAbsolute: Call = (core, instruction) => {
  if (instruction.target >>> 0 > 0xffff) core.fault(13);
  pushFar(core, instruction);
  jumpTo(core, instruction.imm, instruction.target);
  return outcome.callTo;
};

const callfMemory: Call = (core, instruction, _a, _b, o) => {
  const { selector, offset } = pointerAt(core, instruction, o);
  if (offset >>> 0 > 0xffff) core.fault(13);
  pushFar(core, instruction);
  jumpTo(core, selector, offset);
  return outcome.callTo;
};

const retf: Call = (core, { operandSize, imm }) => {
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
  const ip = core.stack(operandSize, 0);
  const cs = core.stack(operandSize, operandSize >> 3);
  jumpTo(core, cs, ip);
  core.sp += (operandSize >> 2) + imm;
  return outcome.return;
};

/** Goes through an interrupt vector: `ip` is what the handler returns to. */
export function enterInterrupt(core: Core, vector: number, ip: number, cause: InterruptCause): void {
  core.onInterrupt?.(vector, cause);
  const { words, memory } = core;
  const flags = packFlags(words);
  pushFrame(core, flags, words[fields.cs], ip);
  words[fields.eflags] = words[fields.eflags] & ~(flag.interrupt | flag.trap);
  const entry = words[fields.idtBase] + vector * 4;
  if (memory.readFlags[entry >>> 8] === 0) {
    const { ram } = memory;
    core.setSegment(fields.cs, ram[entry + 2] | (ram[entry + 3] << 8));
    words[fields.eip] = ram[entry] | (ram[entry + 1] << 8);
  } else {
    core.setSegment(fields.cs, memory.read16(entry + 2));
    words[fields.eip] = memory.read16(entry);
  }
}

/** Programs call services millions of times: plain memory is written at once. */
function pushFrame(core: Core, flags: number, cs: number, ip: number): void {
  const { halves, words, memory } = core;
  const sp = halves[stackPointer] - frameBytes;
  const at = words[fields.ssBase] + sp;
  if (sp < 0 || memory.writeFlags[at >>> 8] !== 0) {
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
  return (core, { ip, next, imm }) => {
    core.words[fields.eip] = ip;
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

const iret: Call = (core, { operandSize }) => {
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
  const step = operandSize >> 3;
  const ip = core.stack(operandSize, 0);
  const cs = core.stack(operandSize, step);
  const flags = core.stack(operandSize, step * 2);
  jumpTo(core, cs, ip);
  core.sp += step * 3;
  loadFlags(core, flags);
  return outcome.return;
};

/** POPF and IRET: bits the model does not have keep their values. */
function loadFlags(core: Core, value: number): void {
  const { loadableFlags, fixedFlags } = core.rules;
  const kept = packFlags(core.words) & ~(loadableFlags | flag.resume);
  unpackFlags(core.words, kept | (value & loadableFlags) | fixedFlags);
  if (isAwaited(core)) interruptsChanged(core);
}

/** True when the flags decide about what comes next: an interrupt that waits, or a trap after each instruction. */
function isAwaited(core: Core): boolean {
  if (core.word(fields.interruptLine) !== 0 || core.word(fields.nmiPending) !== 0) return true;
  return (core.word(fields.eflags) & flag.trap) !== 0;
}

const pushf: Call = (core, { operandSize }) => {
  core.push(operandSize, packFlags(core.words) & 0xffff);
  return core.attention[0] === 0 ? outcome.next : outcome.look;
};

const popf: Call = (core, { operandSize }) => {
  loadFlags(core, core.pop(operandSize));
  return core.attention[0] === 0 ? outcome.next : outcome.look;
};

const sahf: Call = (core) => {
  unpackFlags(core.words, (packFlags(core.words) & ~0xd5) | (core.byte(1) & 0xd5));
  return 0;
};

const lahf: Call = (core) => {
  core.bytes[1] = packFlags(core.words);
  return 0;
};

function loadPointer(segment: number): Call {
  return (core, instruction, _a, _b, o) => {
    const { selector, offset } = pointerAt(core, instruction, o);
    core.setSegment(firstSegment + segment, selector);
    return offset;
  };
}

const jumps = { reads: '', writes: '', control: 'jump' } as const;
const loads = { reads: 'o', writes: 'a' } as const;
const everyFlag = 'oszapc';

export const far: Readonly<Record<string, Operation>> = {
  'jmpf A': { ...jumps, call: jmpfAbsolute },
  'jmpf M': { ...jumps, reads: 'o', call: jmpfMemory },
  'callf A': { ...jumps, call: callfAbsolute },
  'callf M': { ...jumps, reads: 'o', call: callfMemory },
  retf: { ...jumps, call: retf },
  int: { ...jumps, flagsRead: everyFlag, call: interrupt((imm) => imm) },
  int3: { ...jumps, flagsRead: everyFlag, call: interrupt(() => 3) },
  int1: { ...jumps, flagsRead: everyFlag, call: interrupt(() => 1) },
  into: { ...jumps, flagsRead: everyFlag, call: into },
  iret: { ...jumps, flagsWritten: everyFlag, call: iret },
  pushf: { reads: '', writes: '', control: 'look', flagsRead: everyFlag, call: pushf },
  popf: { reads: '', writes: '', control: 'look', flagsWritten: everyFlag, call: popf },
  sahf: { reads: '', writes: '', flagsRead: everyFlag, flagsWritten: everyFlag, call: sahf },
  lahf: { reads: '', writes: '', flagsRead: everyFlag, call: lahf },
  les: { ...loads, call: loadPointer(0) },
  lds: { ...loads, call: loadPointer(3) },
  lss: { ...loads, call: loadPointer(2) },
  lfs: { ...loads, call: loadPointer(4) },
  lgs: { ...loads, call: loadPointer(5) },
};
