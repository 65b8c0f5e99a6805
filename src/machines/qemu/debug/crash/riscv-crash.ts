import { lowerHex } from '../../../../formats/hex.ts';
import type { CrashReport } from '../../../../machine/crash.ts';
import type { LoggedException } from '../../launch/exception-log.ts';
import { isSet } from '../paging/table-scheme.ts';
import type { Scene } from './scene.ts';

const causes: readonly string[] = [
  'instruction address misaligned',
  'instruction access fault',
  'illegal instruction',
  'breakpoint',
  'load address misaligned',
  'load access fault',
  'store address misaligned',
  'store access fault',
  'call from user mode',
  'call from supervisor mode',
  'call from hypervisor mode',
  'call from machine mode',
  'instruction page fault',
  'load page fault',
  '',
  'store page fault',
];
const verbs: Readonly<Record<number, string>> = {
  1: 'jumped to',
  4: 'read',
  5: 'read',
  6: 'wrote to',
  7: 'wrote to',
  12: 'jumped to',
  13: 'read',
  15: 'wrote to',
};
const accessFaults: ReadonlySet<number> = new Set([1, 5, 7]);
const misaligned: ReadonlySet<number> = new Set([0, 4, 6]);

interface Trap {
  readonly code: number;
  readonly pc: bigint;
  readonly value: bigint;
  /** Whose registers tell of it. */
  readonly level: 'm' | 's' | undefined;
}

/** From QEMU's log, or else from the registers of the last trap. */
export async function explainRiscv(scene: Scene, log: readonly LoggedException[]): Promise<CrashReport | undefined> {
  const trap = logged(log) ?? (await fromRegisters(scene, 'm')) ?? (await fromRegisters(scene, 's'));
  if (!trap) return undefined;
  const { code, pc, value } = trap;
  const name = causes[code] || `cause ${code}`;
  const instruction = await scene.instruction(pc);
  const registers = await trapRegisters(scene);
  const isAddress = verbs[code] !== undefined;
  const vector = trap.level === undefined ? undefined : await scene.target.value(`${trap.level}tvec`);
  const isVector = vector !== undefined && (vector & ~3n) === pc && (code === 1 || code === 12);
  return {
    summary: `${await sentence(scene, trap, name)} at ${scene.where(pc)}`,
    lines: [
      `exception ${code} (${name})${isAddress ? `, address 0x${lowerHex(value)}` : ''}`,
      `at ${scene.place(pc)}${instruction === undefined ? '' : `: ${instruction}`}`,
      ...(await scene.calls(pc, await scene.target.value('s0'))),
      ...(isAddress ? [await walkLine(scene, value)] : []),
      ...registers,
      ...(isVector
        ? [
            `${trap.level}tvec leads here, so this may have followed another exception: no handler is there. Started with "log":["int"], it tells the first.`,
          ]
        : []),
    ],
    address: pc,
    exception: name,
  };
}

function logged(log: readonly LoggedException[]): Trap | undefined {
  const last = log.findLast(({ family }) => family === 'riscv');
  return last && { code: last.code, pc: last.pc, value: last.values.tval ?? 0n, level: undefined };
}

async function fromRegisters(scene: Scene, level: 'm' | 's'): Promise<Trap | undefined> {
  const { target } = scene;
  const [cause, pc] = [await target.value(`${level}cause`), await target.value(`${level}epc`)];
  const bits = (target.names.pc?.bits ?? 64) - 1;
  if (isSet(cause, bits) || (cause === 0n && pc === 0n) || (cause >= 8n && cause <= 11n)) return undefined;
  return { code: Number(cause), pc, value: await target.value(`${level}tval`), level };
}

async function trapRegisters({ target }: Scene): Promise<string[]> {
  const lines: string[] = [];
  for (const level of ['m', 's'] as const) {
    const names = ['cause', 'epc', 'tval', 'tvec'].map((name) => `${level}${name}`);
    const words: string[] = [];
    for (const name of names) words.push(`${name} 0x${lowerHex(await target.value(name))}`);
    lines.push(words.join(', '));
  }
  return lines;
}

async function sentence(scene: Scene, { code, value }: Trap, name: string): Promise<string> {
  const verb = verbs[code];
  if (verb === undefined) return code === 2 ? `illegal instruction 0x${lowerHex(value)}` : name;
  if (misaligned.has(code)) return `the program ${verb} 0x${lowerHex(value)}, which is not aligned,`;
  const suspicion = scene.suspicion(value);
  const what = suspicion === undefined ? scene.place(value) : `${suspicion} (0x${lowerHex(value)})`;
  const { physical, page } = accessFaults.has(code)
    ? { physical: undefined, page: undefined }
    : await scene.walk(value);
  const why = accessFaults.has(code)
    ? ', where there is no memory or PMP forbids it,'
    : physical === undefined
      ? ', which is not mapped,'
      : `, which its page forbids (${page?.user ? 'user' : 'kernel'}, ${page?.write ? 'writable' : 'read-only'}),`;
  return `the program ${verb} ${what}${why}`;
}

async function walkLine(scene: Scene, address: bigint): Promise<string> {
  const { physical, fault, scheme } = await scene.walk(address);
  return `0x${lowerHex(address)} ${physical === undefined ? `is not mapped: ${fault}` : `is physical 0x${lowerHex(physical)}`} (${scheme})`;
}
