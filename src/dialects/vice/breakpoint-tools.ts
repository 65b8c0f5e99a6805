import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import type { DialectTool } from '../dialect.ts';
import { bankWatched } from './breakpoint-banks.ts';
import { breakpointsOf, setBreakpoint, videoRegister } from './breakpoint-calls.ts';
import { compositeTree, partInput } from './composite.ts';
import { addressInput, addressText } from './numbers.ts';
import { rasterTrigger } from './raster-trigger.ts';
import { viceTool } from './vice-tool.ts';

const id = z.number().int().min(1);
const text = z.string().max(500);
const condition = text.optional().describe('"A==0xFF && X>$10", "sprite_y[0] < 50"');
const line = z.number().int().min(0).max(1000);

const set = viceTool({
  name: 'vice.breakpoints.set',
  title: 'Set a breakpoint',
  description: 'Stop before the instruction at an address is executed, if a condition holds.',
  effect: 'change',
  input: z.strictObject({
    address: addressInput,
    condition,
    ignore: z.number().int().min(0).max(1_000_000).optional().describe('So many hits pass first'),
    temporary: z.boolean().default(false).describe('Gone after the first stop'),
    bank: z
      .string()
      .max(20)
      .optional()
      .describe('Only where this memory answers: main, rom, io, cartridge, or one of its banks: cartridge:3'),
  }),
  call: ({ address, bank, ignore, ...rest }, call) =>
    setBreakpoint(call, {
      type: 'exec',
      address: addressText(address),
      ...rest,
      options: { bank: bank === undefined ? undefined : bankWatched(bank), ignore },
    }),
});

const list = viceTool({
  name: 'vice.breakpoints.list',
  title: 'List breakpoints',
  description: 'All breakpoints with their numbers, types, conditions and hits.',
  effect: 'read',
  input: z.strictObject({}),
  call: async (_input, call) => ({ breakpoints: await breakpointsOf(call) }),
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
    const found = (await breakpointsOf(call)).find((each) => each.breakpoint_id === breakpoint_id);
    return setBreakpoint(call, { id: breakpoint_id, options: { enabled: enabled ?? found?.enabled !== true } });
  },
});

const setCondition = viceTool({
  name: 'vice.breakpoints.condition',
  title: 'Set the condition of a breakpoint',
  description: 'Change the condition and keep the number; an empty one removes it.',
  effect: 'change',
  idempotent: true,
  input: z.strictObject({ breakpoint_id: id, condition: text }),
  call: ({ breakpoint_id, ...rest }, call) => setBreakpoint(call, { id: breakpoint_id, ...rest }),
});

const raster = viceTool({
  name: 'vice.breakpoints.raster',
  title: 'Break at raster lines',
  description: 'Stop when the beam comes to a line, or enters a range of lines ("break_on_each": at each of them).',
  effect: 'change',
  chips: ['vic2', 'vic', 'ted'],
  input: z.strictObject({
    line: line.optional(),
    line_start: line.optional(),
    line_end: line.optional(),
    break_on_each: z.boolean().default(false),
    condition,
  }),
  call({ condition: only, ...range }, call) {
    const { type, ...options } = rasterTrigger(range);
    return setBreakpoint(call, { type, condition: only, options });
  },
});

const collision = viceTool({
  name: 'vice.breakpoints.sprite_collision',
  title: 'Break on sprite collisions',
  description: 'Stop when the VIC-II notices that sprites collide with sprites or with the background.',
  effect: 'change',
  chips: ['vic2'],
  input: z.strictObject({
    type: z.enum(['sprite_sprite', 'sprite_background']),
    sprite_mask: z.number().int().min(1).max(255).default(255).describe('Bit 0 is sprite 0'),
    condition,
  }),
  call: ({ sprite_mask, ...rest }, call) => setBreakpoint(call, { ...rest, options: { mask: sprite_mask } }),
});

const registerWrite = viceTool({
  name: 'vice.breakpoints.vic.register_write',
  title: 'Break on a write to the video chip',
  description:
    'Stop when a register of the video chip is written ("$D012" or "RASTER"); "value" in the condition is the byte. ' +
    '"log_only" sends an event instead, for "duration_frames".',
  effect: 'change',
  chips: ['vic2', 'vic', 'ted'],
  input: z.strictObject({
    register: addressInput,
    condition,
    log_only: z.boolean().default(false),
    duration_frames: z.number().int().min(1).max(1_000_000).optional(),
  }),
  async call({ register, duration_frames, ...rest }, call) {
    const { chip, register: number } = await videoRegister(call, register);
    const options = { chip, register: number, frames: duration_frames };
    return setBreakpoint(call, { type: 'chip_write', ...rest, options });
  },
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
    setBreakpoint(call, { type: trigger, address: addressText(address), length: size, ...rest }),
});

const composite = viceTool({
  name: 'vice.breakpoints.composite',
  title: 'Combine conditions',
  description:
    'Stop when all (AND) or any (OR) of several conditions are true: raster, sprite_x, sprite_y, register, pc, ' +
    'sprite_collision, vic_register_write, memory, irq, nmi, brk, expression, or a group of them.',
  effect: 'change',
  input: z.strictObject({
    conditions: z.array(partInput).min(1).max(32),
    operator: z.enum(['AND', 'OR']).default('AND'),
  }),
  async call({ conditions, operator }, call) {
    if (conditions.length === 0) throw new MachineError('INVALID_ARGUMENT', 'Nothing to combine.', 'Give conditions.');
    return setBreakpoint(call, {
      type: 'composite',
      options: { tree: await compositeTree(call, operator, conditions) },
    });
  },
});

export const breakpointTools: readonly DialectTool[] = [
  set,
  list,
  remove,
  toggle,
  setCondition,
  raster,
  collision,
  registerWrite,
  watch,
  composite,
];
