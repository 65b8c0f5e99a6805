import { lowerHex } from '../../../../formats/hex.ts';
import type { CrashReport } from '../../../../machine/crash.ts';
import type { LoggedException } from '../../launch/exception-log.ts';
import type { Scene } from './scene.ts';
import { type Gate, gateOf, isReadable, kernelStack, type SystemTables, systemTables } from './x86-descriptors.ts';
import { doubleFault, errorWords, faultingAccess, pageFault, selectorError, vectorName } from './x86-exceptions.ts';

/** A push below this much of the stack pointer is what overflows a stack; a frame of a large function is no larger. */
const stackReach = 0x4000n;

/** An exception and what became of it. */
interface Chain {
  readonly root: LoggedException;
  /** What came while it was delivered, if something did. */
  readonly second: number | undefined;
  readonly end: 'handled' | 'double' | 'triple';
}

export function chainOf(log: readonly LoggedException[]): Chain | undefined {
  const last = log.at(-1);
  if (!last) return undefined;
  const end = last.triple ? 'triple' : last.code === doubleFault ? 'double' : 'handled';
  if (end === 'handled') return { root: last, second: undefined, end };
  const double = log.findLast((each) => each.code === doubleFault && !each.triple && each.during);
  if (!double?.during) return { root: last, second: last.during?.second, end };
  const { first, second } = double.during;
  const before = log.slice(0, log.lastIndexOf(double));
  const root = before.findLast((each) => each.code === first) ?? { ...double, code: first };
  return { root, second, end };
}

/** What the processor of a PC says about its last exception. */
export async function explainX86(scene: Scene, log: readonly LoggedException[]): Promise<CrashReport | undefined> {
  const chain = chainOf(log);
  if (!chain) return undefined;
  const { root, end } = chain;
  const { target } = scene;
  const tables = await systemTables(target);
  const gate = tables.isReal ? undefined : await gateOf(target, tables, root.code);
  const instruction = await scene.instruction(root.pc);
  const cause = await causeOf(scene, root, instruction);
  const failed = end === 'handled' ? undefined : await whyUndelivered(scene, tables, chain, gate);
  const words = errorWords(root.code, root.values.error ?? 0n, root.values.delivered);
  const bp = /\b[RE]BP=([0-9a-f]+)/.exec(root.registers ?? '')?.[1];
  const lines = [
    `exception ${root.code} (${vectorName(root.code)})${words === '' ? '' : `, error code 0x${lowerHex(root.values.error ?? 0n)}: ${words}`}`,
    `at ${scene.place(root.pc)}${instruction === undefined ? '' : `: ${instruction}`}`,
    ...(await scene.calls(root.pc, bp === undefined ? undefined : BigInt(`0x${bp}`))),
    ...(root.values.cr2 === undefined ? [] : await walkLines(scene, root.values.cr2)),
    ...(gate ? [gate.text] : []),
    ...(end === 'handled' ? handledLines(scene, gate) : []),
    ...(root.values.cpl === 3n && end !== 'handled' ? [await kernelStack(target, tables)] : []),
    ...(end === 'handled' ? [] : [deliveryLine(chain)]),
    ...scene.suspects(root.registers).map(({ name, value, why }) => `${name} = 0x${lowerHex(value)}: ${why}`),
  ];
  return {
    summary: `${cause} at ${scene.where(root.pc)}${failed === undefined ? '' : `; ${failed}`}`,
    lines,
    address: root.pc,
    exception: vectorName(root.code),
  };
}

/** The one line, without the place. */
async function causeOf(scene: Scene, root: LoggedException, instruction: string | undefined): Promise<string> {
  const { code, values } = root;
  const who = values.cpl === 3n ? 'user' : 'kernel';
  if (code === pageFault) return pageFaultCause(scene, root);
  if (code === 0) return `${who} code divided by zero, or the quotient was too large,`;
  if (code === 6)
    return /^ud[012]/.test(instruction ?? '')
      ? `${who} code reached a deliberate trap (ud2)`
      : `${who} code ran into an invalid opcode`;
  const named = [10, 11, 12, 13].includes(code) ? selectorError(values.error ?? 0n) : undefined;
  // Of an interrupt that was on its way the error code names what stood in that way.
  const vector =
    values.delivered === undefined ? (named?.table === 'IDT' ? named.index : undefined) : Number(values.delivered);
  if (named && vector !== undefined) {
    const gate = await gateOf(scene.target, await systemTables(scene.target), vector);
    return `interrupt ${vector} (${vectorName(vector)}) could not be delivered, because ${gate.broken ?? `IDT[${vector}] is refused`}: ${vectorName(code)}`;
  }
  const [suspect] = code === 13 || code === 12 ? scene.suspects(root.registers) : [];
  if (suspect)
    return `${vectorName(code)} of ${who} code that uses ${suspect.why} (${suspect.name} = 0x${lowerHex(suspect.value)})`;
  return `${vectorName(code)} of ${who} code`;
}

