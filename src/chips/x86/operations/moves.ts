import { fields } from '../registers.ts';
import type { Operation, Shape } from './operation.ts';

const stackPointer = `R16[${fields.esp * 2}]`;

/** Text that reads memory at offset `o` of the segment whose base is word `seg`. */
export function load(width: number, seg: string, wide: boolean): string {
  const bytes = ['ram[t]', 'ram[t + 1] << 8', 'ram[t + 2] << 16', 'ram[t + 3] << 24'].slice(0, width / 8).join(' | ');
  return `(${fits(width, wide)}rf[(t = R[${seg}] + o) >>> 8] === 0 ? ${bytes} : c.read${width}(${seg}, o))`;
}

/** Text that writes `value` there. */
export function store(width: number, seg: string, value: string, wide: boolean): string {
  const bytes = [
    `ram[t] = ${value};`,
    `ram[t + 1] = ${value} >> 8;`,
    `ram[t + 2] = ${value} >> 16;`,
    `ram[t + 3] = ${value} >> 24;`,
  ];
  const fast = bytes.slice(0, width / 8).join(' ');
  return `if (${fits(width, wide)}wf[(t = R[${seg}] + o) >>> 8] === 0) { ${fast} } else c.write${width}(${seg}, o, ${value});`;
}

function fits(width: number, wide: boolean): string {
  return width === 8 && !wide ? '' : `o <= ${0x10000 - width / 8} && `;
}

function push(value: string, width: number, stored = width): string {
  return `o = (${stackPointer} - ${width / 8}) & 65535; ${store(stored, String(fields.ssBase), value, false)} ${stackPointer} = o;`;
}

/** Pushes `value` and goes elsewhere. */
export function pushAnd(value: string, width: number, end: string): string {
  return `${push(value, width)} ${end}`;
}

/** Pops `r`. */
export function popped(width: number, more = '', loaded = width): string {
  return `o = ${stackPointer}; r = ${load(loaded, String(fields.ssBase), false)}; ${stackPointer} = o + ${width / 8}${more};`;
}

function pushed({ width, generation, isRegister }: Shape): string {
  // PUSH SP: the 8086 and 80186 store what the register is afterwards.
  return generation < 2 && isRegister(4) ? `a = (a - 2) & 65535; ${push('a', width)}` : push('a', width);
}

export const moves: Readonly<Record<string, Operation>> = {
  mov: { reads: 'b', writes: 'a', code: () => 'r = b;' },
  lea: { reads: '', writes: 'a', code: () => 'r = o;' },
  xchg: { reads: 'ab', writes: 'ab', code: () => 'r = b; q = a;' },
  movzx: { reads: 'b', writes: 'a', code: () => 'r = b;' },
  movsx: {
    reads: 'b',
    writes: 'a',
    code: ({ sourceWidth }) => `r = (b << ${32 - sourceWidth}) >> ${32 - sourceWidth};`,
  },
  push: { reads: 'a', writes: '', control: 'look', code: pushed },
  // Of a segment register only 16 bits are moved, even where it takes 32 on the stack.
  'push segment': { reads: 'a', writes: '', control: 'look', code: ({ operandSize }) => push('a', operandSize, 16) },
  pop: { reads: '', writes: 'a', code: ({ width }) => popped(width) },
  'pop segment': { reads: '', writes: 'a', code: ({ operandSize }) => popped(operandSize, '', 16) },
  nop: { reads: '', writes: '', code: () => '' },
  cld: { reads: '', writes: '', code: () => `R[${fields.eflags}] &= ~1024;` },
  std: { reads: '', writes: '', code: () => `R[${fields.eflags}] |= 1024;` },
};
