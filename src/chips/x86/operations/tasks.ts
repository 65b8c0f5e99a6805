import type { Core } from '../core.ts';
import { debugStatus } from '../debug-registers.ts';
import { faultVectors } from '../fault-vectors.ts';
import { flag, packFlags, unpackFlags } from '../flags.ts';
import { control, fields } from '../registers.ts';
import { rightsBits } from '../rights.ts';
import {
  baseOf,
  type Descriptor,
  findDescriptor,
  isNull,
  limitOf,
  loadData,
  loadStack,
  needDescriptor,
  putCode,
  putNull,
  putVirtual,
  rightsOf,
} from '../segments.ts';

import { mayRun } from './gates.ts';
import { resumable } from './load-flags.ts';
import { interruptsChanged } from './strings.ts';

const { invalidTask, notPresent, generalFault } = faultVectors;
const busy = 0x200;
const localTable = 2;

/** Where a task's state lies in its segment: general registers first, then segments, in their order there. */
interface TaskLayout {
  readonly width: 16 | 32;
  readonly ip: number;
  readonly flags: number;
  readonly general: number;
  readonly segments: number;
  readonly segmentCount: number;
  readonly table: number;
  readonly least: number;
}

const layouts: Readonly<Record<16 | 32, TaskLayout>> = {
  16: { width: 16, ip: 14, flags: 16, general: 18, segments: 34, segmentCount: 4, table: 42, least: 43 },
  32: { width: 32, ip: 0x20, flags: 0x24, general: 0x28, segments: 0x48, segmentCount: 6, table: 0x60, least: 0x67 },
};

const directoryAt = 0x1c;
const trapAt = 0x64;

/** Leaves the present task, whose next instruction is at `next`, for another one. */
export function switchTask(core: Core, to: Descriptor, how: 'jump' | 'call' | 'return', next: number): void {
  const { words } = core;
  const isWide = (rightsOf(to) & 0x08) !== 0;
  const layout = layouts[isWide ? 32 : 16];
  const code = to.selector & 0xfffc;
  if (limitOf(to) < layout.least) core.fault(invalidTask, code);
  leaveTask(core, how, next);
  const base = baseOf(to);
  if (how === 'call') core.writeLinear(16, base >>> 0, words[fields.task], false);
  if (how !== 'return') core.writeLinear(32, (to.linear + 4) >>> 0, to.high | busy, false);
  words[fields.task] = to.selector & 0xfff8;
  words[fields.taskBase] = base;
  words[fields.taskLimit] = limitOf(to);
  words[fields.taskRights] = rightsOf(to) | 2;
  words[fields.cr0] = words[fields.cr0] | control.taskSwitched;
  enterTask(core, layout, base, how);
}

function leaveTask(core: Core, how: 'jump' | 'call' | 'return', next: number): void {
  const { words } = core;
  const layout = layouts[words[fields.taskRights] & 0x08 ? 32 : 16];
  const { width } = layout;
  const base = words[fields.taskBase];
  const write = (at: number, value: number, bits: number = width) =>
    core.writeLinear(bits, (base + at) >>> 0, value, false);
  const flags = packFlags(words);
  write(layout.ip, next);
  write(layout.flags, how === 'return' ? flags & ~flag.nestedTask : flags);
  for (let n = 0; n < 8; n += 1) write(layout.general + (n * width) / 8, words[n]);
  for (let n = 0; n < layout.segmentCount; n += 1) write(layout.segments + (n * width) / 8, words[fields.es + n], 16);
  if (how === 'call') return;
  const old = findDescriptor(core, words[fields.task]);
  if (old) core.writeLinear(32, (old.linear + 4) >>> 0, old.high & ~busy, false);
}

