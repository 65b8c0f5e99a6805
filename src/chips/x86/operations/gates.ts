import type { Core } from '../core.ts';
import { faultVectors } from '../fault-vectors.ts';
import { fields } from '../registers.ts';
import { privilegeOf, rightsBits } from '../rights.ts';
import { type Descriptor, limitOf, needDescriptor, putCode, rightsOf } from '../segments.ts';

const { notPresent, generalFault } = faultVectors;

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
export interface Target {
  readonly code: Descriptor;
  readonly offset: number;
}

export function codeOf(selector: number): number {
  return selector & 0xfffc;
}

export function checkLimit(core: Core, { code, offset }: Target): void {
  if (offset > limitOf(code)) core.fault(generalFault);
}

export function isCode(rights: number): boolean {
  const both = rightsBits.memory | rightsBits.code;
  return (rights & both) === both;
}

export function gateTarget(core: Core, gate: Descriptor, kind: number, external = 0): Target {
  const selector = gate.low >>> 16;
  const code = needDescriptor(core, selector, generalFault, external);
  const rights = rightsOf(code);
  if (!isCode(rights) || privilegeOf(rights) > core.privilege) core.fault(generalFault, codeOf(selector) | external);
  if (!(rights & rightsBits.present)) core.fault(notPresent, codeOf(selector) | external);
  const isWide = kind >= systemKinds.callGate32;
  return { code, offset: isWide ? ((gate.high & 0xffff0000) | (gate.low & 0xffff)) >>> 0 : gate.low & 0xffff };
}

/** The task that a task gate names. */
export function taskBehind(core: Core, gate: Descriptor, external = 0): Descriptor {
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

/** A segment whose code may run at this level, as returns and tasks bring it. */
export function mayRun(rights: number, level: number): boolean {
  if (!isCode(rights)) return false;
  return rights & rightsBits.conforming ? privilegeOf(rights) <= level : privilegeOf(rights) === level;
}

/** The code segment that a return may lead to. */
export function checkReturn(core: Core, selector: number): Descriptor {
  const code = needDescriptor(core, selector);
  const rights = rightsOf(code);
  const level = selector & 3;
  if (level < core.privilege || !mayRun(rights, level)) core.fault(generalFault, codeOf(selector));
  if (!(rights & rightsBits.present)) core.fault(notPresent, codeOf(selector));
  return code;
}

export function arrive(core: Core, { code, offset }: Target, privilege: number): void {
  putCode(core, code, privilege);
  core.words[fields.eip] = offset;
}
