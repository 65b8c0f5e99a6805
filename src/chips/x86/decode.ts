import { type CodeSpace, realSpace } from './code-space.ts';
import { type Form, type OpcodeMap, opcodeMapOf } from './forms.ts';
import {
  absentForm,
  Instruction,
  invalidForm,
  type Operand,
  type OperandField,
  overlongForm,
  type Width,
} from './instruction.ts';
import type { Model } from './models.ts';
import { type ModelRules, rulesOf } from './models.ts';
import { byteIndex, fields, firstSegment, segmentNames, toBase } from './registers.ts';

/** Callbacks into the machine's own services live in its ROM only. */
const firstCallbackAddress = 0xf0000;
const prefixSegments = new Map([
  [0x26, 0],
  [0x2e, 1],
  [0x36, 2],
  [0x3e, 3],
  [0x64, 4],
  [0x65, 5],
]);
const [ss, ds, es] = [2, 3, 0];
/** Base and index registers of 16-bit addresses; -1 is none. */
const pairs = [
  [3, 6],
  [3, 7],
  [5, 6],
  [5, 7],
  [6, -1],
  [7, -1],
  [5, -1],
  [3, -1],
] as const;
const lockable = new Set('add or adc sbb and sub xor not neg inc dec xchg bts btr btc xadd cmpxchg'.split(' '));
const accumulators: Readonly<Record<string, number>> = { AL: 0, AX: 0, eAX: 0, CL: 1, DX: 2 };

class Undecodable {
  readonly form: Form;
  constructor(form: Form) {
    this.form = form;
  }
}

/** Turns bytes into instructions, as one model understands them. */
export class Decoder {
  readonly #map: OpcodeMap;
  readonly #rules: ModelRules;
  readonly #byteAt: (linear: number, asUser?: boolean) => number;
  readonly #buffer = new Uint8Array(16);
  #length = 0;
  #segmentBase = 0;
  #space = realSpace;
  #ip = 0;

  constructor(model: Model, byteAt: (linear: number, asUser?: boolean) => number) {
    this.#map = opcodeMapOf(model);
    this.#rules = rulesOf(model);
    this.#byteAt = byteAt;
  }

  /** The instruction at an address. What is none comes back with a form that says which fault it raises. */
  decode(cs: number, ip: number, space: CodeSpace = realSpace): Instruction {
    const instruction = new Instruction(cs, ip, invalidForm, space);
    this.#space = space;
    if (space.wide) instruction.operandSize = instruction.addressSize = 32;
    this.#length = 0;
    this.#segmentBase = space.baseOf(cs);
    this.#ip = ip;
    try {
      this.#decode(instruction);
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error;
      instruction.form = error.form;
      instruction.operands = [];
      instruction.fields = [];
    }
    instruction.bytes = this.#buffer.slice(0, Math.min(this.#length, this.#buffer.length));
    const next = ip + this.#length;
    instruction.next = this.#rules.wrapsOffsets ? next & 0xffff : space.wide ? next >>> 0 : next;
    return instruction;
  }

  #byte(): number {
    const offset = this.#ip + this.#length;
    const { limit, wide, asUser } = this.#space;
    if (this.#length >= this.#rules.longestInstruction || (offset > limit && !this.#rules.wrapsOffsets)) {
      throw new Undecodable(overlongForm);
    }
    const linear = wide ? (this.#segmentBase + offset) >>> 0 : this.#segmentBase + (offset & 0xffff);
    const value = this.#byteAt(linear, asUser);
    if (value < 0) throw new Undecodable(absentForm);
    // An 8086 takes any number of prefixes; only the last of them are kept.
    if (this.#length < this.#buffer.length) this.#buffer[this.#length] = value;
    this.#length += 1;
    return value;
  }

  #unsigned(size: number): number {
    let value = 0;
    for (let shift = 0; shift < size * 8; shift += 8) value |= this.#byte() << shift;
    return value;
  }

