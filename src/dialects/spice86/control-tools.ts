import { z } from 'zod';
import type { Caller, Toolbox } from '../../tools/toolbox.ts';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import { executionError, inspect, use } from './dos-machine.ts';

const changes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const nothing = z.strictObject({});
/** How long a resumed machine is watched before the answer, for a breakpoint that it meets at once. */
const watchedMs = 50;

/** Names of breakpoint types in the original, and ours. */
const breakpointTypes: Readonly<Record<string, string>> = {
  cpu_execution_address: 'exec',
  execution: 'exec',
  cpu_interrupt: 'interrupt',
  interrupt: 'interrupt',
  cpu_cycles: 'time',
  cycles: 'time',
  memory_read: 'read',
  memory_write: 'write',
  io_read: 'in',
  io_write: 'out',
};

const pause = defineDialectTool({
  name: 'pause_emulator',
  title: 'Pause the emulator',
  description: 'Stop where it is.',
  annotations: { ...changes, idempotentHint: true },
  input: nothing,
  async call(_input, toolbox, caller) {
    await use(toolbox, caller, 'pause', {});
    return where(toolbox);
  },
});

function resuming(name: string) {
  return defineDialectTool({
    name,
    title: 'Let the emulator run',
    description: 'Go on until a breakpoint or a pause.',
    annotations: changes,
    input: nothing,
    async call(_input, toolbox, caller) {
      await use(toolbox, caller, 'run', { timeout_ms: watchedMs });
      return where(toolbox);
    },
  });
}

const step = defineDialectTool({
  name: 'step',
  title: 'Step',
  description: 'Execute one instruction. The emulator has to be paused.',
  annotations: changes,
  input: nothing,
  call: (_input, toolbox, caller) => stepping(toolbox, caller, 'into'),
});

const stepOver = defineDialectTool({
  name: 'step_over',
  title: 'Step over',
  description: 'Execute one instruction, and all of what it calls. Where it goes on need not be said.',
  annotations: changes,
  input: z.strictObject({
    nextAddress: z.number().int().min(0).optional(),
    isCallOrInterrupt: z.boolean().optional(),
  }),
  call: ({ isCallOrInterrupt }, toolbox, caller) =>
    stepping(toolbox, caller, isCallOrInterrupt === false ? 'into' : 'over'),
});

const addBreakpoint = defineDialectTool({
  name: 'add_breakpoint',
  title: 'Add a breakpoint',
  description: 'Stop at an address (linear), a port, an interrupt or a number of instructions, perhaps on a condition.',
  annotations: changes,
  input: z.strictObject({
    address: z.number().int().min(0),
    type: z.string().describe(Object.keys(breakpointTypes).join(', ')),
    condition: z.string().max(500).optional(),
  }),
  async call({ address, type, condition }, toolbox, caller) {
    const own = breakpointTypes[type.toLowerCase()];
    if (own === undefined) {
      throw executionError(
        `no breakpoint type ${type.slice(0, 40)}; there are ${Object.keys(breakpointTypes).join(', ')}.`,
      );
    }
    const { data = {} } = await use(toolbox, caller, 'breakpoint_set', { address: `${address}`, type: own, condition });
    return { id: String(data.id), address, type, condition: condition ?? null };
  },
});

const listBreakpoints = defineDialectTool({
  name: 'list_breakpoints',
  title: 'List breakpoints',
  description: 'All breakpoints with their ids.',
  annotations: reads,
  input: nothing,
  call: (_input, toolbox) =>
    inspect(toolbox, ['breakpoints'], async ({ breakpoints }) => ({
      breakpoints: (await breakpoints.list()).map(({ id, address, type, condition, enabled }) => ({
        id: String(id),
        address: Number(address),
        type: Object.entries(breakpointTypes).find(([, own]) => own === type)?.[0] ?? type,
        condition: condition ?? null,
        isEnabled: enabled,
      })),
    })),
});

const removeBreakpoint = defineDialectTool({
  name: 'remove_breakpoint',
  title: 'Remove a breakpoint',
  description: 'By its id.',
  annotations: changes,
  input: z.strictObject({ id: z.string() }),
  async call({ id }, toolbox, caller) {
    await use(toolbox, caller, 'breakpoint_delete', { id: Number(id) });
    return { success: true, id };
  },
});

const clearBreakpoints = defineDialectTool({
  name: 'clear_breakpoints',
  title: 'Remove all breakpoints',
  description: 'None is left.',
  annotations: changes,
  input: nothing,
  call: (_input, toolbox) =>
    inspect(toolbox, ['breakpoints'], async ({ breakpoints }) => {
      const all = await breakpoints.list();
      for (const { id } of all) await breakpoints.delete(id);
      return { success: true, removed: all.length };
    }),
});

async function stepping(toolbox: Toolbox, caller: Caller, kind: 'into' | 'over') {
  await use(toolbox, caller, 'step', { kind });
  return where(toolbox);
}

/** The original answers with nothing but success: where it stands now saves the caller a question. */
function where(toolbox: Toolbox) {
  const { state, where: place, stop } = toolbox.rack.get(undefined).machine.status();
  return { success: true, isPaused: state !== 'RUNNING', address: place ?? null, stopReason: stop?.reason ?? null };
}

/** Of its later tools, those that drive the machine. */
export const controlTools: readonly DialectTool[] = [
  pause,
  resuming('resume_emulator'),
  resuming('go'),
  step,
  stepOver,
  addBreakpoint,
  listBreakpoints,
  removeBreakpoint,
  clearBreakpoints,
];
