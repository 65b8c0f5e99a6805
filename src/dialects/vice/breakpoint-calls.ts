import { z } from 'zod';
import { hexWord } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';
import { bankShown } from './breakpoint-banks.ts';
import { breakpointType } from './breakpoint-types.ts';
import { type AddressInput, numberOf } from './numbers.ts';
import { placeOf, shownTree, tree } from './shown-tree.ts';
import type { ViceCall } from './vice-call.ts';

const breakpoint = z.object({
  id: z.number(),
  type: z.string(),
  address: z.number(),
  length: z.number(),
  condition: z.string().nullish(),
  enabled: z.boolean(),
  hits: z.number(),
  temporary: z.boolean(),
  logOnly: z.boolean(),
  chip: z.string().nullish(),
  mask: z.number().nullish(),
  ignoreLeft: z.number().nullish(),
  framesLeft: z.number().nullish(),
  each: z.boolean().nullish(),
  bank: z.string().nullish(),
  tree: tree.nullish(),
  sourceLine: z.string().nullish(),
  notice: z.string().nullish(),
});

type Breakpoint = z.output<typeof breakpoint>;

/** Sets one, or changes that with this `id`. */
export async function setBreakpoint(call: ViceCall, wanted: Readonly<Record<string, unknown>>) {
  return shown(call, await call.use('breakpoint_set', wanted, breakpoint.shape));
}

export async function breakpointsOf(call: ViceCall) {
  const { breakpoints } = await call.use('breakpoint_list', {}, { breakpoints: z.array(breakpoint) });
  return breakpoints.map((each) => shown(call, each));
}

/** The number of a video chip's register that was given by its number, its address or its name. */
export async function videoRegister(call: ViceCall, given: AddressInput) {
  const chip = call.facts.chips.find((each) => each === 'vic2' || each === 'vic' || each === 'ted') ?? 'vic2';
  const named = z.object({ address: z.number(), name: z.string() });
  const { registers } = await call.use('chip_read', { chip }, { registers: z.array(named) });
  const byName = registers.findIndex(({ name }) => name === String(given).toUpperCase());
  if (byName >= 0) return { chip, register: byName };
  const number = /^[a-z]/i.test(String(given)) && !String(given).startsWith('0x') ? -1 : numberOf(given);
  const byNumber = registers.findIndex(({ address }, index) => address === number || index === number);
  if (byNumber >= 0) return { chip, register: byNumber };
  const [first, last] = [registers[0]?.address ?? 0, registers.at(-1)?.address ?? 0];
  throw new MachineError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(given)} is not a register of the ${call.facts.videoChip}.`,
    `Use ${hexWord(first)} to ${hexWord(last)}, or a name: ${registers.map(({ name }) => name).join(', ')}.`,
  );
}

function shown({ facts }: ViceCall, each: Breakpoint): Record<string, unknown> {
  const { id, type, condition, enabled, hits, temporary, logOnly, ignoreLeft, framesLeft } = each;
  return {
    breakpoint_id: id,
    type: breakpointType(type),
    ...placeOf(each, facts.videoBase),
    ...(each.type === 'exec' && { size: each.length }),
    ...(each.sourceLine && { source: each.sourceLine }),
    ...(each.each && { break_on_each: true }),
    ...(each.bank && { bank: bankShown(each.bank) }),
    ...(each.tree && shownTree(each.tree, facts.videoBase)),
    condition: condition ?? null,
    enabled,
    hits,
    temporary,
    ...(logOnly && { log_only: true }),
    ...(ignoreLeft && { ignore: ignoreLeft }),
    ...(framesLeft && { duration_frames: framesLeft }),
    ...(each.notice && { note: each.notice }),
  };
}
