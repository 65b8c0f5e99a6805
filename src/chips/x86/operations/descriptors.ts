import type { Core } from '../core.ts';
import { faultVectors } from '../fault-vectors.ts';
import { flag, packFlags, unpackFlags } from '../flags.ts';
import type { Instruction } from '../instruction.ts';
import { fields } from '../registers.ts';
import { privilegeOf, rightsBits } from '../rights.ts';
import { baseOf, type Descriptor, findDescriptor, isNull, limitOf, needDescriptor, rightsOf } from '../segments.ts';
import { systemKinds } from './gates.ts';
import { type Call, type Operation, outcome } from './operation.ts';
import { look } from './system.ts';
import { loadTable } from './tasks.ts';

const { invalidOpcode, notPresent, generalFault } = faultVectors;

/** Instructions that real and virtual 8086 mode do not know. */
const protectedOnly = `if (!c.isProtected || c.isVirtual) c.fault(${invalidOpcode});`;
const privilegedOnly = `${protectedOnly} if (c.privilege !== 0) c.fault(${generalFault});`;

function setZero(core: Core, on: boolean): void {
  const flags = packFlags(core.words);
  unpackFlags(core.words, on ? flags | flag.zero : flags & ~flag.zero);
}

const looks = { writes: '', control: 'look' } as const;
/** They answer by the zero flag, and keep the others. */
const asking = { ...looks, flagsRead: 'oszapc', flagsWritten: 'oszapc', before: protectedOnly } as const;

function stores(word: number): Operation {
  return { reads: '', writes: 'a', before: protectedOnly, call: (core) => core.word(word) & 0xffff };
}

const lldt: Call = (core, _, a) => {
  loadTable(core, a, generalFault);
  return look(core);
};

const ltr: Call = (core, _, a) => {
  const task = needDescriptor(core, a);
  const rights = rightsOf(task);
  const kind = rights & 0x1f;
  const code = a & 0xfffc;
  if (a & 4 || (kind !== systemKinds.task16 && kind !== systemKinds.task32)) core.fault(generalFault, code);
  if (!(rights & rightsBits.present)) core.fault(notPresent, code);
  core.writeLinear(32, (task.linear + 4) >>> 0, task.high | 0x200, false);
  const { words } = core;
  words[fields.task] = a & 0xffff;
  words[fields.taskBase] = baseOf(task);
  words[fields.taskLimit] = limitOf(task);
  words[fields.taskRights] = rights | 2;
  return look(core);
};

/** A descriptor that may be asked about from here. */
function seen(core: Core, selector: number, kinds: readonly number[]): Descriptor | undefined {
  const found = isNull(selector) ? undefined : findDescriptor(core, selector);
  if (!found) return undefined;
  const rights = rightsOf(found);
  const isMemory = (rights & rightsBits.memory) !== 0;
  if (!isMemory && !kinds.includes(rights & 0x1f)) return undefined;
  const isConforming = isMemory && (rights & rightsBits.code) !== 0 && (rights & rightsBits.conforming) !== 0;
  const level = privilegeOf(rights);
  return isConforming || (core.privilege <= level && (selector & 3) <= level) ? found : undefined;
}

function loads(kinds: readonly number[], value: (found: Descriptor) => number): Operation {
  const call: Call = (core, instruction, _a, b) => {
    const found = seen(core, b & 0xffff, kinds);
    setZero(core, found !== undefined);
    if (found) put(core, instruction, value(found));
    return look(core);
  };
  return { ...asking, reads: 'b', call };
}

function put(core: Core, { d, operandSize }: Instruction, value: number): void {
  if (operandSize === 32) core.words[d] = value;
  else core.halves[d] = value;
}

function verifies(forWriting: boolean): Operation {
  const call: Call = (core, _, a) => {
    const found = seen(core, a & 0xffff, []);
    const rights = found ? rightsOf(found) : 0;
    const isCode = (rights & rightsBits.code) !== 0;
    const may = forWriting
      ? !isCode && (rights & rightsBits.writable) !== 0
      : !isCode || (rights & rightsBits.readable) !== 0;
    setZero(core, found !== undefined && may);
    return look(core);
  };
  return { ...asking, reads: 'a', call };
}

/** The less privileged of two levels; nothing is written where it is that already. */
const arpl: Call = (core, { operands, seg, d }, a, b, o) => {
  const raised = (a & 3) < (b & 3);
  const value = (a & ~3) | (b & 3);
  if (raised && operands[0]?.kind === 'memory') core.write16(seg, o, value);
  else if (raised) core.halves[d] = value;
  setZero(core, raised);
  return look(core);
};

const invlpg: Call = (core, { seg }, _a, _b, o) => {
  if (core.isProtected && core.privilege !== 0) core.fault(generalFault);
  core.paging.forget((core.word(seg) + o) >>> 0);
  return outcome.next;
};

const flush: Call = (core) => {
  if (core.isProtected && core.privilege !== 0) core.fault(generalFault);
  return 0;
};

const { task16, table, busyTask16, callGate16, taskGate, task32, busyTask32, callGate32 } = systemKinds;
const segments = [task16, table, busyTask16, task32, busyTask32];

export const descriptors: Readonly<Record<string, Operation>> = {
  sldt: stores(fields.ldt),
  str: stores(fields.task),
  lldt: { ...looks, reads: 'a', before: privilegedOnly, call: lldt },
  ltr: { ...looks, reads: 'a', before: privilegedOnly, call: ltr },
  verr: verifies(false),
  verw: verifies(true),
  lar: loads([...segments, callGate16, taskGate, callGate32], ({ high }) => high & 0xffff00),
  lsl: loads(segments, limitOf),
  arpl: { ...asking, reads: 'abo', call: arpl },
  invlpg: { ...looks, reads: 'o', call: invlpg },
  invd: { reads: '', writes: '', call: flush },
  wbinvd: { reads: '', writes: '', call: flush },
};
