import { hex } from '../../formats/hex.ts';
import type { AddressCapability } from '../../machine/addresses.ts';
import type { Breakpoint } from '../../machine/breakpoints.ts';
import type { Stop, StopAccess, StopEvent, StoppingBreakpoint } from '../../machine/state.ts';

/** Why a machine stops, before the stop has a number. */
export type Cause = Omit<Stop, 'seq'>;

export const reachedAddress: Cause = { cause: 'breakpoint', reason: 'the address was reached' };

/** With the names of addresses what happened is told in words as well. */
export function breakpointCause(
  breakpoint: StoppingBreakpoint,
  event?: StopEvent,
  addresses?: AddressCapability,
): Cause {
  const { id, type, cpu, logged, snapshot } = breakpoint;
  const at = event?.pc === undefined ? '' : ` at $${hex(event.pc, 4)}`;
  const where = cpu === undefined ? '' : ` on ${cpu}${at}`;
  const done = event && addresses ? describeEvent(event, addresses) : undefined;
  const parts = [
    `breakpoint ${id}, ${type}${where}${done === undefined ? '' : `: ${done}`}`,
    logged === undefined ? undefined : `log = ${logged}`,
    snapshot === undefined ? undefined : `snapshot ${snapshot}`,
  ];
  return { cause: 'breakpoint', reason: parts.filter(Boolean).join('; '), breakpoint, ...(event && { event }) };
}

function describeEvent(event: StopEvent, addresses: AddressCapability): string | undefined {
  const { access, collision, interrupt, beam } = event;
  if (access) return describeAccess(event, access, addresses);
  if (collision) return `sprites ${spriteNumbers(collision.sprites).join(', ')}${beam ? ` in line ${beam.line}` : ''}`;
  if (!interrupt) return undefined;
  const { source, line, interrupted, place = addresses.format(interrupted) } = interrupt;
  if (/^int /.test(line)) return `${line} from ${place}`;
  return `${source ? `${source}, ` : ''}interrupted ${place}`;
}

function spriteNumbers(bits: number): readonly number[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].filter((sprite) => ((bits >> sprite) & 1) !== 0);
}

export function conditionCause(condition: string): Cause {
  return { cause: 'breakpoint', reason: `condition ${condition}` };
}

/** `$D020 written by $C016 INC $D020 (b+7), FE→FF` */
function describeAccess({ pc, cpu, instruction }: StopEvent, access: StopAccess, addresses: AddressCapability): string {
  // A name may bring its line of source in brackets along.
  const symbol =
    // Names are those of the machine's own memory.
    pc === undefined || cpu !== undefined
      ? undefined
      : addresses.symbols
          .describe(pc)
          ?.replace(/^(.*?) ?\(([^)]*)\)$/, (_, name, line) => (name ? `${name}, ${line}` : line));
  const place =
    pc === undefined ? '' : ` by ${addresses.format(pc)} ${instruction ?? ''}${symbol ? ` (${symbol})` : ''}`;
  const bytes = (value: bigint) => hex(value, 2 * access.bytes);
  const value = access.old === undefined ? bytes(access.value) : `${bytes(access.old)}→${bytes(access.value)}`;
  const what = access.space === 'port' ? `port ${hex(access.address, 3)}h` : addresses.format(access.address);
  return `${what} ${access.kind === 'read' ? 'read' : 'written'}${place}, ${value}`;
}

/** What a stop tells of the breakpoint. */
export function stopping(
  { id, type, group, cpu }: Pick<Breakpoint, 'id' | 'type' | 'group' | 'cpu'>,
  logged?: bigint,
): StoppingBreakpoint {
  return {
    ...{ id, type },
    ...(group !== undefined && { group }),
    ...(cpu !== undefined && { cpu }),
    ...(logged !== undefined && { logged }),
  };
}
