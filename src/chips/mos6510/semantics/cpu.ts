import type { fields } from '../registers.ts';

/** The words of a processor by their names, which `registers.ts` explains. */
export type Cpu = Record<keyof typeof fields, number>;

/*
 * The generator of the processor reads the functions of this folder as they are written: `cpu.a` becomes a word of the state or
 * a local variable, and calls of the functions in `helpers` are replaced by what those do.
 */

/** The flags N and Z after this byte. */
export function nz(cpu: Cpu, value: number): void {
  cpu.n = value;
  cpu.z = value;
}

/** CMP and its kin. */
export function compare(cpu: Cpu, register: number, operand: number): void {
  const t = register - operand;
  cpu.c = t < 0 ? 0 : 1;
  cpu.n = t & 255;
  cpu.z = t & 255;
}

/** NMOS decimal mode: Z from the binary sum, N and V before the high digit is corrected. */
export function add(cpu: Cpu, operand: number): void {
  if (cpu.d) {
    let low = (cpu.a & 15) + (operand & 15) + cpu.c;
    if (low > 9) low += 6;
    let high = (cpu.a >> 4) + (operand >> 4) + (low > 15 ? 1 : 0);
    cpu.z = (cpu.a + operand + cpu.c) & 255;
    cpu.n = (high << 4) & 255;
    cpu.v = ((~(cpu.a ^ operand) & (cpu.a ^ (high << 4))) >> 7) & 1;
    if (high > 9) high += 6;
    cpu.c = high > 15 ? 1 : 0;
    cpu.a = ((high << 4) | (low & 15)) & 255;
  } else {
    const sum = cpu.a + operand + cpu.c;
    cpu.v = ((~(cpu.a ^ operand) & (cpu.a ^ sum)) >> 7) & 1;
    cpu.c = sum >> 8;
    cpu.a = sum & 255;
    nz(cpu, sum & 255);
  }
}

/** All flags from the binary difference, in decimal mode too. */
export function subtract(cpu: Cpu, operand: number): void {
  const difference = cpu.a - operand - 1 + cpu.c;
  const overflow = ((cpu.a ^ operand) & (cpu.a ^ difference) & 128) >> 7;
  if (cpu.d) {
    let low = (cpu.a & 15) - (operand & 15) - 1 + cpu.c;
    let high = (cpu.a >> 4) - (operand >> 4);
    if (low & 16) {
      low -= 6;
      high -= 1;
    }
    if (high & 16) high -= 6;
    cpu.a = ((high << 4) | (low & 15)) & 255;
  } else {
    cpu.a = difference & 255;
  }
  cpu.v = overflow;
  cpu.c = difference < 0 ? 0 : 1;
  nz(cpu, difference & 255);
}

export function takeStatus(cpu: Cpu, byte: number): void {
  cpu.n = byte;
  cpu.v = (byte >> 6) & 1;
  cpu.d = (byte >> 3) & 1;
  cpu.i = (byte >> 2) & 1;
  cpu.z = byte & 2 ? 0 : 1;
  cpu.c = byte & 1;
}

/** To the next byte of the program. */
export function next(cpu: Cpu): void {
  cpu.pc = (cpu.pc + 1) & 0xffff;
}

/** The next cycle fetches an opcode. */
export function end(cpu: Cpu): void {
  cpu.step = 0;
}

export function push(cpu: Cpu): void {
  cpu.s = (cpu.s - 1) & 255;
}

export function pull(cpu: Cpu): void {
  cpu.s = (cpu.s + 1) & 255;
}

/** The next cycle reads the stack. */
export function toStack(cpu: Cpu): void {
  cpu.address = 256 | cpu.s;
}

/** Those that are replaced by what they do. */
export const helpers = { nz, compare, add, subtract, takeStatus, next, end, push, pull, toStack } as const;
