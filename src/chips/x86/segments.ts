import type { Core } from './core.ts';
import { faultVectors } from './fault-vectors.ts';
import { fields, toBase, toLimit, toRights } from './registers.ts';
import { privilegeOf, rightsBits, virtualRights } from './rights.ts';

const { invalidTask, notPresent, stackFault, generalFault } = faultVectors;

/** An entry of a descriptor table. */
export interface Descriptor {
  readonly selector: number;
  readonly low: number;
  readonly high: number;
  /** Where it lies. */
  readonly linear: number;
}

export function rightsOf({ high }: Descriptor): number {
  return (high >>> 8) & 0xf0ff;
}

export function baseOf({ low, high }: Descriptor): number {
  return (low >>> 16) | ((high & 0xff) << 16) | (high & 0xff000000);
}

export function limitOf({ low, high }: Descriptor): number {
  const limit = (low & 0xffff) | (high & 0xf0000);
  return high & 0x800000 ? ((limit << 12) | 0xfff) >>> 0 : limit;
}

/** Without the privilege that was asked with: what error codes say. */
export function isNull(selector: number): boolean {
  return (selector & 0xfffc) === 0;
}

/** The descriptor of a selector; undefined beyond its table. */
export function findDescriptor(core: Core, selector: number): Descriptor | undefined {
  const isLocal = (selector & 4) !== 0;
  const { words } = core;
  if (isLocal && isNull(words[fields.ldt])) return undefined;
  const limit = words[isLocal ? fields.ldtLimit : fields.gdtLimit] >>> 0;
  const base = words[isLocal ? fields.ldtBase : fields.gdtBase];
  const at = selector & 0xfff8;
  if (at + 7 > limit) return undefined;
  const linear = (base + at) >>> 0;
  return {
    selector,
    linear,
    low: core.readLinear(32, linear, false),
    high: core.readLinear(32, (linear + 4) >>> 0, false),
  };
}

/** The same; a general fault, or another one, where there is none. */
export function needDescriptor(core: Core, selector: number, vector: number = generalFault, external = 0): Descriptor {
  const found = isNull(selector) ? undefined : findDescriptor(core, selector);
  return (
    found ?? core.fault(vector, isNull(selector) && vector !== invalidTask ? external : (selector & 0xfffc) | external)
  );
}

function markAccessed(core: Core, descriptor: Descriptor): void {
  if (descriptor.high & 0x100) return;
  core.writeLinear(32, (descriptor.linear + 4) >>> 0, descriptor.high | 0x100, false);
}

/** Puts a descriptor into a segment register, without a check. */
export function putSegment(core: Core, index: number, selector: number, descriptor: Descriptor): void {
  const { words } = core;
  markAccessed(core, descriptor);
  words[index] = selector;
  words[index + toBase] = baseOf(descriptor);
  words[index + toLimit] = limitOf(descriptor);
  words[index + toRights] = rightsOf(descriptor) | rightsBits.accessed;
  refreshAfter(core, index);
}

function refreshAfter(core: Core, index: number): void {
  core.refreshSegment(index);
  if (index === fields.cs || index === fields.ss) core.refreshSpace();
}

/** A segment register that leads nowhere. */
export function putNull(core: Core, index: number, selector: number): void {
  const { words } = core;
  words[index] = selector;
  words[index + toBase] = 0;
  words[index + toLimit] = 0;
  words[index + toRights] = 0;
  core.refreshSegment(index);
}

/** As virtual 8086 mode has its segments. */
export function putVirtual(core: Core, index: number, selector: number): void {
  const { words } = core;
  words[index] = selector & 0xffff;
  words[index + toBase] = (selector & 0xffff) << 4;
  words[index + toLimit] = 0xffff;
  words[index + toRights] = virtualRights;
  refreshAfter(core, index);
}

/** MOV, POP, LDS and the like into a segment register, in any mode. */
export function loadSegment(core: Core, index: number, selector: number): void {
  if (!core.isProtected) core.setSegment(index, selector);
  else if (core.isVirtual) putVirtual(core, index, selector);
  else if (index === fields.ss) loadStack(core, selector & 0xffff, core.privilege, generalFault);
  else loadData(core, index, selector & 0xffff, generalFault);
}

/** `vector` is the fault for what is no stack: another one in a task switch. */
export function loadStack(core: Core, selector: number, privilege: number, vector: number): void {
  const descriptor = checkStack(core, selector, privilege, vector);
  putSegment(core, fields.ss, selector, descriptor);
}

/** `absent` is the fault for a stack that is not present: of IRET another one than of all else. */
export function checkStack(
  core: Core,
  selector: number,
  privilege: number,
  vector: number,
  external = 0,
  absent: number = stackFault,
): Descriptor {
  const code = (selector & 0xfffc) | external;
  if (isNull(selector)) core.fault(vector, code);
  const descriptor = needDescriptor(core, selector, vector, external);
  const rights = rightsOf(descriptor);
  const kind = rights & (rightsBits.memory | rightsBits.code | rightsBits.writable);
  if (
    (selector & 3) !== privilege ||
    privilegeOf(rights) !== privilege ||
    kind !== (rightsBits.memory | rightsBits.writable)
  ) {
    core.fault(vector, code);
  }
  if (!(rights & rightsBits.present)) core.fault(absent, code);
  return descriptor;
}

export function loadData(core: Core, index: number, selector: number, vector: number): void {
  if (isNull(selector)) {
    putNull(core, index, selector);
    return;
  }
  const descriptor = needDescriptor(core, selector, vector);
  const rights = rightsOf(descriptor);
  const code = selector & 0xfffc;
  const isCode = (rights & rightsBits.code) !== 0;
  if (!(rights & rightsBits.memory) || (isCode && !(rights & rightsBits.readable))) core.fault(vector, code);
  const isConforming = isCode && (rights & rightsBits.conforming) !== 0;
  const level = privilegeOf(rights);
  if (!isConforming && ((selector & 3) > level || core.privilege > level)) core.fault(vector, code);
  if (!(rights & rightsBits.present)) core.fault(notPresent, code);
  putSegment(core, index, selector, descriptor);
}

/** Puts a code segment into CS, with the privilege that runs in it. */
export function putCode(core: Core, descriptor: Descriptor, privilege: number): void {
  core.words[fields.privilege] = privilege;
  core.setUser(privilege === 3);
  putSegment(core, fields.cs, (descriptor.selector & 0xfffc) | privilege, descriptor);
}
