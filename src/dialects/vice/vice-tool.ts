import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import { type DialectAnswer, type DialectTool, defineDialectTool } from '../dialect.ts';
import { lackOf, type ViceChip } from './machines.ts';
import { commonFields, eventNames, type Moment, momentOf, sourceNames } from './moment.ts';
import { ConfirmationNeeded, ViceCall } from './vice-call.ts';

/** What machines may lack, in words of the original. */
const lackingParts: Readonly<Record<string, string>> = { frameTrace: 'frame tracing' };

/** A tool of this dialect; what all of them have in common is added by `viceTool`. */
interface ViceTool<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: 'read' | 'change' | 'destroy';
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
  /** Only machines with one of these have it. */
  readonly chips?: readonly ViceChip[];
  /** What it cannot do while the machine runs, and in ERROR: `step` for "Cannot step while RUNNING". */
  readonly guard?: { readonly whileRunning?: string; readonly inError?: string };
  readonly input: Input;
  call(input: z.output<Input>, call: ViceCall): Promise<DialectAnswer>;
}

/** Checks that the machine has the tool and is in a state for it, and adds what every answer carries. */
export function viceTool<Input extends z.ZodObject>(tool: ViceTool<Input>): DialectTool<Input> {
  const { name, title, description, effect, idempotent = effect === 'read', openWorld = false } = tool;
  return defineDialectTool({
    name,
    title,
    description,
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'destroy',
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
    input: tool.input,
    async call(input, host, caller) {
      const call = new ViceCall(host, caller);
      if (tool.chips) requireChip(name, tool.chips, call);
      if (tool.guard) requireState(tool.guard, await momentOf(call));
      const answer = await confirmable(() => tool.call(input, call)).catch((error: unknown) => {
        throw lackIn(error, name, call);
      });
      return { ...besideOwn(commonFields(await momentOf(call)), answer), ...answer };
    },
  });
}

/** Of the last stop nothing that would be taken for a part of the answer: its breakpoint is another, its byte as well. */
function besideOwn(common: Readonly<Record<string, unknown>>, answer: DialectAnswer): Record<string, unknown> {
  const hidden = new Set<string>();
  if ('breakpoint_id' in answer) hidden.add('breakpoint_type');
  if ('breakpoint_id' in answer || 'address' in answer || 'value' in answer) {
    for (const name of [...eventNames, ...sourceNames]) hidden.add(name);
  }
  // What has a field for each register has nothing beside them but the state.
  if (Object.keys(answer).some((name) => name.startsWith('$'))) for (const name of sourceNames) hidden.add(name);
  return Object.fromEntries(Object.entries(common).filter(([name]) => !hidden.has(name)));
}

function requireChip(tool: string, chips: readonly ViceChip[], { facts }: ViceCall): void {
  if (chips.some((chip) => facts.chips.includes(chip))) return;
  const [wanted = 'vic2'] = chips;
  throw unavailable(tool, facts.name, lackOf(wanted, facts));
}

/** As the original refuses what a machine does not have. */
export function unavailable(tool: string, machine: string, reason: string): MachineError {
  return new MachineError(
    'MISSING_CAPABILITY',
    'Tool not available on this machine',
    'Call vice.machine.capabilities for the toolsets of this machine.',
    { tool, machine, reason },
  );
}

/** What a machine turns out to lack is refused like what is known to. */
function lackIn(error: unknown, tool: string, { facts }: ViceCall): unknown {
  if (!(error instanceof MachineError) || error.type !== 'MISSING_CAPABILITY') return error;
  const missing = z.object({ missing: z.array(z.string()) }).safeParse(error.data);
  if (!missing.success) return error;
  const parts = missing.data.missing.map((each) => lackingParts[each] ?? each).join(', ');
  return unavailable(tool, facts.name, `${facts.name} does not have ${parts} here`);
}

function requireState({ whileRunning, inError }: NonNullable<ViceTool<z.ZodObject>['guard']>, { state }: Moment): void {
  if (whileRunning !== undefined && state === 'RUNNING') {
    throw new MachineError('WRONG_STATE', `Cannot ${whileRunning} while RUNNING`, 'Call vice.execution.pause first.', {
      execution_state: state,
      valid_states: ['PAUSED', 'BREAKPOINT'],
    });
  }
  if (inError !== undefined && state === 'ERROR') {
    throw new MachineError(
      'EXECUTION_ERROR',
      `Cannot ${inError} from ERROR state`,
      'Call vice.execution.clear_error, perhaps after vice.registers.set, or vice.execution.reset.',
      { execution_state: state, valid_states: ['PAUSED', 'BREAKPOINT'] },
    );
  }
}

/** The first call of one that has to be confirmed answers with a token. */
async function confirmable(action: () => Promise<DialectAnswer>): Promise<DialectAnswer> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ConfirmationNeeded)) throw error;
    return { requires_confirmation: true, token: error.token, message: error.question };
  }
}

export const confirmationToken = z.string().max(100).optional().describe('From the first call');
