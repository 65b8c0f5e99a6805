import { type CodeSpace, realSpace } from './code-space.ts';
import type { Form } from './forms.ts';
import type { Block } from './graph/block.ts';

export type Width = 8 | 16 | 32;

/** One operand as it is executed and printed. `index` is the register's number, where there is one. */
export interface Operand {
  readonly kind:
    | 'register'
    | 'memory'
    | 'immediate'
    | 'segment'
    | 'target'
    | 'far'
    | 'control'
    | 'debug'
    | 'test'
    | 'stack';
  readonly width: Width;
  readonly index: number;
  /** Of a coprocessor's operand in memory: how long it is. */
  readonly bytes?: number;
}

/** Bytes of an instruction that are an operand's value rather than its encoding. */
export interface OperandField {
  readonly slot: 'imm' | 'imm2' | 'disp' | 'target';
  readonly offset: number;
  readonly size: 1 | 2 | 4;
  readonly signed: boolean;
}

/** Executes an instruction and says how to go on: one of `outcome`. */
export type Handler = (instruction: Instruction) => number;

/**
 * A decoded instruction: a node of the control-flow graph. Places in the state are indices of the view that fits the width (words, half words, bytes),
 * ready for use; `d` belongs to the first operand, `s` to the second.
 */
export class Instruction {
  /** How it was read. */
  readonly space: CodeSpace;
  readonly cs: number;
  readonly ip: number;
  form: Form;
  bytes: Uint8Array = new Uint8Array(0);
  /** Offset of the instruction after this one. */
  next = 0;
  operandSize: 16 | 32 = 16;
  addressSize: 16 | 32 = 16;
  /** Segment override by number, or -1. */
  override = -1;
  /** The REP prefix: 0, F2 or F3. */
  repeat = 0;
  lock = false;
  modrm = -1;
  operands: readonly Operand[] = [];
  fields: OperandField[] = [];
  d = 0;
  s = 0;
  imm = 0;
  imm2 = 0;
  disp = 0;
  base = 0;
  index = 0;
  scale = 0;
  /** Word of the base of the segment a memory operand lies in. */
  seg = 0;
  /** Where a relative jump leads, or the offset of a far pointer. */
  target = 0;
  run: Handler = notBound;
  /** Its case in the interpreter's loop; 0 when only the handler will do. */
  code = 0;
  /** What it may change, as `touchesOf` tells; -1 where nobody has asked yet. */
  touches = -1;
  /** The block it belongs to, and its place there. */
  block: Block | null = null;
  position = 0;
  /** False once its bytes in memory are others. */
  live = true;
  /** Operands that programs have changed: their values are read from memory each time. */
  wild: readonly OperandField[] = [];

  constructor(cs: number, ip: number, form: Form, space: CodeSpace = realSpace) {
    this.space = space;
    this.cs = cs;
    this.ip = ip;
    this.form = form;
  }

  get length(): number {
    return this.bytes.length;
  }

  /** The address as the graph knows it. */
  get key(): number {
    return this.space.keyOf(this.cs, this.ip);
  }

  /** Linear address of one of its bytes. */
  byteAddress(n: number): number {
    const { space, cs, ip } = this;
    return space.wide ? (space.base + ip + n) >>> 0 : space.baseOf(cs) + ((ip + n) & 0xffff);
  }

  get linear(): number {
    return this.space.linear(this.cs, this.ip);
  }
}

const repeatable = new Set(['movs', 'stos', 'lods', 'cmps', 'scas', 'ins', 'outs']);

/** A string instruction that goes through rounds. */
export function isRepeated({ repeat, form }: Instruction): boolean {
  return repeat !== 0 && repeatable.has(form.mnemonic);
}

const prefixes: readonly number[] = [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3];

/** How many prefixes it has. */
export function prefixesOf({ bytes }: Instruction): number {
  return bytes.findIndex((byte) => !prefixes.includes(byte));
}

/** Bytes that a return takes from the stack. */
export function takenByReturn({ form, imm, operandSize }: Instruction): number {
  const words = form.mnemonic === 'ret' ? 1 : form.mnemonic === 'retf' ? 2 : 3;
  return imm + (words * operandSize) / 8;
}

function notBound(): never {
  throw new Error('an instruction ran before it was bound to a handler');
}

/** Forms of what is not an instruction: executing them raises the fault. */
export const invalidForm: Form = { opcode: '', mnemonic: 'invalid', operands: [] };
/** Code whose page is not there. */
export const absentForm: Form = { opcode: '', mnemonic: 'absent', operands: [] };
export const overlongForm: Form = { opcode: '', mnemonic: 'overlong', operands: [] };
