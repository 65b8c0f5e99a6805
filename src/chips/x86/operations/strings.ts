import type { Core } from '../core.ts';
import { flag } from '../flags.ts';
import type { Instruction, Width } from '../instruction.ts';
import { fields } from '../registers.ts';
import { type BulkRange, bulkMove, bulkStore } from './bulk.ts';
import { attention, type Call, type Operation, outcome } from './operation.ts';

/** One round of a string instruction. `si` and `di` are offsets; true when the repetition ends here. */
type Round = (core: Core, instruction: Instruction, width: Width, si: number, di: number) => boolean;

/** Many rounds at once; gives how many it could do. */
type Bulk = (core: Core, instruction: Instruction, range: BulkRange) => number;

interface StringOperation {
  readonly source: boolean;
  readonly destination: boolean;
  readonly round: Round;
  readonly bulk?: Bulk;
  /** Each round is an access to a port. */
  readonly ports?: boolean;
}

/** What an access to a port costs. */
const portRounds = 8;

/** Reasons that are heeded between two rounds. */
const betweenRounds = attention.stop | attention.interrupts;

/** Runs rounds until the instruction is complete or has to pause. A fault leaves the registers as the completed rounds made them. */
function repeated(operation: StringOperation): Call {
  return (core, instruction, _a, _b, _k, width) => {
    if (instruction.repeat !== 0) return runRounds(core, instruction, width, operation);
    const wide = instruction.addressSize === 32;
    const step = stepOf(core, width);
    operation.round(core, instruction, width, offset(core, fields.esi, wide), offset(core, fields.edi, wide));
    if (operation.source) advance(core, fields.esi, wide, step);
    if (operation.destination) advance(core, fields.edi, wide, step);
    return core.attention[0] === 0 ? outcome.next : outcome.look;
  };
}

function runRounds(
  core: Core,
  instruction: Instruction,
  width: Width,
  { source, destination, round, bulk, ports }: StringOperation,
): number {
  const { clock } = core;
  const wide = instruction.addressSize === 32;
  const step = stepOf(core, width);
  const cost = ports ? portRounds : 1;
  const begin = clock[0];
  const all = counter(core, wide);
  let most = Math.min(all, Math.max(1, Math.min(clock[1] - begin, Math.ceil((core.effortLimit - core.effort) / cost))));
  let done = 0;
  let ends = false;
  let isTimed = true;
  const canBulk = bulk !== undefined && step > 0 && !core.debug.hasData;
  let isBulky = canBulk;
  while (done < most) {
    const si = offset(core, fields.esi, wide);
    const di = offset(core, fields.edi, wide);
    if (isBulky && bulk) {
      const many = bulk(core, instruction, { seg: instruction.seg, width, si, di, left: most - done, wide });
      if (source) advance(core, fields.esi, wide, many * step);
      if (destination) advance(core, fields.edi, wide, many * step);
      advance(core, fields.ecx, wide, -many);
      done += many;
      if (isTimed) clock[0] = clock[0] + many;
      isBulky = many > 0;
      if (isBulky) continue;
    }
    ends = round(core, instruction, width, si, di);
    if (source) advance(core, fields.esi, wide, step);
    if (destination) advance(core, fields.edi, wide, step);
    advance(core, fields.ecx, wide, -1);
    done += 1;
    if (isTimed) clock[0] = clock[0] + 1;
    if (ends) break;
    const why = core.attention[0];
    if (why !== 0) {
      if (why & betweenRounds) break;
      if (isTimed && hasChanged(core, instruction)) {
        isTimed = false;
        most = all;
      }
    }
    // After the end of a page there may be more to be done at once.
    isBulky = canBulk && core.isPaged && (((si + step) & 0xfff) < 4 || ((di + step) & 0xfff) < 4);
  }
  core.tire(done * cost);
  const isOver = ends || done === all;
  if (isOver && clock[0] > begin) clock[0] = clock[0] - 1;
  core.extraRounds += clock[0] - begin;
  if (!isOver) {
    core.words[fields.repeating] = 1;
    return outcome.again;
  }
  return core.attention[0] === 0 ? outcome.next : outcome.look;
}

function stepOf(core: Core, width: Width): number {
  return ((core.word(fields.eflags) & flag.direction) !== 0 ? -width : width) >> 3;
}

/**
 * It has written over itself. A processor goes on with what it has read; as there is nothing to pause at any more, the rest
 * takes no time.
 */
function hasChanged(core: Core, instruction: Instruction): boolean {
  return instruction.bytes.some((byte, n) => core.fetch(instruction.byteAddress(n)) !== byte);
}

function counter(core: Core, wide: boolean): number {
  return wide ? core.word(fields.ecx) >>> 0 : core.half(fields.ecx * 2);
}

function offset(core: Core, register: number, wide: boolean): number {
  return wide ? core.word(register) >>> 0 : core.half(register * 2);
}

function advance(core: Core, register: number, wide: boolean, step: number): void {
  if (wide) core.words[register] = core.word(register) + step;
  else core.halves[register * 2] = core.half(register * 2) + step;
}

