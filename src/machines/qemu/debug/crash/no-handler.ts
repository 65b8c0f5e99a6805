import { lowerHex } from '../../../../formats/hex.ts';
import type { LoggedException } from '../../launch/exception-log.ts';
import type { Target } from '../target.ts';

const armVectors = 0x800n;

export interface WithoutHandler {
  /** What came before the processor was sent to where no handler is. */
  readonly cause: readonly LoggedException[];
  readonly line: string;
}

/** Where no handler is, its first instruction faults, for ever; what matters came before. */
export async function withoutHandler(
  target: Target,
  log: readonly LoggedException[],
): Promise<WithoutHandler | undefined> {
  const last = log.at(-1);
  if (last?.times === undefined || !(await isVector(target, last))) return undefined;
  const { pc, times } = last;
  const cause = log.slice(0, -1);
  const at = `0x${lowerHex(pc)}`;
  const line =
    cause.length === 0
      ? `no handler of exceptions is there: each fault at ${at} leads to ${at} again, ${times} times so far`
      : `no handler of exceptions is there: it led to ${at}, where the processor has faulted ${times} times since`;
  return { cause, line };
}

async function isVector(target: Target, { family, pc }: LoggedException): Promise<boolean> {
  if (family === 'riscv') {
    const [machine, supervisor] = [await target.value('mtvec'), await target.value('stvec')];
    return [machine, supervisor].some((vector) => (vector & ~3n) === pc);
  }
  if (family !== 'arm' || target.names.find('vbar') === undefined) return false;
  const first = await target.value('vbar');
  return pc >= first && pc < first + armVectors;
}
