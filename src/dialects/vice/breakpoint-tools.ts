import { z } from 'zod';
import type { DialectTool } from '../dialect.ts';
import { breakpointType } from './breakpoint-types.ts';
import { addressInput, addressText, hexWord } from './numbers.ts';
import type { ViceCall } from './vice-call.ts';
import { viceTool } from './vice-tool.ts';

const id = z.number().int().min(1);
const condition = z.string().max(500).optional().describe('"A==0xFF && X>$10"');

const listed = z.object({
  id: z.number(),
  type: z.string(),
  address: z.number(),
  length: z.number(),
  condition: z.string().nullish(),
  enabled: z.boolean(),
  hits: z.number(),
  temporary: z.boolean(),
});

const set = viceTool({
  name: 'vice.breakpoints.set',
  title: 'Set a breakpoint',
  description: 'Stop before the instruction at an address is executed, if a condition holds.',
  effect: 'change',
  input: z.strictObject({ address: addressInput, condition, temporary: z.boolean().default(false) }),
  call: ({ address, ...rest }, call) => create(call, { address: addressText(address), type: 'exec', ...rest }),
});

const watch = viceTool({
  name: 'vice.breakpoints.memory.watch',
  title: 'Watch memory',
  description: 'Stop when memory is read, written or changed; "value" in the condition is the byte.',
  effect: 'change',
  input: z.strictObject({
    address: addressInput,
    size: z.number().int().min(1).max(0x10000).default(1),
    trigger: z.enum(['read', 'write', 'change']).default('write'),
    condition,
  }),
  call: ({ address, size, trigger, ...rest }, call) =>
    create(call, { address: addressText(address), length: size, type: trigger, ...rest }),
});

const list = viceTool({
  name: 'vice.breakpoints.list',
  title: 'List breakpoints',
  description: 'All breakpoints with their numbers, types, conditions and hits.',
  effect: 'read',
  input: z.strictObject({}),
  call: async (_input, call) => ({ breakpoints: (await breakpointsOf(call)).map(shown) }),
});

const remove = viceTool({
  name: 'vice.breakpoints.delete',
  title: 'Delete a breakpoint',
  description: 'Remove a breakpoint.',
  effect: 'change',
  input: z.strictObject({ breakpoint_id: id }),
  async call({ breakpoint_id }, call) {
    await call.use('breakpoint_delete', { id: breakpoint_id }, {});
    return { breakpoint_id, deleted: true };
  },
});

const toggle = viceTool({
  name: 'vice.breakpoints.toggle',
  title: 'Enable or disable a breakpoint',
  description: 'Switch a breakpoint on or off; without "enabled", to the other.',
  effect: 'change',
  input: z.strictObject({ breakpoint_id: id, enabled: z.boolean().optional() }),
  async call({ breakpoint_id, enabled }, call) {
    const found = (await breakpointsOf(call)).find((each) => each.id === breakpoint_id);
    const on = enabled ?? !(found?.enabled ?? false);
    await call.use('breakpoint_delete', { id: breakpoint_id, action: on ? 'enable' : 'disable' }, {});
    return { breakpoint_id, enabled: on };
  },
});

async function create(call: ViceCall, wanted: Readonly<Record<string, unknown>>) {
  const created = await call.use('breakpoint_set', wanted, listed.shape);
  return shown(created);
}

async function breakpointsOf(call: ViceCall) {
  return (await call.use('breakpoint_list', {}, { breakpoints: z.array(listed) })).breakpoints;
}

function shown({ id: breakpoint_id, type, address, length, ...rest }: z.output<typeof listed>) {
  const { condition: text, enabled, hits, temporary } = rest;
  return {
    breakpoint_id,
    type: breakpointType(type),
    address: hexWord(address),
    size: length,
    condition: text ?? null,
    enabled,
    hits,
    temporary,
  };
}

export const breakpointTools: readonly DialectTool[] = [set, list, remove, toggle, watch];
