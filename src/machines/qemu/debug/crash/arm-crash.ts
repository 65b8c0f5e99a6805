import { lowerHex } from '../../../../formats/hex.ts';
import type { CrashReport } from '../../../../machine/crash.ts';
import type { LoggedException } from '../../launch/exception-log.ts';
import { bitsOf, isSet } from '../paging/table-scheme.ts';
import type { Scene } from './scene.ts';

/** Exception classes of ESR. */
const classes: Readonly<Record<number, string>> = {
  0: 'unknown reason (an undefined instruction, mostly)',
  1: 'trapped WFI or WFE',
  7: 'trapped floating point',
  14: 'illegal execution state',
  21: 'supervisor call',
  24: 'trapped system register access',
  32: 'instruction abort from a lower level',
  33: 'instruction abort',
  34: 'misaligned program counter',
  36: 'data abort from a lower level',
  37: 'data abort',
  38: 'misaligned stack pointer',
  44: 'floating-point exception',
  47: 'SError',
  48: 'breakpoint from a lower level',
  49: 'breakpoint',
  52: 'watchpoint from a lower level',
  53: 'watchpoint',
  60: 'brk instruction',
};
const supervisorCall = 21;
const aborts: Readonly<Record<number, 'fetch' | 'data'>> = { 32: 'fetch', 33: 'fetch', 36: 'data', 37: 'data' };
const faults: Readonly<Record<number, string>> = {
  0: 'address size fault',
  1: 'translation fault',
  2: 'access flag fault',
  3: 'permission fault',
};

/** What a fault status says, of those that matter to kernels. */
function statusWords(status: number): string {
  if (status < 16) return `${faults[status >> 2]}, level ${status & 3}`;
  if (status === 0x10) return 'external abort: nothing answers at that address';
  if (status === 0x21) return 'alignment fault';
  return `fault status 0x${lowerHex(status)}`;
}

/** Of AArch64: from QEMU's log, or from the registers of the last exception. */
export async function explainArm64(scene: Scene, log: readonly LoggedException[]): Promise<CrashReport | undefined> {
  const { target } = scene;
  const last = log.findLast(({ family, values }) => family === 'arm' && values.esr !== undefined);
  const esr = last?.values.esr ?? (await target.value('esr_el1'));
  const far = last?.values.far ?? (await target.value('far_el1'));
  const pc = last?.pc ?? (await target.value('elr_el1'));
  const kind = Number(bitsOf(esr, 31, 26));
  if ((esr === 0n && pc === 0n) || kind === supervisorCall) return undefined;
  const name = classes[kind] ?? `exception class 0x${lowerHex(kind)}`;
  const abort = aborts[kind];
  const status = Number(bitsOf(esr, 5, 0));
  const instruction = await scene.instruction(pc);
  const from = [32, 36].includes(kind) ? 'user' : 'kernel';
  const verb = abort === 'fetch' ? 'jumped to' : isSet(esr, 6) ? 'wrote to' : 'read';
  const suspicion = scene.suspicion(far);
  const what = suspicion === undefined ? scene.place(far) : `${suspicion} (0x${lowerHex(far)})`;
  const cause = abort === undefined ? name : `${from} code ${verb} ${what} (${statusWords(status)})`;
  return {
    summary: `${cause} at ${scene.where(pc)}`,
    lines: [
      `ESR 0x${lowerHex(esr)}: ${name}${abort === undefined ? '' : `, ${statusWords(status)}`}`,
      `at ${scene.place(pc)}${instruction === undefined ? '' : `: ${instruction}`}`,
      ...(await scene.calls(pc, await target.value('x29'))),
      ...(abort === undefined ? [] : [await walkLine(scene, far)]),
      `SPSR 0x${lowerHex(await target.value('spsr_el1'))}, VBAR 0x${lowerHex(await target.value('vbar'))}`,
    ],
    address: pc,
    exception: name,
  };
}

async function walkLine(scene: Scene, address: bigint): Promise<string> {
  const { physical, fault, scheme } = await scene.walk(address);
  return `FAR 0x${lowerHex(address)} ${physical === undefined ? `is not mapped: ${fault}` : `is physical 0x${lowerHex(physical)}`} (${scheme})`;
}
