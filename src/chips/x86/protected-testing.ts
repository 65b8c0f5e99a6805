import { expect } from 'vitest';
import type { X87 } from '../x87/x87.ts';
import { fields } from './registers.ts';
import { type Bench, makeBench } from './x86-testing.ts';

export const gdt = 0x20000;
const idt = 0x21000;
export const task = 0x22000;
export const stack0 = 0x8000;
export const present = 0x80;
export const ring3 = 0x60;
export const [code, data, readOnly, gate32, task32] = [0x9a, 0x92, 0x90, 0x8e, 0x89];

/** A processor in protected mode: 16-bit code at selector 8, data 10, everything 18, a task 20, and of ring 3 code 2B and data 33. */
export function protectedBench(
  hex: string,
  options: { readonly compileAfter?: number; readonly model?: '80386' | '486'; readonly coprocessor?: X87 } = {},
) {
  const bench = makeBench(hex, options);
  const { state, ram, cpu } = bench;
  const descriptor = (selector: number, base: number, limit: number, rights: number, sizes = 0) => {
    const low = [limit, limit >> 8, base, base >> 8, base >> 16, rights, sizes | (limit >> 16), base >> 24];
    ram.set(low, gdt + (selector & ~7));
  };
  descriptor(0x08, 0x10000, 0xffff, code);
  descriptor(0x10, 0x10000, 0xffff, data);
  descriptor(0x18, 0, 0xfffff, data, 0xc0);
  descriptor(0x20, task, 0x67, task32 | 2);
  descriptor(0x28, 0x10000, 0xffff, code | ring3);
  descriptor(0x30, 0x10000, 0xffff, data | ring3);
  const gate = (vector: number, offset: number, selector = 8, rights = gate32) =>
    ram.set([offset, offset >> 8, selector, 0, 0, rights, 0, 0], idt + vector * 8);
  // Each fault ends in a HLT of its own.
  for (let vector = 0; vector < 32; vector += 1) {
    gate(vector, 0x4000 + vector);
    ram[0x14000 + vector] = 0xf4;
  }
  Object.assign(state, {
    [fields.gdtBase]: gdt,
    [fields.gdtLimit]: 0xff,
    [fields.idtBase]: idt,
    [fields.idtLimit]: 0xff,
    [fields.task]: 0x20,
    [fields.taskBase]: task,
    [fields.taskLimit]: 0x67,
    [fields.taskRights]: task32 | 2,
  });
  ram.set([stack0 & 0xff, stack0 >> 8, 0, 0, 0x10, 0], task + 4);
  // No map of ports.
  ram[task + 0x66] = 0x68;
  cpu.set('cr0', 0x11);
  for (const name of ['cs', 'ds', 'es', 'ss']) cpu.set(name, name === 'cs' ? 8 : 0x10);
  cpu.set('esp', 0x9000);
  return { ...bench, descriptor, gate };
}

export function dwords({ ram, cpu }: Bench, count: number): number[] {
  const view = new DataView(ram.buffer, cpu.stackTop, count * 4);
  return Array.from({ length: count }, (_, n) => view.getUint32(n * 4, true));
}

/** Where it came to its end: a vector for a fault, else the offset. */
export function endOf({ cpu }: Bench): number {
  expect(cpu.run(cpu.instructions + 1000).reason).toBe('halted');
  const ip = cpu.get('eip') - 1;
  return ip >= 0x4000 && ip < 0x4020 ? ip - 0x4000 : ip;
}

/** Pages on which everything lies where it is, but for linear 18000, which lies at 60000: `mov ax,1; ret` there, `mov ax,2; ret` at 61000. */
export function pagedBench(
  hex: string,
  compileAfter: number,
  model: '80386' | '486' = '80386',
  options: { readonly coprocessor?: X87 } = {},
) {
  const bench = protectedBench(hex, { compileAfter, model, ...options });
  const { ram, cpu } = bench;
  const view = new DataView(ram.buffer, ram.byteOffset);
  for (const [directory, table, place] of [
    [0x40000, 0x41000, 0x60000],
    [0x42000, 0x43000, 0x61000],
  ] as const) {
    view.setUint32(directory, table | 7, true);
    for (let page = 0; page < 0x110; page += 1) view.setUint32(table + page * 4, (page << 12) | 7, true);
    view.setUint32(table + 0x18 * 4, place | 7, true);
  }
  ram.set([0xb8, 1, 0, 0xc3], 0x60000);
  ram.set([0xb8, 2, 0, 0xc3], 0x61000);
  cpu.set('cr3', 0x40000);
  cpu.set('cr0', 0x80000011 | 0);
  cpu.set('es', 0x18);
  cpu.set('cx', 20);
  return bench;
}
