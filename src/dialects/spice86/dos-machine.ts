import { z } from 'zod';
import type { Caller, MachineSummary, ToolHost, ToolImage } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import { type AdviceNames, adviceIn } from '../advice-names.ts';
import { type DialectTool, defineDialectTool } from '../dialect.ts';

export const adviceNames: AdviceNames = {
  pause: 'pause_emulator',
  run: 'resume_emulator',
  step: ({ back }) => (back === true ? undefined : 'step'),
  breakpoint_set: 'add_breakpoint',
  breakpoint_list: 'list_breakpoints',
  breakpoint_delete: 'remove_breakpoint',
  memory_read: 'read_memory',
  memory_write: 'write_memory',
  memory_search: 'search_memory',
  screen_read: 'screenshot',
  state_read: 'read_cpu_state',
  disassemble: 'read_disassembly',
  functions_list: 'list_functions',
  input_send: 'send_keyboard_key',
};

/** What the original answers with when a tool cannot do its work. */
export function executionError(problem: string, advice = 'Correct the call and try again.'): MachineError {
  return new MachineError('INTERNAL', `Tool execution error: ${problem}`, advice);
}

/** Consoles of the configuration may stand beside the DOS PC. */
export function dosMachine(host: ToolHost): MachineSummary | undefined {
  return host.machines().find(({ kind }) => kind === 'dos');
}

/** The data of one of our tools on the machine; what goes wrong is an error of the original's sort. */
export async function use<Shape extends z.ZodRawShape>(
  host: ToolHost,
  caller: Caller,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  shape: Shape,
): Promise<z.output<z.ZodObject<Shape>> & { readonly images: readonly ToolImage[] }> {
  const dos = dosMachine(host);
  if (!dos)
    throw executionError('No machine is running.', 'Start the server with --exe PROGRAM: no tool here starts one.');
  const outcome = await host.call(tool, { machine: dos.handle, ...args }, caller);
  if (outcome.type === 'confirm') throw executionError(outcome.question);
  if (outcome.type === 'error') {
    const advice = adviceIn(adviceNames, outcome.error);
    throw executionError(`${outcome.error.message} ${advice}`, advice);
  }
  const { data = {}, images = [] } = outcome.answer;
  return { ...z.object(shape).parse(data), images };
}

const standing = { state: z.string(), stop: z.string().nullable() };

/** As the original does it: a running emulator is paused for a change and goes on after it. */
export function definePausingTool<Input extends z.ZodObject>(tool: DialectTool<Input>): DialectTool<Input> {
  return defineDialectTool({
    ...tool,
    async call(input, host, caller) {
      const { state } = await use(host, caller, 'status_read', {}, standing);
      if (state !== 'RUNNING') return tool.call(input, host, caller);
      await use(host, caller, 'pause', {}, {});
      // A breakpoint may have stopped it before the pause did: there it stays.
      const { stop } = await use(host, caller, 'status_read', {}, standing);
      try {
        return await tool.call(input, host, caller);
      } finally {
        if (stop === 'pause') await use(host, caller, 'run', { detach: 'real' }, {});
      }
    },
  });
}

export function linearOf(segment: number, offset: number): number {
  return segment * 16 + offset;
}
