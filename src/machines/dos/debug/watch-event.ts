import type { Instruction } from '../../../chips/x86/instruction.ts';
import type { WatchHit } from '../../../chips/x86/memory.ts';
import type { RunEnd } from '../../../chips/x86/run-end.ts';
import type { SymbolTable } from '../../../machine/addresses.ts';
import type { StopAccess, StopEvent } from '../../../machine/state.ts';
import { codeText } from './code-text.ts';
import type { PortAccess } from './stop-judge.ts';

/** What an instruction did to watched memory; `time` is the count of instructions before it. */
export function eventOfWatch(
  { hits, by }: RunEnd & { readonly reason: 'watch' },
  time: number,
  symbols: SymbolTable,
): StopEvent {
  const access = accessOf(hits);
  return {
    time,
    ...(by && { pc: BigInt(by.linear), instruction: codeText(by, symbols) }),
    ...(access && { access }),
  };
}

/** What an instruction did to a watched port. */
export function eventOfPort(
  { kind, number, value, bytes }: PortAccess,
  by: Instruction | null,
  time: number,
  symbols: SymbolTable,
): StopEvent {
  const access = { kind: kind === 'in' ? 'read' : 'write', address: BigInt(number), space: 'port' } as const;
  return {
    time,
    ...(by && { pc: BigInt(by.linear), instruction: codeText(by, symbols) }),
    access: { ...access, value: BigInt(value), bytes },
  };
}

/** The bytes of the first access that lie side by side, as one number. */
function accessOf(hits: readonly WatchHit[]): StopAccess | undefined {
  const [first] = hits;
  if (!first) return undefined;
  const together = hits.filter(({ kind, address }, index) => kind === first.kind && address === first.address + index);
  const number = (byteOf: (hit: WatchHit) => number) =>
    together.reduce((sum, hit, index) => sum | (BigInt(byteOf(hit) & 255) << BigInt(8 * index)), 0n);
  return {
    kind: first.kind,
    address: BigInt(first.address),
    space: 'cpu',
    value: number(({ value }) => value),
    ...(first.kind === 'write' && { old: number(({ before }) => before) }),
    bytes: together.length,
  };
}
