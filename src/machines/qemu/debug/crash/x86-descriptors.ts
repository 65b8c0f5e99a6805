import { lowerHex } from '../../../../formats/hex.ts';
import { bitsOf, field, isSet } from '../paging/table-scheme.ts';
import type { Target } from '../target.ts';

export interface DescriptorTable {
  readonly base: bigint;
  readonly limit: number;
}

/** What the monitor alone tells: where the tables of a PC's processor lie. */
export interface SystemTables {
  readonly idt: DescriptorTable;
  readonly gdt: DescriptorTable;
  readonly tss: DescriptorTable & { readonly selector: number };
  readonly long: boolean;
  readonly isReal: boolean;
}

export async function systemTables(target: Target): Promise<SystemTables> {
  const text = await target.qmp.hmp('info registers', { cpuIndex: target.cpuIndex });
  const table = (name: string): DescriptorTable => {
    const [, base = '0', limit = '0'] = new RegExp(`^${name}=\\s*([0-9a-f]+) ([0-9a-f]+)`, 'm').exec(text) ?? [];
    return { base: BigInt(`0x${base}`), limit: Number.parseInt(limit, 16) };
  };
  const [, selector = '0', base = '0', limit = '0'] = /^TR\s*=([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+)/m.exec(text) ?? [];
  return {
    idt: table('IDT'),
    gdt: table('GDT'),
    tss: { selector: Number.parseInt(selector, 16), base: BigInt(`0x${base}`), limit: Number.parseInt(limit, 16) },
    long: isSet(await target.value('efer'), 10),
    isReal: !isSet(await target.value('cr0'), 0),
  };
}

export interface Gate {
  /** One line about the entry. */
  readonly text: string;
  /** Why no exception can go through it, if so. */
  readonly broken: string | undefined;
  readonly handler: bigint | undefined;
}

const [interruptGate, trapGate, taskGate] = [14, 15, 5];

/** The entry of the IDT that an exception goes through, and what is wrong with it. */
export async function gateOf(target: Target, tables: SystemTables, vector: number): Promise<Gate> {
  const { idt, long } = tables;
  const size = long ? 16 : 8;
  const name = `IDT[${vector}]`;
  const nothing = (why: string): Gate => ({ text: `${name}: ${why}`, broken: `${name} ${why}`, handler: undefined });
  if (vector * size + size - 1 > idt.limit) {
    return nothing(`lies beyond the end of the IDT (base 0x${lowerHex(idt.base)}, limit 0x${lowerHex(idt.limit)})`);
  }
  const at = idt.base + BigInt(vector * size);
  const low = await target.glanceNumber(at, 8);
  if (low === undefined) return nothing(`lies at 0x${lowerHex(at)}, which is not mapped`);
  const high = long ? ((await target.glanceNumber(at + 8n, 8)) ?? 0n) : 0n;
  const handler = field(low, 15, 0) | (bitsOf(low, 63, 48) << 16n) | (bitsOf(high, 31, 0) << 32n);
  const selector = Number(bitsOf(low, 31, 16));
  const type = Number(bitsOf(low, 43, 40));
  const stack = long ? Number(bitsOf(low, 34, 32)) : 0;
  const broken = await whyBroken(target, tables, { present: isSet(low, 47), type, selector, handler, stack });
  const kind =
    type === interruptGate
      ? 'interrupt gate'
      : type === trapGate
        ? 'trap gate'
        : type === taskGate
          ? 'task gate'
          : `type ${type}`;
  const parts = [
    kind,
    `selector 0x${lowerHex(selector)}`,
    `handler 0x${lowerHex(handler)}`,
    ...(stack > 0 ? [`IST ${stack}`] : []),
  ];
  const bytes = `0x${lowerHex(at)} = ${lowerHex(low, 16)}${long ? ` ${lowerHex(high, 16)}` : ''}`;
  return {
    text: `${name} at ${bytes}: ${isSet(low, 47) ? 'present' : 'NOT PRESENT'}, ${parts.join(', ')}`,
    broken: broken && `${name} ${broken}`,
    handler,
  };
}

interface Entry {
  readonly present: boolean;
  readonly type: number;
  readonly selector: number;
  readonly handler: bigint;
  readonly stack: number;
}

async function whyBroken(
  target: Target,
  tables: SystemTables,
  { present, type, selector, handler, stack }: Entry,
): Promise<string | undefined> {
  if (!present) return 'is not present';
  if (type !== interruptGate && type !== trapGate && (tables.long || ![5, 6, 7].includes(type))) {
    return `has type ${type}, which is not a gate for interrupts`;
  }
  if (type === taskGate) return undefined;
  const segment = await codeSegment(target, tables, selector);
  if (segment !== undefined) return `names selector 0x${lowerHex(selector)}, ${segment}`;
  if (!(await isReadable(target, handler))) return `leads to 0x${lowerHex(handler)}, which is not mapped`;
  return stack > 0 ? whyNoStack(target, tables, stack) : undefined;
}

/** Why a selector is no code segment; undefined if it is one. */
async function codeSegment(target: Target, { gdt, long }: SystemTables, selector: number): Promise<string | undefined> {
  if ((selector & ~3) === 0) return 'which is null';
  if ((selector & 4) !== 0) return undefined;
  if ((selector | 7) > gdt.limit) return `beyond the end of the GDT (limit 0x${lowerHex(gdt.limit)})`;
  const value = await target.glanceNumber(gdt.base + BigInt(selector & ~7), 8);
  if (value === undefined) return 'in a part of the GDT that is not mapped';
  if (!isSet(value, 47)) return 'which is not present in the GDT';
  if (!isSet(value, 44) || !isSet(value, 43)) return `which is not a code segment (GDT entry ${lowerHex(value, 16)})`;
  return long && !isSet(value, 53) ? 'which is not a 64-bit code segment' : undefined;
}

async function whyNoStack(target: Target, { tss }: SystemTables, stack: number): Promise<string | undefined> {
  const pointer = await target.glanceNumber(tss.base + BigInt(0x1c + 8 * stack), 8);
  if (pointer === undefined) return `uses IST ${stack}, but the TSS at 0x${lowerHex(tss.base)} is not mapped`;
  if (pointer === 0n) return `uses IST ${stack}, which is 0 in the TSS`;
  return (await isReadable(target, pointer - 8n))
    ? undefined
    : `uses IST ${stack} = 0x${lowerHex(pointer)}, which is not mapped`;
}

/** The stack that the processor takes when it comes from user mode. */
export async function kernelStack(target: Target, { tss, long }: SystemTables): Promise<string> {
  const name = long ? 'RSP0' : 'ESP0';
  const pointer = await target.glanceNumber(tss.base + 4n, long ? 8 : 4);
  if (tss.selector === 0 || pointer === undefined)
    return `no TSS (TR is 0x${lowerHex(tss.selector)}), so there is no kernel stack to come from user mode to`;
  const mapped = pointer > 0n && (await isReadable(target, pointer - 8n));
  return `TSS at 0x${lowerHex(tss.base)}: ${name} = 0x${lowerHex(pointer)}${mapped ? '' : ', which is not mapped'}`;
}

export async function isReadable(target: Target, address: bigint): Promise<boolean> {
  return (await target.glance(BigInt.asUintN(64, address), 1)) !== undefined;
}
