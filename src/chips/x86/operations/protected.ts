import { type Core, CpuFault, type InterruptCause } from '../core.ts';
import { flag, packFlags, unpackFlags } from '../flags.ts';
import { fields, toRights } from '../registers.ts';
import { privilegeOf, rightsBits } from '../rights.ts';
import {
  baseOf,
  checkStack,
  type Descriptor,
  findDescriptor,
  isNull,
  limitOf,
  needDescriptor,
  putCode,
  putNull,
  putSegment,
  putVirtual,
  rightsOf,
} from '../segments.ts';
import { switchTask } from './tasks.ts';

const [doubleFault, invalidTask, notPresent, stackFault, generalFault] = [8, 10, 11, 12, 13];

/** Kinds of system descriptors. */
export const systemKinds = {
  task16: 1,
  table: 2,
  busyTask16: 3,
  callGate16: 4,
  taskGate: 5,
  interruptGate16: 6,
  trapGate16: 7,
  task32: 9,
  busyTask32: 11,
  callGate32: 12,
  interruptGate32: 14,
  trapGate32: 15,
} as const;

/** Where a transfer leads, in a code segment that it may lead to. */
interface Target {
  readonly code: Descriptor;
  readonly offset: number;
}

function codeOf(selector: number): number {
  return selector & 0xfffc;
}

function checkLimit(core: Core, { code, offset }: Target): void {
  if (offset > limitOf(code)) core.fault(generalFault);
}

function isCode(rights: number): boolean {
  const both = rightsBits.memory | rightsBits.code;
  return (rights & both) === both;
}

/** The code segment that JMP and CALL name themselves. */
function directTarget(core: Core, code: Descriptor, offset: number): Target {
  const rights = rightsOf(code);
  const level = privilegeOf(rights);
  const cpl = core.privilege;
  const fits = rights & rightsBits.conforming ? level <= cpl : (code.selector & 3) <= cpl && level === cpl;
  if (!fits) core.fault(generalFault, codeOf(code.selector));
  if (!(rights & rightsBits.present)) core.fault(notPresent, codeOf(code.selector));
  const target = { code, offset };
  checkLimit(core, target);
  return target;
}

/** Checks that a gate or a task may be used from here. */
function checkGate(core: Core, gate: Descriptor): void {
  const rights = rightsOf(gate);
  if (privilegeOf(rights) < Math.max(core.privilege, gate.selector & 3))
    core.fault(generalFault, codeOf(gate.selector));
  if (!(rights & rightsBits.present)) core.fault(notPresent, codeOf(gate.selector));
}

function gateTarget(core: Core, gate: Descriptor, kind: number, external = 0): Target {
  const selector = gate.low >>> 16;
  const code = needDescriptor(core, selector, generalFault, external);
  const rights = rightsOf(code);
  if (!isCode(rights) || privilegeOf(rights) > core.privilege) core.fault(generalFault, codeOf(selector) | external);
  if (!(rights & rightsBits.present)) core.fault(notPresent, codeOf(selector) | external);
  const isWide = kind >= systemKinds.callGate32;
  return { code, offset: isWide ? ((gate.high & 0xffff0000) | (gate.low & 0xffff)) >>> 0 : gate.low & 0xffff };
}

function arrive(core: Core, { code, offset }: Target, privilege: number): void {
  putCode(core, code, privilege);
  core.words[fields.eip] = offset;
}

/** Where a CALL returns to. */
export interface ReturnPlace {
  readonly next: number;
  readonly width: number;
}

export function jumpFar(core: Core, selector: number, offset: number, next: number): void {
  const descriptor = needDescriptor(core, selector);
  const rights = rightsOf(descriptor);
  if (isCode(rights)) {
    arrive(core, directTarget(core, descriptor, offset >>> 0), core.privilege);
    return;
  }
  const kind = systemKind(core, rights, selector);
  checkGate(core, descriptor);
  if (kind === systemKinds.callGate16 || kind === systemKinds.callGate32) {
    const target = gateTarget(core, descriptor, kind);
    const to = rightsOf(target.code);
    if (!(to & rightsBits.conforming) && privilegeOf(to) !== core.privilege) {
      core.fault(generalFault, codeOf(target.code.selector));
    }
    checkLimit(core, target);
    arrive(core, target, core.privilege);
  } else switchToTask(core, descriptor, kind, 'jump', next);
}

