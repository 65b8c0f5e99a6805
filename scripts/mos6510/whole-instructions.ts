/** Documented instructions as wholes, for stretches in which nothing but memory is involved: what they do is as in `semantics`. */
import type { AddressingMode, Opcode } from '../../src/chips/mos6510/opcodes.ts';
import { branches, implied, modifies, nz, reads, statusWithBreak, stores, upper } from './texts.ts';

/** What whole instructions have in registers of their own: fields of the state as local variables. */
export const locals = ['a', 'x', 'y', 's', 'pc', 'n', 'z', 'c', 'v', 'd', 'i'] as const;
export const localName = (name: string) => (name === 'd' ? 'decimal' : name);
export const inLocals = (body: string) =>
  body.replace(/\$(\w+)/g, (_, name: string) => {
    if (!locals.some((each) => each === name)) throw new Error(`no local ${name}`);
    return localName(name);
  });

/** Leaves the instruction to the cycles: it would touch something that is not plain memory. */
export const leaveUnless = (condition: string) => `if (!(${condition})) break run;`;

/** An access to something that is no plain memory is the last thing in a run: what it does decides how things go on. */
export const stopAfterwards = 'if (isOutside) { instructionPc = start; break run; }';
/** Something that keeps its value for the whole run may be read without an end of it. */
const stopAfterTimed = 'if (isOutside && bus.isTimed) { instructionPc = start; break run; }';

/** What differs between instructions that nobody looks at and those that somebody does. */
interface Style {
  /** Whether a place of the zero page is no plain memory, and whether both bytes of a pointer are. */
  isSpecial(address: string): string;
  readonly isPlainPointer: string;
  /** Reads in vain at a place of the zero page, which somebody may want to see. */
  vainLow(address: string): string;
  /** The same at the address of an indexed write. */
  readonly vainRead: string;
  /** Before an instruction that uses the stack. */
  readonly stack: string;
  /** Before an access that is seen: whoever sees it may ask for registers. */
  readonly spill: string;
  /** After address and cycle, what else a read of what is no plain memory is told. */
  readonly readMore: Readonly<Partial<Record<AddressingMode, string>>>;
  /** An instruction that changes a place of the zero page, where that is no plain memory; it has so many bytes and cycles. */
  seenModify(operation: string, length: number, cycles: number): string;
  /** The address in `memory` of a write, from what the tables say; what is no plain memory is left to the cycles. */
  writeBase(value: string, length: number): string;
  /** Before a write to what is no plain memory in its last cycle. */
  unwantedWrite(value: string): string;
  /** After a read that may have been of something that is no plain memory. */
  readonly stopAfterRead: string;
}

const inState = (names: readonly string[]) =>
  names.map((name) => `state[${upper(name)}] = ${localName(name)};`).join(' ');
export const allInState = inState(locals);
/** As they are at the last access of an instruction that is not counted yet. */
const spillAfter = (length: number) =>
  `${allInState.replace('= pc;', `= pc + ${length};`)} state[INSTRUCTION_PC] = start;`;
/** It is left to the cycles after all. */
const unspill = 'state[PC] = pc; state[INSTRUCTION_PC] = instructionPc;';
/** Those that instructions which change a byte change. */
const flagsInState = inState(['n', 'z', 'c']);

export const plainStyle: Style = {
  isSpecial: (address) => `${address} < 2`,
  isPlainPointer: 'pointer > 1 && pointer < 255',
  vainLow: () => '',
  vainRead: '',
  stack: '',
  spill: '',
  readMore: {},
  seenModify: () => leaveUnless('address > 1'),
  writeBase: () => checkedWrite,
  unwantedWrite: () => '',
  stopAfterRead: stopAfterTimed,
};

const highByte = ', address >> 8';
const wrongByte = ', crossed === 0 ? base16 >> 8 : memory[reads[base16 >> 8] + ((base16 & 0xff00) | (address & 255))]';

/** Without a port, on a bus on which the byte before an access can be seen. */
export const driveStyle: Style = {
  ...plainStyle,
  isSpecial: () => 'false',
  isPlainPointer: 'pointer < 255',
  readMore: {
    zeropage: highByte,
    'zeropage,x': highByte,
    'zeropage,y': highByte,
    absolute: highByte,
    '(zeropage,x)': highByte,
    'absolute,x': wrongByte,
    'absolute,y': wrongByte,
    '(zeropage),y': wrongByte,
  },
  seenModify: () => '',
  stopAfterRead: stopAfterwards,
};

