/** The same for a 6502 on a bus whose last byte can be seen: the VIC-20's. */
import type { Opcode } from '../../src/chips/mos6510/opcodes.ts';
import { branches, modifies, nz, reads, statusWithBreak, stores } from './texts.ts';
import {
  advance,
  checkedRead,
  checkedWrite,
  leaveUnless,
  observedStyle,
  operandByte,
  plainStyle,
  stopAfterwards,
  wholeInstruction,
} from './whole-instructions.ts';

/** Whether an address, or the program, lies on the half of the VIC-20's bus that the VIC shares: $0000-$1FFF and $8000-$9FFF. */
export const isShared = (address: string) => `((${address}) & 0x6000) === 0`;
const sawShared = (address: string, byte: string) =>
  `if (${isShared(address)}) { seen = ${byte}; seenAddress = ${address}; }`;
const wroteShared = (address: string, byte: string) => `if (${isShared(address)}) seen = ${byte};`;
/** What an instruction sees counts only when it is through: it may still be left to the cycles. */
const look = 'let seen = video;\nlet seenAddress = videoAddress;';
const keep = 'video = seen;\nvideoAddress = seenAddress;';
/** The next opcode has to be fetched from plain memory on the same half of the bus. */
const staysHere = (target: string) => leaveUnless(`reads[${target} >> 8] >= 0 && (${isShared(target)}) === isVideoPc`);

/** The address as in `wholeAddress`, with all that passes over the bus meanwhile. `last` is the byte before the access. */
function busAddress({ mode, pattern }: Opcode): { text: string; length: number; cycles: number; zeropage: boolean } {
  const operand16 = 'memory[at + 1] | (memory[at + 2] << 8)';
  const fromProgram = 'if (isVideoPc) { seen = last; seenAddress = start + 2; }';
  const pointed = (pointer: string) => `const pointer = ${pointer};
${leaveUnless('pointer < 255')}
const base16 = memory[pointer] | (memory[pointer + 1] << 8);
let last = base16 >> 8;
seen = last;
seenAddress = pointer + 1;`;
  const wrongPage = `const wrong = (base16 & 0xff00) | (address & 255);
${leaveUnless('reads[base16 >> 8] >= 0')}
last = memory[reads[base16 >> 8] + wrong];
${sawShared('wrong', 'last')}`;
  const indexed = (register: string) => `const address = (base16 + ${register}) & 0xffff;
${pattern === 'read' ? `if ((address ^ base16) > 255) {\n${wrongPage}\nleft -= 1;\n}` : wrongPage}`;
  const extra = pattern === 'read' ? 0 : 1;
  switch (mode) {
    case 'zeropage':
      return { text: `const address = ${operandByte};`, length: 2, cycles: 3, zeropage: true };
    case 'zeropage,x':
    case 'zeropage,y':
      return {
        text: `videoAddress = memory[at + 1];\nconst address = (videoAddress + ${mode.slice(-1)}) & 255;`,
        length: 2,
        cycles: 4,
        zeropage: true,
      };
    case 'absolute':
      return {
        text: `const address = ${operand16};\nconst last = address >> 8;\n${fromProgram}`,
        length: 3,
        cycles: 4,
        zeropage: false,
      };
    case 'absolute,x':
    case 'absolute,y':
      return {
        text: `const base16 = ${operand16};\nlet last = base16 >> 8;\n${fromProgram}\n${indexed(mode.slice(-1))}`,
        length: 3,
        cycles: 4 + extra,
        zeropage: false,
      };
    case '(zeropage,x)': {
      const text = `${pointed('(memory[at + 1] + x) & 255').replace('let last', 'const last')}\nconst address = base16;`;
      return { text, length: 2, cycles: 6, zeropage: false };
    }
    case '(zeropage),y':
      return {
        text: `${pointed('memory[at + 1]')}\n${indexed('y')}`,
        length: 2,
        cycles: 5 + extra,
        zeropage: false,
      };
    default:
      throw new Error(`no address on the bus for ${mode}`);
  }
}

