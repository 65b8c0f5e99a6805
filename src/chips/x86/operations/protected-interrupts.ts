import type { Core, InterruptCause } from '../core.ts';
import { faultVectors } from '../fault-vectors.ts';
import { flag, packFlags, unpackFlags } from '../flags.ts';
import { fields } from '../registers.ts';
import { privilegeOf, rightsBits } from '../rights.ts';
import { type Descriptor, findDescriptor, putNull, putVirtual, rightsOf } from '../segments.ts';
import { arrive, checkLimit, checkReturn, codeOf, gateTarget, systemKinds, type Target, taskBehind } from './gates.ts';
import { loadable, loadSome, resumable } from './load-flags.ts';
import { leaveTo } from './protected-transfers.ts';
import { StackWriter } from './stack-writer.ts';
import { switchTask } from './tasks.ts';

const { invalidTask, notPresent, generalFault } = faultVectors;

/** Goes through the interrupt table. `code` is -1 where none is pushed; gives the bytes that it takes on the stack. */
export function enterProtected(core: Core, vector: number, ip: number, cause: InterruptCause, code: number): number {
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
    const width = words[fields.taskRights] & 0x08 ? 32 : 16;
    if (code < 0) return 0;
    core.push(width, code);
    return width >> 3;
  }
  const target = gateTarget(core, gate, kind, external);
  const width = kind >= systemKinds.callGate32 ? 32 : 16;
  enterGate(core, target, { isTrap: (kind & 1) !== 0, width, ip, code, external, isFault: cause === 'fault' });
  return code < 0 ? 0 : width >> 3;
}

interface Entry {
  readonly isTrap: boolean;
  readonly width: number;
  readonly ip: number;
  readonly code: number;
  readonly external: number;
  readonly isFault: boolean;
}

function enterGate(core: Core, target: Target, { isTrap, width, ip, code, external, isFault }: Entry): void {
  const { words } = core;
  const rights = rightsOf(target.code);
  const isConforming = (rights & rightsBits.conforming) !== 0;
  const level = isConforming ? core.privilege : privilegeOf(rights);
  const wasVirtual = core.isVirtual;
  if (wasVirtual && (isConforming || level !== 0)) core.fault(generalFault, codeOf(target.code.selector) | external);
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
  const isResumed = isFault || words[fields.repeating] !== 0;
  stack.push(width, isResumed && width === 32 ? flags | flag.resume : flags);
  stack.push(width, cs);
  stack.push(width, ip);
  if (code >= 0) stack.push(width, code);
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

/** IRET in protected mode, and in virtual 8086 mode where that is allowed; a task that is left by it goes on at `next`. */
export function returnFromInterrupt(core: Core, width: number, next: number): void {
  const { words } = core;
  if (core.isVirtual) {
    returnVirtual(core, width);
    return;
  }
  if (words[fields.eflags] & flag.nestedTask) {
    returnFromTask(core, next);
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
  const level = selector & 3;
  const allowed = loadable(core, width) | resumable(core, width);
  if (level === core.privilege) {
    checkLimit(core, { code, offset });
    const sp = core.sp + bytes * 3;
    arrive(core, { code, offset }, level);
    core.sp = sp;
  } else leaveTo(core, { code, offset }, { width, at: bytes * 3, extra: 0, level, absent: notPresent });
  loadSome(core, flags, allowed);
}

function returnFromTask(core: Core, next: number): void {
  const { words } = core;
  const selector = core.readLinear(16, words[fields.taskBase] >>> 0, false);
  const code = codeOf(selector);
  const task = selector & 4 ? undefined : findDescriptor(core, selector);
  const kind = task ? rightsOf(task) & 0x1f : 0;
  if (!task || (kind !== systemKinds.busyTask16 && kind !== systemKinds.busyTask32)) core.fault(invalidTask, code);
  if (!(rightsOf(task as Descriptor) & rightsBits.present)) core.fault(notPresent, code);
  core.leaveStack();
  switchTask(core, task as Descriptor, 'return', next);
}

function returnVirtual(core: Core, width: number): void {
  if (core.ioPrivilege !== 3) core.fault(generalFault);
  const bytes = width >> 3;
  const offset = core.stack(width, 0) >>> 0;
  const selector = core.stack(width, bytes);
  const flags = core.stack(width, bytes * 2);
  if (offset > 0xffff) core.fault(generalFault);
  const allowed = loadable(core, width) | resumable(core, width);
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
  core.leaveStack();
  const allowed = core.rules.wideFlags | resumable(core, 32);
  unpackFlags(words, (flags & allowed) | flag.virtual8086 | core.rules.fixedFlags);
  core.isVirtual = true;
  words[fields.privilege] = 3;
  core.setUser(true);
  const values = [es, selector, ss, ds, fs, gs];
  values.forEach((value, n) => {
    putVirtual(core, fields.es + n, value);
  });
  words[fields.esp] = esp;
  words[fields.eip] = offset & 0xffff;
  core.refresh();
}
