import type { Core } from '../core.ts';
import { flag } from '../flags.ts';
import type { Instruction, Width } from '../instruction.ts';
import { fields } from '../registers.ts';
import { bulkMove, bulkStore } from './bulk.ts';
import { attention, type Call, type Operation, outcome } from './operation.ts';

/** One round of a string instruction. `si` and `di` are offsets; true when the repetition ends here. */
type Round = (core: Core, instruction: Instruction, width: Width, si: number, di: number) => boolean;

/** Many rounds at once; gives how many it could do. */
type Bulk = (core: Core, instruction: Instruction, width: Width, si: number, di: number, left: number) => number;

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

/** Runs all rounds of an instruction. A fault leaves the registers as the completed rounds made them. */
function repeated({ source, destination, round, bulk, ports }: StringOperation): Call {
  return (core, instruction, _a, _b, _k, width) => {
    const wide = instruction.addressSize === 32;
    const step = ((core.word(fields.eflags) & flag.direction) !== 0 ? -width : width) >> 3;
    let left = instruction.repeat === 0 ? 1 : counter(core, wide);
    if (instruction.repeat !== 0) core.tire(ports ? left * portRounds : left);
    if (bulk && step > 0 && !wide && instruction.repeat !== 0) {
      const done = bulk(
        core,
        instruction,
        width,
        offset(core, fields.esi, false),
        offset(core, fields.edi, false),
        left,
      );
      if (source) advance(core, fields.esi, false, done * step);
      if (destination) advance(core, fields.edi, false, done * step);
      advance(core, fields.ecx, false, -done);
      left -= done;
    }
    while (left > 0) {
      const si = offset(core, fields.esi, wide);
      const di = offset(core, fields.edi, wide);
      const ends = round(core, instruction, width, si, di);
      if (source) advance(core, fields.esi, wide, step);
      if (destination) advance(core, fields.edi, wide, step);
      if (instruction.repeat === 0) break;
      left -= 1;
      advance(core, fields.ecx, wide, -1);
      if (ends) break;
    }
    return core.attention[0] === 0 ? outcome.next : outcome.look;
  };
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

const moveMany: Bulk = (core, { seg }, width, si, di, left) => bulkMove(core, seg, width, si, di, left);
const storeMany: Bulk = (core, _, width, _si, di, left) => bulkStore(core, accumulator(core, width), width, di, left);

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
  const last = 0x10000 - width / 8;
  if (di > last && !(core.rules.wrapsOffsets && di <= 0xffff)) core.beyond(es);
  core.write(width, es, di, core.wires.in(core.half(fields.edx * 2), width));
  return false;
};

const outs: Round = (core, instruction, width, si) => {
  showAddress(core, instruction);
  core.wires.out(core.half(fields.edx * 2), width, core.read(width, instruction.seg, si));
  return false;
};

const input: Call = (core, instruction, _a, b, _k, width) => {
  showAddress(core, instruction);
  const value = core.wires.in(b, width);
  if (width === 8) core.bytes[0] = value;
  else if (width === 16) core.halves[0] = value;
  else core.words[0] = value;
  return core.attention[0] === 0 ? outcome.next : outcome.look;
};

const output: Call = (core, instruction, a, b) => {
  showAddress(core, instruction);
  core.wires.out(a, instruction.operands[1]?.width ?? 8, b);
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