/** Compares as CMP does; ends a REPE at a difference, a REPNE at a match. */
function compare(core: Core, instruction: Instruction, width: Width, a: number, b: number): boolean {
  const shift = 32 - width;
  const result = ((a - b) << shift) >> shift;
  core.words[fields.result] = result;
  core.words[fields.carry] = a >>> 0 < b >>> 0 ? 1 : 0;
  core.words[fields.auxiliary] = (a ^ b ^ result) & flag.auxiliary;
  core.words[fields.overflow] = ((a ^ b) & (a ^ result)) << shift;
  return (result === 0) === (instruction.repeat === 0xf2);
}

function accumulator(core: Core, width: Width): number {
  return width === 8 ? core.byte(0) : width === 16 ? core.half(0) : core.word(0);
}

const es = fields.esBase;

const movs: Round = (core, { seg }, width, si, di) => {
  core.write(width, es, di, core.read(width, seg, si));
  return false;
};

const stos: Round = (core, _, width, _si, di) => {
  core.write(width, es, di, accumulator(core, width));
  return false;
};

const moveMany: Bulk = (core, _, range) => bulkMove(core, range);
const storeMany: Bulk = (core, _, range) => bulkStore(core, accumulator(core, range.width), range);

const lods: Round = (core, { seg }, width, si) => {
  const value = core.read(width, seg, si);
  if (width === 8) core.bytes[0] = value;
  else if (width === 16) core.halves[0] = value;
  else core.words[0] = value;
  return false;
};

const cmps: Round = (core, instruction, width, si, di) => {
  const source = core.read(width, instruction.seg, si);
  return compare(core, instruction, width, source, core.read(width, es, di));
};

const scas: Round = (core, instruction, width, _si, di) =>
  compare(core, instruction, width, accumulator(core, width), core.read(width, es, di));

/** Whoever listens to ports may ask which instruction it was. */
function showAddress(core: Core, { ip }: Instruction): void {
  core.words[fields.eip] = ip;
}

const ins: Round = (core, instruction, width, _si, di) => {
  showAddress(core, instruction);
  // Nothing is taken from the port that cannot be stored.
  if (core.isProtected) core.checkPages(core.linear(es, di, width / 8, true), width / 8, true, core.isUser);
  const last = 0x10000 - width / 8;
  if (!core.isProtected && di > last && !(core.rules.wrapsOffsets && di <= 0xffff)) core.beyond(es);
  checkPort(core, core.half(fields.edx * 2), width);
  core.write(width, es, di, core.wires.in(core.half(fields.edx * 2), width));
  return false;
};

const outs: Round = (core, instruction, width, si) => {
  showAddress(core, instruction);
  checkPort(core, core.half(fields.edx * 2), width);
  core.wires.out(core.half(fields.edx * 2), width, core.read(width, instruction.seg, si));
  return false;
};

/** In protected mode the task's map says which ports may be used by those who may not use all. */
function checkPort(core: Core, port: number, width: Width): void {
  if (!core.isProtected || (core.privilege <= core.ioPrivilege && !core.isVirtual)) return;
  const { words } = core;
  const limit = words[fields.taskLimit] >>> 0;
  if (!(words[fields.taskRights] & 0x08) || limit < 0x67) core.fault(13);
  const map = core.readLinear(16, (words[fields.taskBase] + 0x66) >>> 0, false);
  const at = map + (port >> 3);
  if (at + 1 > limit) core.fault(13);
  const bits = core.readLinear(16, (words[fields.taskBase] + at) >>> 0, false) >> (port & 7);
  if (bits & ((1 << (width >> 3)) - 1)) core.fault(13);
}

const input: Call = (core, instruction, _a, b, _k, width) => {
  showAddress(core, instruction);
  checkPort(core, b, width);
  const value = core.wires.in(b, width);
  if (width === 8) core.bytes[0] = value;
  else if (width === 16) core.halves[0] = value;
  else core.words[0] = value;
  return core.attention[0] === 0 ? outcome.next : outcome.look;
};

const output: Call = (core, instruction, a, b) => {
  showAddress(core, instruction);
  const width = instruction.operands[1]?.width ?? 8;
  checkPort(core, a, width);
  core.wires.out(a, width, b);
  return core.attention[0] === 0 ? outcome.next : outcome.look;
};

/** Programs write the state of the interrupt line: what a port did to it takes effect at once. */
export function interruptsChanged(core: Core): void {
  core.attention[0] = core.attention[0] | attention.interrupts;
}

const plain = { reads: '', writes: '', control: 'look' } as const;
const compares = { ...plain, flagsWritten: 'oszapc' } as const;

export const strings: Readonly<Record<string, Operation>> = {
  movs: { ...plain, call: repeated({ source: true, destination: true, round: movs, bulk: moveMany }) },
  stos: { ...plain, call: repeated({ source: false, destination: true, round: stos, bulk: storeMany }) },
  lods: { ...plain, call: repeated({ source: true, destination: false, round: lods }) },
  cmps: { ...compares, call: repeated({ source: true, destination: true, round: cmps }) },
  scas: { ...compares, call: repeated({ source: false, destination: true, round: scas }) },
  ins: { ...plain, call: repeated({ source: false, destination: true, round: ins, ports: true }) },
  outs: { ...plain, call: repeated({ source: true, destination: false, round: outs, ports: true }) },
  in: { ...plain, reads: 'b', call: input },
  out: { ...plain, reads: 'ab', call: output },
};
