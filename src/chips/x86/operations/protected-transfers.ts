import type { Core } from '../core.ts';
import { faultVectors } from '../fault-vectors.ts';
import { fields, toRights } from '../registers.ts';
import { privilegeOf, rightsBits } from '../rights.ts';
import { checkStack, type Descriptor, needDescriptor, putNull, putSegment, rightsOf } from '../segments.ts';
import {
  arrive,
  checkLimit,
  checkReturn,
  codeOf,
  gateTarget,
  isCode,
  systemKinds,
  type Target,
  taskBehind,
} from './gates.ts';
import { StackWriter } from './stack-writer.ts';
import { switchTask } from './tasks.ts';

const { notPresent, stackFault, generalFault } = faultVectors;

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

/** Everything popped is read before anything changes. */
export function returnFar(core: Core, width: number, extra: number): void {
  const bytes = width >> 3;
  const offset = core.stack(width, 0) >>> 0;
  const selector = core.stack(width, bytes) & 0xffff;
  const code = checkReturn(core, selector);
  const level = selector & 3;
  if (level === core.privilege) {
    checkLimit(core, { code, offset });
    const sp = core.sp + bytes * 2 + extra;
    arrive(core, { code, offset }, level);
    core.sp = sp;
    return;
  }
  leaveTo(core, { code, offset }, { width, at: bytes * 2 + extra, extra, level, absent: stackFault });
}

interface Leaving {
  readonly width: number;
  /** Bytes up the stack to the other stack's pointer. */
  readonly at: number;
  readonly extra: number;
  readonly level: number;
  /** The fault for a stack that is not present. */
  readonly absent: number;
}

/** To a less privileged level: its stack is looked at before the limit of its code. */
export function leaveTo(core: Core, target: Target, { width, at, extra, level, absent }: Leaving): void {
  const { words } = core;
  const pointer = core.stack(width, at);
  const selector = core.stack(width, at + (width >> 3)) & 0xffff;
  const descriptor = checkStack(core, selector, level, generalFault, 0, absent);
  checkLimit(core, target);
  core.leaveStack();
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
