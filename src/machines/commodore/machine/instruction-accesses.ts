import { type Opcode, opcodes } from '../../../chips/mos6510/opcodes.ts';
import { fields, type Mos6510State } from '../../../chips/mos6510/registers.ts';

export interface InstructionAccess {
  readonly kind: 'read' | 'write';
  readonly address: number;
}

const pushes: Readonly<Record<string, number>> = { PHA: 1, PHP: 1, JSR: 2, BRK: 3 };
const pulls: Readonly<Record<string, number>> = { PLA: 1, PLP: 1, RTS: 2, RTI: 3 };

/** What the instruction at the program counter will read and write of memory, other than its own bytes. */
export function accessesOf(state: Mos6510State, peek: (address: number) => number): readonly InstructionAccess[] {
  const pc = state[fields.pc];
  const { mnemonic, mode, pattern } = opcodes[peek(pc)] as Opcode;
  const s = state[fields.s];
  const pushed = Array.from({ length: pushes[mnemonic] ?? 0 }, (_, n) => write(0x100 | ((s - n) & 255)));
  const pulled = Array.from({ length: pulls[mnemonic] ?? 0 }, (_, n) => read(0x100 | ((s + 1 + n) & 255)));
  const low = peek((pc + 1) & 0xffff);
  const word = low | (peek((pc + 2) & 0xffff) << 8);
  const pointer = (at: number) => [read(at), read((at & 0xff00) | ((at + 1) & 255))];
  const pointed = (at: number) => peek(at) | (peek((at & 0xff00) | ((at + 1) & 255)) << 8);
  const operand = (address: number): readonly InstructionAccess[] => {
    const at = address & 0xffff;
    if (pattern === 'write') return [write(at)];
    return pattern === 'modify' ? [read(at), write(at)] : pattern === 'read' ? [read(at)] : [];
  };
  const [x, y] = [state[fields.x], state[fields.y]];
  switch (mode) {
    case 'zeropage':
      return operand(low);
    case 'zeropage,x':
      return operand((low + x) & 255);
    case 'zeropage,y':
      return operand((low + y) & 255);
    case 'absolute':
      return [...pushed, ...operand(word)];
    case 'absolute,x':
      return operand(word + x);
    case 'absolute,y':
      return operand(word + y);
    case '(absolute)':
      return pointer(word);
    case '(zeropage,x)':
      return [...pointer((low + x) & 255), ...operand(pointed((low + x) & 255))];
    case '(zeropage),y':
      return [...pointer(low), ...operand(pointed(low) + y)];
    default:
      return [...pushed, ...pulled];
  }
}

function read(address: number): InstructionAccess {
  return { kind: 'read', address };
}

function write(address: number): InstructionAccess {
  return { kind: 'write', address };
}
