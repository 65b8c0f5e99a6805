import { z } from 'zod';
import type { Caller, ToolHost } from '../../api/tool-host.ts';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import { executionError, use } from './dos-machine.ts';

const changes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const nothing = z.strictObject({});
const listed = z.object({
  id: z.number(),
  address: z.number(),
  type: z.string(),
  condition: z.string().nullish(),
  enabled: z.boolean(),
});
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
  memory_access: 'access',
  io_read: 'in',
  io_write: 'out',
  io_access: 'port',
};

const pause = defineDialectTool({
  name: 'pause_emulator',
  title: 'Pause the emulator',
  description: 'Stop where it is.',
  annotations: { ...changes, idempotentHint: true },
  input: nothing,
  async call(_input, host, caller) {
    await use(host, caller, 'pause', {}, {});
    return where(host, caller);
  },
});

function resuming(name: string) {
  return defineDialectTool({
    name,
    title: 'Let the emulator run',
    description: 'Go on until a breakpoint or a pause.',
    annotations: changes,
    input: nothing,
    async call(_input, host, caller) {
      await use(host, caller, 'run', { timeout_ms: watchedMs }, {});
      return where(host, caller);
    },
  });
}

const step = defineDialectTool({
  name: 'step',
  title: 'Step',
  description: 'Execute one instruction. The emulator has to be paused.',
  annotations: changes,
  input: nothing,
  call: (_input, host, caller) => stepping(host, caller, 'into'),
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
  call: ({ isCallOrInterrupt }, host, caller) => stepping(host, caller, isCallOrInterrupt === false ? 'into' : 'over'),
});

const addBreakpoint = defineDialectTool({
  name: 'add_breakpoint',
  title: 'Add a breakpoint',
  description: 'Stop at an address (linear), a port, an interrupt or a number of instructions, perhaps on a condition.',
  annotations: changes,
  input: z.strictObject({
    address: z.number().int().min(0),
    type: z.string().describe(Object.keys(breakpointTypes).join(', ')),
    condition: z.string().max(500).nullish(),
  }),
  async call({ address, type, condition }, host, caller) {
    const name = type.toLowerCase();
    const own = Object.hasOwn(breakpointTypes, name) ? breakpointTypes[name] : undefined;
    if (own === undefined) {
      throw executionError(
        `no breakpoint type ${type.slice(0, 40)}; there are ${Object.keys(breakpointTypes).join(', ')}.`,
      );
    }
    const wanted = { address: `${address}`, type: own, ...(condition?.trim() && { condition }) };
    const { id } = await use(host, caller, 'breakpoint_set', wanted, { id: z.number() });
    return { id: String(id), address, type, condition: condition ?? null };
  },
});

const listBreakpoints = defineDialectTool({
  name: 'list_breakpoints',
  title: 'List breakpoints',
  description: 'All breakpoints with their ids.',
  annotations: reads,
  input: nothing,
  async call(_input, host, caller) {
    const { breakpoints } = await use(host, caller, 'breakpoint_list', {}, { breakpoints: z.array(listed) });
    return {
      breakpoints: breakpoints.map(({ id, address, type, condition, enabled }) => ({
        id: String(id),
        address,
        type: Object.entries(breakpointTypes).find(([, own]) => own === type)?.[0] ?? type,
        condition: condition ?? null,
        isEnabled: enabled,
      })),
    };
  },
});

const removeBreakpoint = defineDialectTool({
  name: 'remove_breakpoint',
  title: 'Remove a breakpoint',
  description: 'By its id.',
  annotations: changes,
  input: z.strictObject({ id: z.string() }),
  async call({ id }, host, caller) {
    if (!/^\d{1,9}$/.test(id)) throw executionError(`no breakpoint ${id}; list_breakpoints shows their ids`);
    await use(host, caller, 'breakpoint_delete', { id: Number(id) }, {});
    return { success: true, id };
  },
});

const clearBreakpoints = defineDialectTool({
  name: 'clear_breakpoints',
  title: 'Remove all breakpoints',
  description: 'None is left.',
  annotations: changes,
  input: nothing,
  async call(_input, host, caller) {
    const { deleted } = await use(host, caller, 'breakpoints_clear', {}, { deleted: z.number() });
    return { success: true, removed: deleted };
  },
});

async function stepping(host: ToolHost, caller: Caller, kind: 'into' | 'over') {
  await use(host, caller, 'step', { kind }, {});
  return where(host, caller);
}

/** The original answers with nothing but success: where it stopped saves the caller a question. */
async function where(host: ToolHost, caller: Caller) {
  const shape = { state: z.string(), where: z.string().nullable(), stop: z.string().nullable() };
  const { state, where: address, stop: stopReason } = await use(host, caller, 'status_read', {}, shape);
  return { success: true, isPaused: state !== 'RUNNING', address, stopReason };
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