export const observedStyle: Style = {
  isSpecial: (address) => `low[${address}] !== 0`,
  isPlainPointer: 'pointer < 255 && low[pointer] === 0 && low[pointer + 1] === 0',
  vainLow: (address) => leaveUnless(`low[${address}] === 0`),
  vainRead: leaveUnless('reads[address >> 8] >= 0'),
  stack: leaveUnless('!isStackWatched'),
  spill: `if (isOutside) { ${allInState} state[INSTRUCTION_PC] = start; }`,
  readMore: {},
  stopAfterRead: stopAfterwards,
  writeBase: (value, length) => `let to = writes[address >> 8];
if (to < 0) {
${spillAfter(length)}
to = bus.baseOfUnwanted(address, ${value});
if (to < 0) {
  ${unspill}
  break run;
}
}`,
  unwantedWrite: (value) => `if (isOutside) {
const to = bus.baseOfUnwanted(address, ${value});
if (to >= 0) {
  memory[to + address] = ${value};
  break;
}
}`,
  seenModify: (operation, length, cycles) => `if (low[address] !== 0) {
${leaveUnless('address > 1')}
${advance(length, cycles)}
${allInState} state[INSTRUCTION_PC] = start;
const isUnwanted = bus.baseOfUnwanted(address, memory[address]) >= 0;
let m = isUnwanted ? memory[address] : bus.readBackAt(address, budget - left);
${operation}
${flagsInState}
if (isUnwanted && bus.baseOfUnwanted(address, m) >= 0) {
  memory[address] = m;
  break;
}
if (isUnwanted) bus.passTo(budget - left - 1);
bus.writeAfter(address, m);
instructionPc = start;
break run;
}`,
};

export const operandByte = 'memory[at + 1]';

const pointerAt = (pointer: string, style: Style) => `const pointer = ${pointer};
${leaveUnless(style.isPlainPointer)}
const base16 = memory[pointer] | (memory[pointer + 1] << 8);`;

/** How the address is found, with its length and the cycles up to and including the access. */
function wholeAddress(
  { mode, pattern }: Opcode,
  style: Style,
): { text: string; length: number; cycles: number; zeropage: boolean } {
  const operand16 = 'memory[at + 1] | (memory[at + 2] << 8)';
  // The wrong page is read first when the index crosses into the next, and by writes in any case.
  const indexed = (register: string) => `const address = (base16 + ${register}) & 0xffff;
const crossed = (address ^ base16) > 255 ? 1 : 0;
${leaveUnless('crossed === 0 || reads[base16 >> 8] >= 0')}
${pattern === 'read' ? 'left -= crossed;' : ''}`;
  const extra = pattern === 'read' ? 0 : 1;
  switch (mode) {
    case 'zeropage':
      return { text: `const address = ${operandByte};`, length: 2, cycles: 3, zeropage: true };
    case 'zeropage,x':
    case 'zeropage,y': {
      const register = mode.slice(-1);
      return {
        text: `${style.vainLow(operandByte)}\nconst address = ((${operandByte}) + ${register}) & 255;`,
        length: 2,
        cycles: 4,
        zeropage: true,
      };
    }
    case 'absolute':
      return { text: `const address = ${operand16};`, length: 3, cycles: 4, zeropage: false };
    case 'absolute,x':
    case 'absolute,y':
      return {
        text: `const base16 = ${operand16};\n${indexed(mode.slice(-1))}`,
        length: 3,
        cycles: 4 + extra,
        zeropage: false,
      };
    case '(zeropage,x)': {
      const pointer = pointerAt(`((${operandByte}) + x) & 255`, style);
      return {
        text: `${style.vainLow(operandByte)}\n${pointer}\nconst address = base16;`,
        length: 2,
        cycles: 6,
        zeropage: false,
      };
    }
    case '(zeropage),y':
      return {
        text: `${pointerAt(operandByte, style)}\n${indexed('y')}`,
        length: 2,
        cycles: 5 + extra,
        zeropage: false,
      };
    default:
      throw new Error(`no whole address for ${mode}`);
  }
}

export const advance = (length: number, cycles: number) => `pc += ${length}; left -= ${cycles};`;
export const checkedRead = `const from = reads[address >> 8];\n${leaveUnless('from >= 0')}`;
export const checkedWrite = `const to = writes[address >> 8];\n${leaveUnless('to >= 0')}`;

