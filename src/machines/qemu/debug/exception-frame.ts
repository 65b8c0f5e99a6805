import type { Target } from './target.ts';

/** Numbers that DWARF has for the registers of ARM. */
const [sp, lr, pc] = [13, 14, 15];
const stacked = [0, 1, 2, 3, 12, lr, pc] as const;
const [onProcessStack, withoutFloats] = [4n, 16n];
const [plainBytes, floatBytes] = [32n, 104n];
/** Of the saved status: the stack was moved by four bytes to an even place. */
const realigned = 1n << 9n;
/** The only code there is. */
const thumb = 1n << 24n;

/** Whether a return address of a Cortex-M is the mark with which its handlers return. */
export function isExceptionReturn(target: Target, link: bigint): boolean {
  return target.isCortexM && link >= 0xffffffb0n && link <= 0xffffffffn;
}

/** What the processor put on the stack when the exception came, by DWARF's numbers; undefined where it cannot be read. */
export async function exceptionFrame(
  target: Target,
  mark: bigint,
  handlerSp: bigint,
): Promise<ReadonlyMap<number, bigint> | undefined> {
  const frame = (mark & onProcessStack) === 0n ? handlerSp : await processStack(target);
  if (frame === undefined) return undefined;
  const values = new Map<number, bigint>();
  for (const [at, number] of stacked.entries()) {
    const value = await target.glanceNumber(frame + BigInt(4 * at), 4);
    if (value === undefined) return undefined;
    values.set(number, value);
  }
  const status = (await target.glanceNumber(frame + 28n, 4)) ?? 0n;
  const bytes = (mark & withoutFloats) === 0n ? floatBytes : plainBytes;
  values.set(sp, frame + bytes + ((status & realigned) === 0n ? 0n : 4n));
  return values;
}

/**
 * Where a handler of which no table tells will go on, as long as it has pushed nothing: its mark is still in the link register, and
 * what is on the stack looks like what the processor put there.
 */
export async function resumedByHandler(target: Target): Promise<bigint | undefined> {
  const mark = target.isCortexM ? await target.value('lr') : 0n;
  if (!isExceptionReturn(target, mark)) return undefined;
  const sp = await target.sp();
  const [frame, status] = [await exceptionFrame(target, mark, sp), await target.glanceNumber(sp + 28n, 4)];
  const resumed = frame?.get(pc);
  const isThumb = status !== undefined && (status & thumb) !== 0n;
  return isThumb && resumed !== undefined && (await target.glance(resumed, 2)) ? resumed : undefined;
}

/** QEMU tells it from 8.1 on. */
async function processStack(target: Target): Promise<bigint | undefined> {
  return target.names.find('psp') ? target.value('psp') : undefined;
}
