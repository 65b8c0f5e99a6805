import { jsonData } from '../api/json-data.ts';
import type { ToolAnswer } from '../api/tool-host.ts';
import { type Advice, advice, call, MachineError } from '../machine/errors.ts';
import { type Capability, capabilitiesOf, type Machine, type MachineWith } from '../machine/machine.ts';
import type { RackedMachine } from '../rack/racked-machine.ts';
import { fitJson, maxAnswerChars } from './fit-json.ts';
import type { MachineTool, RackTool, ToolContext } from './tool.ts';

/** No call lasts longer: clients give up at 60 s. */
const hardLimitMs = 55_000;

export async function callRackTool(
  tool: RackTool,
  input: Record<string, unknown>,
  context: ToolContext,
): Promise<ToolAnswer> {
  const run = (signal: AbortSignal) => tool.run(input, { ...context, signal });
  return bounded(await withDeadline(context.via ?? tool.name, [context.signal], run));
}

/** Finds the machine, checks what the tool demands of it, takes its turn, and puts the state in front of the answer. */
export async function callMachineTool(
  tool: MachineTool,
  input: Record<string, unknown>,
  context: ToolContext,
  confirmed: boolean,
): Promise<ToolAnswer | { readonly question: string }> {
  const { machine: handle, ...own } = input;
  const racked = context.rack.get(typeof handle === 'string' ? handle : undefined);
  const { machine } = racked;
  requireCapabilities(racked, machine, tool.needs);
  const question = confirmed ? undefined : await tool.confirm?.(machine, own, context);
  if (question !== undefined) return { question };
  if (tool.effect !== 'read') racked.hold.requireFree(context.via ?? tool.name, context.person);
  if (context.person === undefined) racked.calledBy(context.client);
  const { gone, release } = racked.use();
  const what = context.via ?? tool.name;
  try {
    const answer = await withDeadline(what, [context.signal, gone], (signal) => {
      const run = () => {
        if (tool.whileStopped) requireStopped(what, racked);
        return tool.run(machine, own, { ...context, signal, handle: racked.handle });
      };
      if (tool.effect === 'read') return tool.letsTimePass ? run() : heldStill(machine, run);
      return racked.queue.run(what, signal, () => heeding(machine, signal, run));
    });
    const note = context.person === undefined && !context.isDebugger ? racked.hold.takeNote() : undefined;
    return bounded(withState(answer, racked, own.format === 'json', note, context.isDebugger));
  } finally {
    release();
    if (tool.effect !== 'read') context.rack.handled(racked);
  }
}

/** Several reads of a running machine see one moment of it. */
async function heldStill<T>(machine: Machine, read: () => Promise<T>): Promise<T> {
  if (machine.control === undefined || machine.status().state !== 'RUNNING') return read();
  const letGo = await machine.control.hold();
  try {
    return await read();
  } finally {
    letGo();
  }
}

async function heeding<T>(machine: Machine, signal: AbortSignal, change: () => Promise<T>): Promise<T> {
  const end = machine.heed?.(signal);
  try {
    return await change();
  } finally {
    end?.();
  }
}

async function withDeadline<T>(
  what: string,
  signals: readonly AbortSignal[],
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const follow = signals.map((signal) => {
    const onAbort = () => abort.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  });
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      abort.abort(new Error('the call took too long'));
      const fix = [advice`Look at the state with ${call('machine_list')}.`, advice`Call again with a shorter wait.`];
      reject(new MachineError('LIMIT_REACHED', `${what} was given up after ${hardLimitMs / 1000} s.`, fix));
    }, hardLimitMs);
  });
  try {
    return await Promise.race([task(abort.signal), tooLong]);
  } catch (error) {
    throw isCancellation(error, abort.signal) ? cancelled(what) : error;
  } finally {
    clearTimeout(timer);
    for (const unfollow of follow) unfollow();
  }
}