async function pageFaultCause(scene: Scene, { values, pc }: LoggedException): Promise<string> {
  const { kind, user, protection } = faultingAccess(values.error ?? 0n);
  const address = values.cr2 ?? 0n;
  const sp = values.sp ?? 0n;
  const who = user ? 'user' : 'kernel';
  const distance = sp - address;
  const shown = scene.place(address);
  if (kind === 'write' && !protection && distance >= -64n && distance < stackReach && address >= 0x1000n) {
    return `stack overflow: the ${who} stack reached 0x${lowerHex(address)}, which is not mapped,`;
  }
  const suspicion = scene.suspicion(address);
  if (kind === 'instruction fetch' && address === pc) {
    const why = protection ? 'where nothing may be executed' : 'where nothing is mapped';
    return `${who} code jumped to ${suspicion ?? shown}, ${why},`;
  }
  const verb = kind === 'write' ? 'wrote to' : 'read';
  const what = suspicion === undefined ? shown : `${suspicion} (0x${lowerHex(address)})`;
  const why = protection ? await forbidden(scene, address, kind === 'write', user) : '';
  return `${who} code ${verb} ${what}${suspicion === undefined && !protection ? ', which is not mapped,' : ''}${why}`;
}

async function forbidden(scene: Scene, address: bigint, writes: boolean, user: boolean): Promise<string> {
  const { page } = await scene.walk(address);
  if (user && page && !page.user) return ', a page of the kernel,';
  if (writes && page && !page.write) return ', a read-only page,';
  return ', which its page forbids,';
}

async function walkLines(scene: Scene, address: bigint): Promise<string[]> {
  const { physical, fault, steps, page } = await scene.walk(address);
  const rights = page
    ? ` (${page.user ? 'user' : 'kernel'}, ${page.write ? 'writable' : 'read-only'}${page.execute ? '' : ', no-execute'})`
    : '';
  const end = physical === undefined ? `is not mapped: ${fault}` : `is physical 0x${lowerHex(physical)}${rights}`;
  const last = steps.at(-1);
  return [
    `CR2 0x${lowerHex(address)} ${end}${physical !== undefined && last ? `; ${last.name} = 0x${lowerHex(last.value)}` : ''}`,
  ];
}

async function whyUndelivered(
  scene: Scene,
  tables: SystemTables,
  { root, second, end }: Chain,
  gate: Gate | undefined,
): Promise<string> {
  const then = end === 'triple' ? ', and the processor reset itself (triple fault)' : ' (double fault)';
  if (gate?.broken !== undefined) return `it could not be delivered, because ${gate.broken}${then}`;
  const sp = root.values.sp ?? 0n;
  if (root.values.cpl === 3n) return `it could not be delivered: ${await kernelStack(scene.target, tables)}${then}`;
  if (second === pageFault && !(await isReadable(scene.target, sp - 8n))) {
    return `it could not be delivered, because the stack at 0x${lowerHex(sp)} is not mapped${then}`;
  }
  return `delivering it raised a ${vectorName(second ?? doubleFault)}${then}`;
}

function handledLines(scene: Scene, gate: Gate | undefined): string[] {
  return gate?.handler === undefined ? [] : [`its handler is ${scene.place(gate.handler)}`];
}

function deliveryLine({ root, second, end }: Chain): string {
  const parts = [vectorName(root.code), ...(second === undefined ? [] : [vectorName(second)]), 'double fault'];
  return [...parts, ...(end === 'triple' ? ['triple fault, reset'] : [])].join(' → ');
}