function systemKind(core: Core, rights: number, selector: number): number {
  const kind = rights & 0x1f;
  const { callGate16, callGate32, taskGate, task16, task32 } = systemKinds;
  const known: readonly number[] = [callGate16, callGate32, taskGate, task16, task32];
  if (!known.includes(kind)) core.fault(generalFault, codeOf(selector));
  return kind;
}

function switchToTask(core: Core, found: Descriptor, kind: number, how: 'jump' | 'call', next: number): void {
  if (kind !== systemKinds.taskGate) {
    switchTask(core, found, how, next);
    return;
  }
  switchTask(core, taskBehind(core, found), how, next);
}

/** The task that a task gate names. */
function taskBehind(core: Core, gate: Descriptor, external = 0): Descriptor {
  const selector = gate.low >>> 16;
  const code = codeOf(selector) | external;
  if (selector & 4) core.fault(generalFault, code);
  const task = needDescriptor(core, selector, generalFault, external);
  const rights = rightsOf(task);
  const kind = rights & 0x1f;
  if (kind !== systemKinds.task16 && kind !== systemKinds.task32) core.fault(generalFault, code);
  if (!(rights & rightsBits.present)) core.fault(notPresent, code);
  return task;
}

export function callFar(core: Core, selector: number, offset: number, { next, width }: ReturnPlace): void {
  const descriptor = needDescriptor(core, selector);
  const rights = rightsOf(descriptor);
  if (isCode(rights)) {
    const target = directTarget(core, descriptor, offset >>> 0);
    const stack = StackWriter.here(core);
    stack.push(width, core.words[fields.cs]);
    stack.push(width, next);
    stack.done();
    arrive(core, target, core.privilege);
    return;
  }
  const kind = systemKind(core, rights, selector);
  checkGate(core, descriptor);
  if (kind === systemKinds.callGate16 || kind === systemKinds.callGate32) callGate(core, descriptor, kind, next);
  else switchToTask(core, descriptor, kind, 'call', next);
}

function callGate(core: Core, gate: Descriptor, kind: number, next: number): void {
  const { words } = core;
  const target = gateTarget(core, gate, kind);
  const rights = rightsOf(target.code);
  const level = privilegeOf(rights);
  const width = kind === systemKinds.callGate32 ? 32 : 16;
  if (rights & rightsBits.conforming || level === core.privilege) {
    checkLimit(core, target);
    const stack = StackWriter.here(core);
    stack.push(width, words[fields.cs]);
    stack.push(width, next);
    stack.done();
    arrive(core, target, core.privilege);
    return;
  }
  checkLimit(core, target);
  const count = gate.high & 0x1f;
  const bytes = width >> 3;
  const parameters = Array.from({ length: count }, (_, n) => core.stack(width, n * bytes));
  const [oldStack, oldPointer] = [words[fields.ss], words[fields.esp]];
  const stack = StackWriter.inner(core, level, 0);
  stack.push(width, oldStack);
  stack.push(width, oldPointer);
  for (const value of parameters.reverse()) stack.push(width, value);
  stack.push(width, words[fields.cs]);
  stack.push(width, next);
  arrive(core, target, level);
  stack.done();
}

/** Pushes that take effect together: a fault in between leaves the registers as they were. */
class StackWriter {
  readonly #core: Core;
  readonly #descriptor: Descriptor | null;
  readonly #selector: number;
  readonly #base: number;
  readonly #limit: number;
  readonly #rights: number;
  readonly #asUser: boolean;
  readonly #external: number;
  #offset: number;

  private constructor(
    core: Core,
    stack: { descriptor: Descriptor | null; selector: number; base: number; limit: number; rights: number },
    offset: number,
    asUser: boolean,
    external: number,
  ) {
    this.#core = core;
    this.#descriptor = stack.descriptor;
    this.#selector = stack.selector;
    this.#base = stack.base;
    this.#limit = stack.limit;
    this.#rights = stack.rights;
    this.#offset = offset;
    this.#asUser = asUser;
    this.#external = external;
  }

  /** The present stack. */
  static here(core: Core, external = 0): StackWriter {
    const { words } = core;
    const stack = {
      descriptor: null,
      selector: words[fields.ss],
      base: words[fields.ssBase],
      limit: words[fields.ssLimit] >>> 0,
      rights: words[fields.ss + toRights],
    };
    return new StackWriter(core, stack, words[fields.esp], core.isUser, external);
  }