/** What timers and streams of Node fail with when they are told to stop. */
function isCancellation(error: unknown, { aborted, reason }: AbortSignal): boolean {
  if (!aborted || error instanceof MachineError || !(error instanceof Error)) return false;
  return error === reason || error.name === 'AbortError';
}

function cancelled(what: string): MachineError {
  const fix = [advice`Look at the state with ${call('machine_list')}: part of it may have been done.`];
  return new MachineError('CANCELLED', `${what} was cancelled.`, fix);
}

function requireCapabilities<C extends Capability>(
  racked: RackedMachine,
  machine: Machine,
  needs: readonly C[],
): asserts machine is MachineWith<C> {
  const missing = needs.filter((capability) => machine[capability] === undefined);
  if (missing.length === 0) return;
  const present = capabilitiesOf(machine);
  const { builtIn } = machine;
  const isBuiltIn = builtIn !== undefined && missing.every((name) => builtIn.has.includes(name));
  const why = machine.missingBecause === undefined ? '' : `: ${machine.missingBecause}`;
  throw new MachineError(
    'MISSING_CAPABILITY',
    `${racked.handle} is a ${machine.kind} machine and has no ${missing.join(', ')}${why}.`,
    [
      ...[...new Set(missing.flatMap((name) => machine.remedies?.[name] ?? []))].map((remedy) => [remedy]),
      ...(isBuiltIn ? [advice`The built-in machine has: ${call('machine_start', { kind: builtIn.kind })}.`] : []),
      ...(missing.some((name) => name === 'program') ? insteadOfProgram(machine) : []),
      advice`It has: ${present.join(', ')}.`,
      advice`${call('machine_list')} shows what each machine can do.`,
    ],
    { machine: racked.handle, missing, capabilities: present },
  );
}

/** What starts programs on a machine that only knows what its guest does. */
function insteadOfProgram({ console, memory }: Machine): readonly Advice[] {
  const typed = console ? [advice`Type its command: ${call('console_send', { text: '…', expect: '…' })}.`] : [];
  if (memory === undefined) return typed;
  return [
    advice`Start another machine with it: ${call('machine_start', { kind: 'qemu', options: { kernel: '…' } })} or a disk.`,
    ...typed,
    advice`Or place code yourself: ${call('memory_write')}, ${call('registers_write')}, ${call('run')}.`,
  ];
}

function requireStopped(what: string, racked: RackedMachine): void {
  const { state } = racked.machine.status();
  // One that is in an error is stopped as well: writing to it, or going back, is the way out.
  const valid = ['PAUSED', 'BREAKPOINT', 'ERROR', 'RESET'];
  if (valid.includes(state)) return;
  throw new MachineError(
    'WRONG_STATE',
    `${what} needs a stopped machine: ${racked.stateLine}.`,
    state === 'OFF'
      ? advice`Stop it with ${call('machine_stop', { machine: racked.handle })} and start another.`
      : advice`Call ${call('pause', { machine: racked.handle })} first.`,
    { machine: racked.handle, execution_state: state, valid_states: valid },
  );
}

function withState(
  answer: ToolAnswer,
  racked: RackedMachine,
  asJson: boolean,
  note: string | undefined,
  isDebugger = false,
): ToolAnswer {
  const told = note === undefined ? {} : { note };
  const data = jsonData({ machine: racked.handle, state: racked.machine.status().state, ...told, ...answer.data });
  const line = isDebugger ? racked.stateLine : racked.tellState();
  const lines = [line, note, answer.text].filter((part) => part !== undefined);
  const text = asJson ? fitJson(data) : lines.join('\n').trimEnd();
  return { ...answer, text, data };
}

function bounded(answer: ToolAnswer): ToolAnswer {
  if (answer.text.length <= maxAnswerChars) return answer;
  const left = answer.text.length - maxAnswerChars;
  return { ...answer, text: `${answer.text.slice(0, maxAnswerChars)}\n[${left} more characters left out]` };
}