  #signed(size: number): number {
    const unused = 32 - size * 8;
    return (this.#unsigned(size) << unused) >> unused;
  }

  /** Reads an operand's value and notes where it lies. */
  #field(instruction: Instruction, slot: OperandField['slot'], size: 1 | 2 | 4, signed: boolean): number {
    instruction.fields.push({ slot, offset: this.#length, size, signed });
    return signed ? this.#signed(size) : this.#unsigned(size);
  }

  #decode(instruction: Instruction): void {
    const opcode = this.#prefixes(instruction);
    const prefixes = this.#length - 1;
    const form = this.#form(instruction, opcode);
    instruction.form = form;
    if (form.mnemonic === 'callback') {
      const linear = this.#segmentBase + this.#ip;
      const isRom = this.#space.segmented && linear >= firstCallbackAddress;
      if (instruction.modrm !== 0x38 || !isRom) throw new Undecodable(invalidForm);
    } else if (instruction.modrm >= 0 && !form.operands.includes('Rd')) this.#address(instruction);
    instruction.operands = form.operands.map((code, place) => this.#operand(instruction, code, place, opcode));
    if (opcode >= 0xd8 && opcode <= 0xdf) {
      // The 11 bits that a coprocessor sees, and how far after the prefixes they begin.
      instruction.imm = ((opcode & 7) << 8) | instruction.modrm;
      instruction.imm2 = prefixes;
    }
    this.#implicit(instruction);
    if (instruction.lock && this.#rules.generation >= 3) this.#checkLock(instruction);
  }

  #prefixes(instruction: Instruction): number {
    for (;;) {
      const byte = this.#byte();
      const segment = prefixSegments.get(byte);
      if (segment !== undefined && (segment < 4 || this.#rules.generation >= 3)) instruction.override = segment;
      else if (byte === 0xf2 || byte === 0xf3) instruction.repeat = byte;
      else if (byte === 0xf0 || (byte === 0xf1 && this.#rules.generation === 0)) instruction.lock = true;
      else if (byte === 0x66 && this.#rules.generation >= 3) instruction.operandSize = this.#space.wide ? 16 : 32;
      else if (byte === 0x67 && this.#rules.generation >= 3) instruction.addressSize = this.#space.wide ? 16 : 32;
      else if (byte === 0x0f && this.#rules.generation >= 2) return 0xf00 | this.#byte();
      else return byte;
    }
  }

  #form(instruction: Instruction, opcode: number): Form {
    const entry = this.#map.get(opcode);
    if (entry === undefined) throw new Undecodable(invalidForm);
    if (Array.isArray(entry)) {
      instruction.modrm = this.#byte();
      const named = entry.length > 8 && instruction.modrm >> 6 === 3;
      const form = entry[named ? 8 + (instruction.modrm & 0x3f) : (instruction.modrm >> 3) & 7];
      if (form === undefined) throw new Undecodable(invalidForm);
      return form;
    }
    const form = entry as Form;
    if (form.operands.some((code) => 'EGSMRCDT'.includes(code.charAt(0)) && !(code in accumulators) && code !== 'CL')) {
      instruction.modrm = this.#byte();
    }
    return form;
  }

  /** The memory operand that ModRM, SIB and displacement describe. */
  #address(instruction: Instruction): void {
    const mod = instruction.modrm >> 6;
    const rm = instruction.modrm & 7;
    if (mod === 3) return;
    let segment: number = ds;
    if (instruction.addressSize === 16) {
      const [base, index] = pairs[rm] as (typeof pairs)[number];
      const absolute = mod === 0 && rm === 6;
      instruction.base = absolute ? fields.zero * 2 : base * 2;
      instruction.index = index < 0 ? fields.zero * 2 : index * 2;
      if (absolute) instruction.disp = this.#field(instruction, 'disp', 2, false);
      else if (base === 5) segment = ss;
      if (mod === 1) instruction.disp = this.#field(instruction, 'disp', 1, true);
      if (mod === 2) instruction.disp = this.#field(instruction, 'disp', 2, false);
    } else segment = this.#wideAddress(instruction, mod, rm);
    if (instruction.override >= 0) segment = instruction.override;
    instruction.seg = firstSegment + toBase + segment;
  }

  #wideAddress(instruction: Instruction, mod: number, rm: number): number {
    let base = rm;
    instruction.index = fields.zero;
    if (rm === 4) {
      const sib = this.#byte();
      base = sib & 7;
      const index = (sib >> 3) & 7;
      if (index !== 4) {
        instruction.index = index;
        instruction.scale = sib >> 6;
      }
    }
    const absolute = mod === 0 && base === 5;
    instruction.base = absolute ? fields.zero : base;
    if (absolute || mod === 2) instruction.disp = this.#field(instruction, 'disp', 4, true);
    else if (mod === 1) instruction.disp = this.#field(instruction, 'disp', 1, true);
    return !absolute && (base === 4 || base === 5) ? ss : ds;
  }

  #operand(instruction: Instruction, code: string, place: number, opcode: number): Operand {
    const width = widthOf(code, instruction);
    const register = (index: number): Operand => {
      const view = width === 8 ? byteIndex(index) : width === 16 ? index * 2 : index;
      if (place === 0) instruction.d = view;
      else if (place === 1) instruction.s = view;
      return { kind: 'register', width, index };
    };
    const accumulator = accumulators[code];
    if (accumulator !== undefined) return register(accumulator);
    const named = (segmentNames as readonly string[]).indexOf(code);
    if (named >= 0) return this.#segment(instruction, named, place);
    const reg = (instruction.modrm >> 3) & 7;
    const memory: Operand = { kind: 'memory', width, index: 0 };
    switch (code.charAt(0)) {
      case 'E':
        if (instruction.modrm >> 6 === 3) return register(instruction.modrm & 7);
        // Two bytes of memory, whatever the size.
        return code === 'En' ? { ...memory, width: 16 } : memory;
      case 'M':
        // An 8086 takes whatever its address latch holds; later models refuse a register.
        if (instruction.modrm >> 6 === 3 && this.#rules.generation > 0) throw new Undecodable(invalidForm);
        return opcode >= 0xd8 && opcode <= 0xdf ? { ...memory, bytes: bytesOf(code, instruction) } : memory;
      case 'F':
        return { kind: 'stack', width, index: code === 'Fi' ? instruction.modrm & 7 : 0 };
      case 'G':
        return register(reg);
      case 'R':
        return register(instruction.modrm & 7);
      case 'Z':
        return register(opcode & 7);
      case 'S':
        return this.#segment(instruction, this.#rules.generation < 3 ? reg & 3 : reg, place);
      case 'C':
      case 'D':
      case 'T':
        return this.#special(instruction, code, reg, place);
      case '1':
        instruction.imm = 1;
        return { kind: 'immediate', width: 8, index: 0 };
      case 'I':
        return this.#immediate(instruction, code, width);
      case 'J':
        return this.#relative(instruction, code);
      case 'A':
        instruction.target = this.#field(instruction, 'target', instruction.operandSize === 16 ? 2 : 4, false);
        instruction.imm = this.#field(instruction, 'imm', 2, false);
        return { kind: 'far', width: instruction.operandSize, index: 0 };
      case 'O':
        instruction.base = fields.zero * (instruction.addressSize === 16 ? 2 : 1);
        instruction.index = instruction.base;
        instruction.disp = this.#field(instruction, 'disp', instruction.addressSize === 16 ? 2 : 4, false);
        instruction.seg = firstSegment + toBase + (instruction.override >= 0 ? instruction.override : ds);
        return memory;
      default:
        return this.#string(instruction, code, memory);
    }
  }

  #segment(instruction: Instruction, index: number, place: number): Operand {
    if (index > 5) throw new Undecodable(invalidForm);
    const loads = place === 0 && instruction.form.mnemonic === 'mov';
    if (loads && index === 1 && this.#rules.generation > 0) throw new Undecodable(invalidForm);
    if (place === 0) instruction.d = firstSegment + index;
    else instruction.s = firstSegment + index;
    return { kind: 'segment', width: 16, index };
  }

  #special(instruction: Instruction, code: string, index: number, place: number): Operand {
    const names = {
      C: ['cr0', '', 'cr2', 'cr3'],
      D: ['dr0', 'dr1', 'dr2', 'dr3', 'dr6', 'dr7', 'dr6', 'dr7'],
    } as const;
    const kind = code === 'Cd' ? 'control' : code === 'Dd' ? 'debug' : 'test';
    const name = kind === 'test' ? (['tr6', 'tr7'] as const)[index - 6] : names[code === 'Cd' ? 'C' : 'D'][index];
    if (!name) throw new Undecodable(invalidForm);
    if (place === 0) instruction.d = fields[name];
    else instruction.s = fields[name];
    return { kind, width: 32, index };
  }

  #immediate(instruction: Instruction, code: string, width: Width): Operand {
    const size = code === 'Is' ? 1 : ((width / 8) as 1 | 2 | 4);
    const slot = instruction.fields.some((field) => field.slot === 'imm') ? 'imm2' : 'imm';
    const value = this.#field(instruction, slot, size, code === 'Is' || width === 32);
    instruction[slot] = code === 'Is' && width === 16 ? value & 0xffff : value;
    return { kind: 'immediate', width, index: 0 };
  }

  #relative(instruction: Instruction, code: string): Operand {
    const size = code === 'Jb' ? 1 : instruction.operandSize === 16 ? 2 : 4;
    const distance = this.#field(instruction, 'target', size, true);
    instruction.target = relativeTarget(instruction, this.#ip + this.#length, distance);
    return { kind: 'target', width: instruction.operandSize, index: 0 };
  }

  #string(instruction: Instruction, code: string, memory: Operand): Operand {
    const source = code.charAt(0) === 'X';
    const segment = source && instruction.override >= 0 ? instruction.override : source ? ds : es;
    if (source) instruction.seg = firstSegment + toBase + segment;
    return { ...memory, index: source ? 6 : 7 };
  }

  /** Segments of operands that the table does not name. */
  #implicit(instruction: Instruction): void {
    if (instruction.form.mnemonic !== 'xlat') return;
    instruction.seg = firstSegment + toBase + (instruction.override >= 0 ? instruction.override : ds);
  }

  #checkLock(instruction: Instruction): void {
    const memory = instruction.operands.findIndex((operand) => operand.kind === 'memory');
    const exchanges = instruction.form.mnemonic === 'xchg' && memory >= 0;
    if (!lockable.has(instruction.form.mnemonic) || !(memory === 0 || exchanges)) throw new Undecodable(invalidForm);
  }
}

/** 16-bit jumps stay within 64 KiB; 32-bit ones may leave it, and fault then. */
export function relativeTarget(instruction: Instruction, next: number, distance: number): number {
  const target = next + distance;
  return instruction.operandSize === 16 ? target & 0xffff : target >>> 0;
}

function widthOf(code: string, instruction: Instruction): Width {
  if (code === 'DX' || code === 'AX') return 16;
  if (code === 'eAX') return instruction.operandSize;
  switch (code.charAt(1)) {
    case 'b':
    case 'L':
      return 8;
    case 'w':
      return 16;
    case 'd':
      return 32;
    default:
      return instruction.operandSize;
  }
}

/** Numbers in memory, a coprocessor's environment, and this with its registers. */
function bytesOf(code: string, { operandSize }: Instruction): number {
  const environment = operandSize === 16 ? 14 : 28;
  return { Mw: 2, Md: 4, Mq: 8, Mt: 10, Me: environment, Mz: environment + 80 }[code] ?? 0;
}