/** An opcode as a whole, or undefined where the cycles have to do it. */
export function wholeInstruction(row: Opcode, style: Style): string | undefined {
  const { mnemonic, mode, pattern, documented, cycles: least } = row;
  if (!documented) return undefined;
  switch (pattern) {
    case 'own': {
      const own = wholeOwn[mode === '(absolute)' ? 'JMP indirect' : mnemonic];
      return own === undefined || mnemonic === 'JMP' ? own : `${style.stack}\n${own}`;
    }
    case 'branch':
      return `if (${branches[mnemonic]}) {
  const next = pc + 2;
  pc = (next + (((${operandByte}) ^ 128) - 128)) & 0xffff;
  left -= ((next ^ pc) & 0xff00) === 0 ? 3 : 4;
} else { ${advance(2, 2)} }`;
    case 'implied':
      // Interrupts may be waiting for CLI.
      if (mnemonic === 'CLI') return undefined;
      if (mode === 'accumulator') return `let m = a; ${modifies[mnemonic]} a = m; ${advance(1, 2)}`;
      return `${implied[mnemonic]} ${advance(1, 2)}`;
    case 'read': {
      if (mode === 'immediate') return `const d = memory[at + 1]; ${reads[mnemonic]} ${advance(2, least)}`;
      const { text, length, cycles, zeropage } = wholeAddress(row, style);
      const isOutside = zeropage ? style.isSpecial('address') : 'reads[address >> 8] < 0';
      const place = zeropage ? 'address' : 'reads[address >> 8] + address';
      return `${text}
const isOutside = ${isOutside};
${advance(length, cycles)}
${style.spill}
const d = isOutside ? bus.readAt(address, budget - left${style.readMore[mode] ?? ''}) : memory[${place}];
${reads[mnemonic]}
${style.stopAfterRead}`;
    }
    case 'write': {
      const { text, length, cycles, zeropage } = wholeAddress(row, style);
      if (text.includes('crossed')) {
        const base = style.writeBase(stores[mnemonic] ?? '', length);
        return `${text}\n${style.vainRead}\n${base}\nmemory[to + address] = ${stores[mnemonic]};\n${advance(length, cycles)}`;
      }
      const isOutside = zeropage ? style.isSpecial('address') : 'writes[address >> 8] < 0';
      const place = zeropage ? 'address' : 'writes[address >> 8] + address';
      return `${text}
const isOutside = ${isOutside};
${advance(length, cycles)}
${style.spill}
${style.unwantedWrite(stores[mnemonic] ?? '')}
if (isOutside) bus.writeAt(address, ${stores[mnemonic]}, budget - left);
else memory[${place}] = ${stores[mnemonic]};
${stopAfterwards}`;
    }
    case 'modify': {
      const { text, length, cycles, zeropage } = wholeAddress(row, style);
      const access = zeropage
        ? `${style.seenModify(modifies[mnemonic] ?? '', length, cycles + 2)}\nlet m = memory[address]; ${modifies[mnemonic]} memory[address] = m;`
        : `${checkedRead}\n${checkedWrite}\nlet m = memory[from + address]; ${modifies[mnemonic]} memory[to + address] = m;`;
      return `${text}\n${access}\n${advance(length, cycles + 2)}`;
    }
  }
}

const wholeOwn: Readonly<Record<string, string>> = {
  JMP: `pc = (${operandByte}) | (memory[at + 2] << 8); left -= 3;`,
  'JMP indirect': `const address = (${operandByte}) | (memory[at + 2] << 8);
${checkedRead}
const first = memory[from + address];
pc = first | (memory[from + ((address & 0xff00) | ((address + 1) & 255))] << 8);
left -= 5;`,
  JSR: `const back = pc + 2;
memory[256 | s] = back >> 8; s = (s - 1) & 255;
memory[256 | s] = back & 255; s = (s - 1) & 255;
pc = (${operandByte}) | (memory[at + 2] << 8); left -= 6;`,
  RTS: `const bottom = memory[256 | ((s + 1) & 255)];
const back = bottom | (memory[256 | ((s + 2) & 255)] << 8);
${leaveUnless('reads[back >> 8] >= 0')}
s = (s + 2) & 255; pc = (back + 1) & 0xffff; left -= 6;`,
  PHA: 'memory[256 | s] = $a; s = (s - 1) & 255; pc += 1; left -= 3;',
  PHP: `memory[256 | s] = ${statusWithBreak}; s = (s - 1) & 255; pc += 1; left -= 3;`,
  PLA: `s = (s + 1) & 255; const d = memory[256 | s]; $a = d; ${nz('d')} pc += 1; left -= 4;`,
};
