import { z } from 'zod';
import type { DialectTool } from '../dialect.ts';
import { momentOf } from './moment.ts';
import { addressInput, addressText } from './numbers.ts';
import type { ViceCall } from './vice-call.ts';
import { confirmationToken, viceTool } from './vice-tool.ts';

const nothing = z.strictObject({});
const stepped = { stop: z.object({ cause: z.string(), steps: z.number().optional() }) };

const run = viceTool({
  name: 'vice.execution.run',
  title: 'Resume execution',
  description: 'Resume execution and return at once. Breakpoints, errors and vice.execution.pause stop it.',
  effect: 'change',
  idempotent: true,
  guard: { inError: 'run' },
  input: nothing,
  async call(_input, call) {
    await call.use('run', { detach: 'real' }, {});
    return {};
  },
});

const pause = viceTool({
  name: 'vice.execution.pause',
  title: 'Pause',
  description: 'Pause at the next instruction. ERROR stays: only vice.execution.clear_error and a reset leave it.',
  effect: 'change',
  idempotent: true,
  input: nothing,
  async call(_input, call) {
    if ((await momentOf(call)).state !== 'ERROR') await call.use('pause', {}, {});
    return {};
  },
});

const step = viceTool({
  name: 'vice.execution.step',
  title: 'Step',
  description: 'Step one or more instructions, into subroutines or over them. A breakpoint on the way ends it.',
  effect: 'change',
  guard: { whileRunning: 'step', inError: 'step' },
  input: z.strictObject({
    count: z.number().int().min(1).max(100_000).default(1),
    step_over: z.boolean().default(false),
  }),
  async call({ count, step_over }, call) {
    const { stop } = await call.use('step', { count, kind: step_over ? 'over' : 'into' }, stepped);
    return { steps: stop.steps ?? count, completed: stop.cause === 'step', disassembly: await nextInstruction(call) };
  },
});

const stepOut = viceTool({
  name: 'vice.execution.step_out',
  title: 'Step out',
  description: 'Execute until the current subroutine or interrupt handler has returned (RTS, RTI).',
  effect: 'change',
  guard: { whileRunning: 'step', inError: 'step' },
  input: nothing,
  async call(_input, call) {
    const { stop } = await call.use('step', { kind: 'out' }, stepped);
    return { completed: stop.cause === 'step', disassembly: await nextInstruction(call) };
  },
});

const reset = viceTool({
  name: 'vice.execution.reset',
  title: 'Reset',
  description: 'Soft (the reset button) or hard (off and on) reset. The first call returns a token to confirm with.',
  effect: 'destroy',
  input: z.strictObject({
    mode: z.enum(['soft', 'hard']).default('soft'),
    confirmation_token: confirmationToken,
  }),
  async call({ mode, confirmation_token }, call) {
    await call.use('reset_asking', { mode, confirmation_token }, {});
    return { mode };
  },
});

const getState = viceTool({
  name: 'vice.execution.get_state',
  title: 'Get the execution state',
  description: 'RUNNING, PAUSED, BREAKPOINT, ERROR (with what is wrong) or RESET, and the program counter.',
  effect: 'read',
  input: nothing,
  async call(_input, call) {
    return { state: (await momentOf(call)).state };
  },
});

const clearError = viceTool({
  name: 'vice.execution.clear_error',
  title: 'Clear an error',
  description: 'Leave ERROR for PAUSED, perhaps with another program counter, given here or set before.',
  effect: 'change',
  input: z.strictObject({ pc: addressInput.optional() }),
  async call({ pc }, call) {
    await call.use('error_clear', pc === undefined ? {} : { pc: addressText(pc) }, {});
    const next = await nextInstruction(call);
    return { cleared: true, disassembly: next, ...(next === 'JAM' && { note: jamsAgain }) };
  },
});

const jamsAgain =
  'The next instruction jams again: set PC past it with vice.registers.set, or write other code there with vice.memory.write.';

/** The instruction that comes next, as text. */
async function nextInstruction(call: ViceCall): Promise<string> {
  const instruction = z.object({ address: z.number(), text: z.string() });
  const shape = { instructions: z.array(instruction) };
  const { instructions } = await call.use('state_read', { instructions: 1 }, shape);
  return instructions[0]?.text ?? '';
}

export const executionTools: readonly DialectTool[] = [run, pause, step, stepOut, reset, getState, clearError];