  /** The stack that the task has for a more privileged level. */
  static inner(core: Core, level: number, external: number): StackWriter {
    const { words } = core;
    const isWide = (words[fields.taskRights] & 0x08) !== 0;
    const at = isWide ? 4 + level * 8 : 2 + level * 4;
    const task = words[fields.taskBase];
    const code = codeOf(words[fields.task]) | external;
    if (at + (isWide ? 5 : 3) > words[fields.taskLimit] >>> 0) core.fault(invalidTask, code);
    const width = isWide ? 32 : 16;
    const pointer = core.readLinear(width, (task + at) >>> 0, false);
    const selector = core.readLinear(16, (task + at + (isWide ? 4 : 2)) >>> 0, false);
    const descriptor = checkStack(core, selector, level, invalidTask, external);
    const rights = rightsOf(descriptor);
    const stack = { descriptor, selector, base: baseOf(descriptor), limit: limitOf(descriptor), rights };
    return new StackWriter(core, stack, pointer, level === 3, external);
  }

  push(width: number, value: number): void {
    const bytes = width >> 3;
    const isWide = (this.#rights & rightsBits.wide) !== 0;
    const offset = isWide ? (this.#offset - bytes) >>> 0 : (this.#offset - bytes) & 0xffff;
    const last = offset + bytes - 1;
    const most = isWide ? 0xffffffff : 0xffff;
    const fits = this.#rights & rightsBits.downwards ? offset > this.#limit && last <= most : last <= this.#limit;
    if (!fits) {
      const isOther = this.#descriptor !== null;
      this.#core.fault(stackFault, isOther ? codeOf(this.#selector) | this.#external : this.#external);
    }
    this.#core.writeLinear(width, (this.#base + offset) >>> 0, value, this.#asUser);
    this.#offset = isWide ? offset : (this.#offset & ~0xffff) | offset;
  }

  /** Makes it the stack. */
  done(): void {
    const { words } = this.#core;
    if (this.#descriptor) putSegment(this.#core, fields.ss, this.#selector, this.#descriptor);
    words[fields.esp] = this.#offset;
  }
}

/** Everything popped is read before anything changes. */
export function returnFar(core: Core, width: number, extra: number): void {
  const bytes = width >> 3;
  const offset = core.stack(width, 0) >>> 0;
  const selector = core.stack(width, bytes) & 0xffff;
  const code = checkReturn(core, selector);
  checkLimit(core, { code, offset });
  const level = selector & 3;
  if (level === core.privilege) {
    const sp = core.sp + bytes * 2 + extra;
    arrive(core, { code, offset }, level);
    core.sp = sp;
    return;
  }
  leaveTo(core, { code, offset }, width, bytes * 2 + extra, extra, level);
}

/** The code segment that a return may lead to. */
function checkReturn(core: Core, selector: number): Descriptor {
  const code = needDescriptor(core, selector);
  const rights = rightsOf(code);
  const level = selector & 3;
  const fits = rights & rightsBits.conforming ? privilegeOf(rights) <= level : privilegeOf(rights) === level;
  if (level < core.privilege || !isCode(rights) || !fits) core.fault(generalFault, codeOf(selector));
  if (!(rights & rightsBits.present)) core.fault(notPresent, codeOf(selector));
  return code;
}

/** To a less privileged level, whose stack pointer lies `at` bytes up the stack. */
function leaveTo(core: Core, target: Target, width: number, at: number, extra: number, level: number): void {
  const { words } = core;
  const pointer = core.stack(width, at);
  const selector = core.stack(width, at + (width >> 3)) & 0xffff;
  const descriptor = checkStack(core, selector, level, generalFault);
  arrive(core, target, level);
  putSegment(core, fields.ss, selector, descriptor);
  if (width === 32 && core.wideStack) words[fields.esp] = pointer + extra;
  else if (core.wideStack) words[fields.esp] = (pointer & 0xffff) + extra;
  else core.halves[fields.esp * 2] = pointer + extra;
  for (const index of [fields.es, fields.ds, fields.fs, fields.gs]) {
    const rights = words[index + toRights];
    const isConforming = isCode(rights) && (rights & rightsBits.conforming) !== 0;
    if (!isConforming && privilegeOf(rights) < level) putNull(core, index, 0);
  }
}

/** Goes through the interrupt table. `code` is -1 where none is pushed. */
export function enterProtected(core: Core, vector: number, ip: number, cause: InterruptCause, code: number): void {
  const { words } = core;
  const external = cause === 'software' ? 0 : 1;
  const own = vector * 8 + 2 + external;
  if (vector * 8 + 7 > words[fields.idtLimit] >>> 0) core.fault(generalFault, own);
  const linear = (words[fields.idtBase] + vector * 8) >>> 0;
  const low = core.readLinear(32, linear, false);
  const high = core.readLinear(32, (linear + 4) >>> 0, false);
  const gate: Descriptor = { selector: 0, low, high, linear };
  const rights = rightsOf(gate);
  const kind = rights & 0x1f;
  const { taskGate, interruptGate16, trapGate16, interruptGate32, trapGate32 } = systemKinds;
  const known: readonly number[] = [taskGate, interruptGate16, trapGate16, interruptGate32, trapGate32];
  if (!known.includes(kind)) core.fault(generalFault, own);
  if (cause === 'software' && privilegeOf(rights) < core.privilege) core.fault(generalFault, own);
  if (!(rights & rightsBits.present)) core.fault(notPresent, own);
  if (kind === taskGate) {
    switchTask(core, taskBehind(core, gate, external), 'call', ip);
    if (code >= 0) core.push(words[fields.taskRights] & 0x08 ? 32 : 16, code);
    return;
  }
  const target = gateTarget(core, gate, kind, external);
  enterGate(core, target, { kind, ip, code, external, isFault: cause === 'fault' });
}

interface Entry {
  readonly kind: number;
  readonly ip: number;
  readonly code: number;
  readonly external: number;
  readonly isFault: boolean;
}

function enterGate(core: Core, target: Target, { kind, ip, code, external, isFault }: Entry): void {
  const { words } = core;
  const rights = rightsOf(target.code);
  const isConforming = (rights & rightsBits.conforming) !== 0;
  const level = isConforming ? core.privilege : privilegeOf(rights);
  const wasVirtual = core.isVirtual;
  if (wasVirtual && (isConforming || level !== 0)) core.fault(generalFault, codeOf(target.code.selector) | external);
  const width = kind >= systemKinds.callGate32 ? 32 : 16;
  const flags = packFlags(words);
  checkLimit(core, target);
  const [cs, ss, esp] = [words[fields.cs], words[fields.ss], words[fields.esp]];
  const stack = level < core.privilege ? StackWriter.inner(core, level, external) : StackWriter.here(core, external);
  if (wasVirtual) {
    for (const index of [fields.gs, fields.fs, fields.ds, fields.es]) stack.push(width, words[index]);
  }
  if (level < core.privilege) {
    stack.push(width, ss);
    stack.push(width, esp);
  }
  stack.push(width, isFault && width === 32 ? flags | flag.resume : flags);
  stack.push(width, cs);
  stack.push(width, ip);
  if (code >= 0) stack.push(width, code);
  const isTrap = (kind & 1) !== 0;
  const cleared = flag.trap | flag.nestedTask | flag.resume | flag.virtual8086 | (isTrap ? 0 : flag.interrupt);
  words[fields.eflags] = words[fields.eflags] & ~cleared;
  if (wasVirtual) {
    core.isVirtual = false;
    for (const index of [fields.gs, fields.fs, fields.ds, fields.es]) putNull(core, index, 0);
  }
  arrive(core, target, level);
  stack.done();
  if (wasVirtual) core.refresh();
}

/** Vectors that make a double fault of another one while they are delivered. */
const contributory = new Set([0, invalidTask, notPresent, stackFault, generalFault]);
const pageFault = 14;

type Deliver = (vector: number, code: number, cause: InterruptCause) => void;

/** Delivers a fault or an interrupt; a fault on the way is delivered instead, or makes it a double fault. Throws when that fails too. */
export function deliverFault(core: Core, first: CpuFault, cause: InterruptCause, deliver: Deliver): CpuFault {
  let fault = first;
  let how = cause;
  let isDouble = false;
  for (;;) {
    try {
      deliver(fault.vector, fault.code, how);
      return fault;
    } catch (error) {
      if (!(error instanceof CpuFault) || isDouble || !core.isProtected) throw error;
      isDouble = how === 'fault' && makesDouble(fault.vector, error.vector);
      fault = isDouble ? new CpuFault(doubleFault, 0) : error;
      how = 'fault';
    }
  }
}

function makesDouble(first: number, second: number): boolean {
  if (first === pageFault) return second === pageFault || contributory.has(second);
  return contributory.has(first) && contributory.has(second);
}

/** IRET in protected mode, and in virtual 8086 mode where that is allowed. */
export function returnFromInterrupt(core: Core, width: number): void {
  const { words } = core;
  if (core.isVirtual) {
    returnVirtual(core, width);
    return;
  }
  if (words[fields.eflags] & flag.nestedTask) {
    returnFromTask(core);
    return;
  }
  const bytes = width >> 3;
  const offset = core.stack(width, 0) >>> 0;
  const selector = core.stack(width, bytes) & 0xffff;
  const flags = core.stack(width, bytes * 2);
  if (width === 32 && flags & flag.virtual8086 && core.privilege === 0) {
    enterVirtual(core, offset, selector, flags);
    return;
  }
  const code = checkReturn(core, selector);
  checkLimit(core, { code, offset });
  const level = selector & 3;
  const allowed = loadable(core, width);
  if (level === core.privilege) {
    const sp = core.sp + bytes * 3;
    arrive(core, { code, offset }, level);
    core.sp = sp;
  } else leaveTo(core, { code, offset }, width, bytes * 3, 0, level);
  loadSome(core, flags, allowed);
}

function returnFromTask(core: Core): void {
  const { words } = core;
  const selector = core.readLinear(16, words[fields.taskBase] >>> 0, false);
  const code = codeOf(selector);
  const task = selector & 4 ? undefined : findDescriptor(core, selector);
  const kind = task ? rightsOf(task) & 0x1f : 0;
  if (!task || (kind !== systemKinds.busyTask16 && kind !== systemKinds.busyTask32)) core.fault(invalidTask, code);
  if (!(rightsOf(task as Descriptor) & rightsBits.present)) core.fault(notPresent, code);
  switchTask(core, task as Descriptor, 'return', words[fields.eip]);
}

function returnVirtual(core: Core, width: number): void {
  if (core.ioPrivilege !== 3) core.fault(generalFault);
  const bytes = width >> 3;
  const offset = core.stack(width, 0) >>> 0;
  const selector = core.stack(width, bytes);
  const flags = core.stack(width, bytes * 2);
  if (offset > 0xffff) core.fault(generalFault);
  const allowed = loadable(core, width);
  putVirtual(core, fields.cs, selector);
  core.words[fields.eip] = offset;
  core.sp += bytes * 3;
  loadSome(core, flags, allowed);
}

/** From the most privileged level into virtual 8086 mode. */
function enterVirtual(core: Core, offset: number, selector: number, flags: number): void {
  const { words } = core;
  const [esp, ss, es, ds, fs, gs] = [3, 4, 5, 6, 7, 8].map((n) => core.stack(32, n * 4)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  unpackFlags(words, (flags & core.rules.wideFlags) | flag.virtual8086 | core.rules.fixedFlags);
  core.isVirtual = true;
  words[fields.privilege] = 3;
  core.isUser = true;
  const values = [es, selector, ss, ds, fs, gs];
  values.forEach((value, n) => {
    putVirtual(core, fields.es + n, value);
  });
  words[fields.esp] = esp;
  words[fields.eip] = offset & 0xffff;
  core.refresh();
}

/** The flags that POPF and IRET may change here. */
export function loadable(core: Core, width: number): number {
  const { rules } = core;
  let allowed = width === 32 ? rules.wideFlags & ~flag.virtual8086 : rules.loadableFlags;
  if (!core.isProtected) return allowed;
  if (core.privilege > 0) allowed &= ~flag.ioPrivilege;
  if (core.privilege > core.ioPrivilege) allowed &= ~flag.interrupt;
  return allowed;
}

export function loadSome(core: Core, value: number, allowed: number): void {
  const { words } = core;
  unpackFlags(words, (packFlags(words) & ~allowed) | (value & allowed) | core.rules.fixedFlags);
}

/** Whether selectors name something, for LAR, LSL, VERR and VERW. */
export function visible(core: Core, selector: number): Descriptor | undefined {
  return isNull(selector) ? undefined : findDescriptor(core, selector);
}