function enterTask(core: Core, layout: TaskLayout, base: number, how: 'jump' | 'call' | 'return'): void {
  const { words } = core;
  const { width } = layout;
  const read = (at: number, bits: number = width) => core.readLinear(bits, (base + at) >>> 0, false);
  const general = Array.from({ length: 8 }, (_, n) => read(layout.general + (n * width) / 8));
  const segments = Array.from({ length: layout.segmentCount }, (_, n) => read(layout.segments + (n * width) / 8, 16));
  const [ip, flags, table] = [read(layout.ip), read(layout.flags), read(layout.table, 16)];
  const isTrapped = width === 32 && (read(trapAt, 16) & 1) !== 0;
  if (width === 32 && core.isPaged) {
    words[fields.cr3] = read(directoryAt);
    core.directoryChanged();
  }
  const nested = how === 'call' ? flag.nestedTask : 0;
  const allowed = core.rules.wideFlags | flag.virtual8086 | resumable(core, width);
  const loaded = width === 32 ? flags & allowed : flags & 0xffff;
  unpackFlags(words, loaded | nested | core.rules.fixedFlags);
  general.forEach((value, n) => {
    words[n] = width === 32 ? value : value | ~0xffff;
  });
  words[fields.eip] = ip;
  core.arrivingAt = ip >>> 0;
  core.debug.taskSwitched();
  core.isVirtual = (words[fields.eflags] & flag.virtual8086) !== 0;
  announceSelectors(core, segments, table);
  loadTable(core, table, invalidTask);
  loadSegments(core, segments);
  core.refresh();
  if (words[fields.eip] >>> 0 > words[fields.csLimit] >>> 0) core.fault(generalFault);
  core.arrivingAt = -1;
  if (isTrapped) words[fields.debugTrap] = words[fields.debugTrap] | debugStatus.task;
  if (isTrapped || words[fields.eflags] & (flag.resume | flag.trap)) interruptsChanged(core);
}

/** Whoever handles a fault from here on finds the new task's selectors, though they lead nowhere yet. */
function announceSelectors(core: Core, selectors: readonly number[], table: number): void {
  const { words } = core;
  for (let n = 0; n < 6; n += 1) {
    const selector = selectors[n] ?? 0;
    if (fields.es + n === fields.cs) words[fields.cs] = selector;
    else putNull(core, fields.es + n, selector);
  }
  words[fields.ldt] = table;
  words[fields.ldtBase] = 0;
  words[fields.ldtLimit] = 0;
}

/** A segment that the new task must not have is its own fault: it is raised there. */
function loadSegments(core: Core, [es = 0, cs = 0, ss = 0, ds = 0, fs = 0, gs = 0]: readonly number[]): void {
  const { words } = core;
  if (core.isVirtual) {
    words[fields.privilege] = 3;
    core.setUser(true);
    [es, cs, ss, ds, fs, gs].forEach((value, n) => {
      putVirtual(core, fields.es + n, value);
    });
    return;
  }
  const privilege = cs & 3;
  words[fields.privilege] = privilege;
  core.setUser(privilege === 3);
  // As in Intel's later tables: a handler of what is wrong with the code has the stack.
  loadStack(core, ss, privilege, invalidTask);
  const code = needDescriptor(core, cs, invalidTask);
  const rights = rightsOf(code);
  if (!mayRun(rights, privilege)) core.fault(invalidTask, cs & 0xfffc);
  if (!(rights & rightsBits.present)) core.fault(notPresent, cs & 0xfffc);
  putCode(core, code, privilege);
  loadData(core, fields.es, es, invalidTask);
  loadData(core, fields.ds, ds, invalidTask);
  loadData(core, fields.fs, fs, invalidTask);
  loadData(core, fields.gs, gs, invalidTask);
}

/** LLDT, and what a task brings along. */
export function loadTable(core: Core, selector: number, vector: number): void {
  const { words } = core;
  if (isNull(selector)) {
    words[fields.ldt] = selector & 0xffff;
    return;
  }
  const descriptor = selector & 4 ? undefined : findDescriptor(core, selector);
  if (!descriptor || (rightsOf(descriptor) & 0x1f) !== localTable) core.fault(vector, selector & 0xfffc);
  const found = descriptor as Descriptor;
  if (!(rightsOf(found) & rightsBits.present))
    core.fault(vector === invalidTask ? vector : notPresent, selector & 0xfffc);
  words[fields.ldt] = selector & 0xffff;
  words[fields.ldtBase] = baseOf(found);
  words[fields.ldtLimit] = limitOf(found);
}