/** The same for a 6502 whose bus can be seen: what was last on it is kept. */
export function busInstruction(row: Opcode): string | undefined {
  const { mnemonic, mode, pattern, documented } = row;
  if (!documented) return undefined;
  if (pattern === 'own') return busOwn[mode === '(absolute)' ? 'JMP indirect' : mnemonic];
  if (pattern === 'branch') {
    return `if (${branches[mnemonic]}) {
  const next = pc + 2;
  const target = (next + ((memory[at + 1] ^ 128) - 128)) & 0xffff;
  ${leaveUnless('((next ^ target) & 0xff00) === 0')}
  pc = target;
  left -= 3;
} else { ${advance(2, 2)} }`;
  }
  if (pattern === 'implied' || mode === 'immediate') return wholeInstruction(row, plainStyle);
  const { text: place, length, cycles, zeropage } = busAddress(row);
  const text = zeropage ? place : `${look}\n${place}`;
  if (pattern === 'read') {
    if (zeropage) {
      return `${text}\n${advance(length, cycles)}\nconst d = memory[address];\nvideo = d;\nvideoAddress = address;\n${reads[mnemonic]}`;
    }
    return `${text}
const isOutside = reads[address >> 8] < 0;
${advance(length, cycles)}
${observedStyle.spill}
const d = isOutside ? bus.readAt(address, budget - left, last, seen, seenAddress) : memory[reads[address >> 8] + address];
${sawShared('address', 'd')}
${keep}
${reads[mnemonic]}
${stopAfterwards}`;
  }
  if (pattern === 'write') {
    const value = stores[mnemonic] ?? '';
    if (zeropage) return `${text}\nvideo = ${value};\nmemory[address] = video;\n${advance(length, cycles)}`;
    if (text.includes('wrong')) {
      return `${text}\n${checkedWrite}\nmemory[to + address] = ${value};\n${wroteShared('address', value)}\n${keep}\n${advance(length, cycles)}`;
    }
    return `${text}
const isOutside = writes[address >> 8] < 0;
${advance(length, cycles)}
${observedStyle.spill}
if (isOutside) bus.writeAt(address, ${value}, budget - left);
else memory[writes[address >> 8] + address] = ${value};
${wroteShared('address', value)}
${keep}
${stopAfterwards}`;
  }
  const modified = zeropage
    ? `let m = memory[address]; ${modifies[mnemonic]} memory[address] = m; video = m; videoAddress = address;`
    : `${checkedRead}\n${checkedWrite}\nlet m = memory[from + address]; ${modifies[mnemonic]} memory[to + address] = m; ${sawShared('address', 'm')}\n${keep}`;
  return `${text}\n${modified}\n${advance(length, cycles + 2)}`;
}

const busOwn: Readonly<Record<string, string>> = {
  JMP: `const target = memory[at + 1] | (memory[at + 2] << 8);
${staysHere('target')}
pc = target; left -= 3;`,
  'JMP indirect': `${look}
const address = memory[at + 1] | (memory[at + 2] << 8);
${checkedRead}
const second = (address & 0xff00) | ((address + 1) & 255);
const high = memory[from + second];
const target = memory[from + address] | (high << 8);
${staysHere('target')}
${sawShared('second', 'high')}
${keep}
pc = target; left -= 5;`,
  JSR: `const target = memory[at + 1] | (memory[at + 2] << 8);
${staysHere('target')}
const back = pc + 2;
videoAddress = 256 | s;
video = back & 255;
memory[256 | s] = back >> 8; s = (s - 1) & 255;
memory[256 | s] = video; s = (s - 1) & 255;
pc = target; left -= 6;`,
  RTS: `const high = memory[256 | ((s + 2) & 255)];
const back = memory[256 | ((s + 1) & 255)] | (high << 8);
const target = (back + 1) & 0xffff;
${leaveUnless('reads[back >> 8] >= 0')}
${staysHere('target')}
s = (s + 2) & 255; video = high; videoAddress = 256 | s; pc = target; left -= 6;`,
  PHA: 'video = $a; memory[256 | s] = video; s = (s - 1) & 255; pc += 1; left -= 3;',
  PHP: `video = ${statusWithBreak}; memory[256 | s] = video; s = (s - 1) & 255; pc += 1; left -= 3;`,
  PLA: `s = (s + 1) & 255; const d = memory[256 | s]; video = d; videoAddress = 256 | s; $a = d; ${nz('d')} pc += 1; left -= 4;`,
};
