import type { Caller, Outcome } from '../../api/tool-host.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import type { Rack } from '../../rack/rack.ts';
import type { DescribedMachines, Listed } from '../../tools/machine-list.ts';
import { stopAnswer } from '../../tools/machine-stop.ts';
import { compareNames, matchesWords } from '../../tools/name-page.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Outside } from '../../tools/toolbox.ts';
import type { FleetView } from '../gateway/fleet-view.ts';
import { notesOf } from '../gateway/notes-of.ts';
import type { Failure, RemoteCalls, Target } from '../gateway/remote-calls.ts';

/** More than one answer ever has room for. */
const mostDescribed = 300;

export interface ThreadCallParts {
  readonly view: FleetView;
  readonly calls: RemoteCalls;
  rack(): Rack;
  /** Kinds whose machines live in threads. */
  readonly kinds: ReadonlySet<string>;
  /** The thread for a new machine, for as long as the task lasts. */
  place<T>(task: (target: Target) => Promise<T>): Promise<T>;
}

/** Calls for machines in threads, carried out there. */
export class ThreadCalls implements Outside {
  readonly #parts: ThreadCallParts;

  constructor(parts: ThreadCallParts) {
    this.#parts = parts;
  }

  /** Undefined: the call is for this thread. */
  carryOut(tool: Tool, raw: unknown, input: Record<string, unknown>, caller: Caller): Promise<Outcome> | undefined {
    const { calls, kinds } = this.#parts;
    const args: Record<string, unknown> = { ...Object(raw) };
    if (tool.scope === 'machine') {
      const target = this.#find(args.machine);
      return target && calls.call(target, tool.name, { ...args, machine: target.machine }, caller);
    }
    if (tool.name === 'machine_stop') return this.#stop(this.#find(input.machine), args, caller);
    const kind = String(input.kind);
    if (tool.name !== 'machine_start' || !kinds.has(kind) || !this.#parts.rack().kinds.has(kind)) return undefined;
    return this.#parts.place((target) => calls.call(target, tool.name, args, caller));
  }

  /** In which thread a machine is; undefined if it is in this one, or nowhere. */
  #find(wanted: unknown): (Target & { readonly machine: string }) | undefined {
    const { view } = this.#parts;
    const { handles } = this.#parts.rack();
    const machine = wanted === undefined && handles.length === 1 ? handles[0] : wanted;
    if (typeof machine !== 'string') return undefined;
    const placed = view.machine(machine);
    if (placed) return { host: placed.host, incarnation: placed.incarnation, machine };
    const lost = view.lost(machine);
    if (lost && !handles.includes(machine)) throw lostMachine(machine, lost.why);
    return undefined;
  }

  #stop(target: Target | undefined, args: Record<string, unknown>, caller: Caller): Promise<Outcome> | undefined {
    if (!target) return undefined;
    return this.#parts.calls.call(target, 'machine_stop', args, caller).then((outcome) => {
      if (outcome.type !== 'answer') return outcome;
      const lost = String(outcome.answer.data?.lost ?? '');
      // Those of all threads are left.
      return { ...outcome, answer: stopAnswer(String(args.machine), lost, this.#parts.rack().handles) };
    });
  }

  async describe(
    { filter, after }: { readonly filter: string | undefined; readonly after: string | undefined },
    caller: Caller,
  ): Promise<DescribedMachines> {
    const fitting = this.#parts.view.machines
      .filter(({ summary: { handle, kind, state, title = '' } }) => {
        const isAfter = after === undefined || compareNames(handle, after) > 0;
        return isAfter && matchesWords([handle, kind, state, title], filter);
      })
      .toSorted((a, b) => compareNames(a.summary.handle, b.summary.handle));
    const wanted = fitting.slice(0, mostDescribed);
    const { machines, notes } = await this.describeThese(
      wanted.map(({ summary }) => summary.handle),
      caller,
    );
    const rest = fitting.slice(mostDescribed).map(({ summary: { handle, line } }) => ({
      ...{ handle, text: line, data: { machine: handle }, chars: line.length },
    }));
    return { machines: [...machines, ...rest], notes };
  }

  async describeThese(handles: readonly string[], caller: Caller): Promise<DescribedMachines> {
    const { view, calls } = this.#parts;
    const wanted = new Set(handles);
    const quiet: Caller = { ...plainCaller(caller), via: 'machine_list', isQuiet: true };
    const answers = await Promise.all(
      view.hosts.map(({ host, incarnation }) => {
        const here = view.machines.filter((placed) => placed.host === host && wanted.has(placed.summary.handle));
        const machines = here.map(({ summary }) => summary.handle);
        return calls.call({ host, incarnation }, 'machines_describe', { machines }, quiet);
      }),
    );
    const told = answers.flatMap((outcome) => (outcome.type === 'answer' ? [outcome.answer.data] : []));
    return { machines: told.flatMap((data) => (data?.machines ?? []) as Listed[]), notes: answers.flatMap(notesOf) };
  }

  whenFree(machine: string, caller: Caller): Promise<readonly string[]> | undefined {
    const target = this.#find(machine);
    if (!target) return undefined;
    const wanted = { wait_for: machine, filter: '-' };
    return this.#parts.calls.call(target, 'machine_list', wanted, plainCaller(caller)).then((outcome) => {
      if (outcome.type === 'error') throw outcome.error;
      return notesOf(outcome);
    });
  }
}

function plainCaller({ client, role, signal, progress, session, via, person }: Caller): Caller {
  return {
    ...{ client, role, signal, progress },
    ...(session !== undefined && { session }),
    ...(via !== undefined && { via }),
    ...(person !== undefined && { person }),
  };
}

export function unfinishedCall(tool: string, { machine }: Target, { why, isGone }: Failure): MachineError {
  const what = machine ?? 'the machine';
  const facts = machine !== undefined && { machine };
  if (!isGone) {
    const message = `${tool} was not answered by the thread of ${what}: ${why}. It may or may not have been carried out.`;
    const fix = advice`Check its state with ${call('machine_list')} before you call it again.`;
    return new MachineError('UNAVAILABLE', message, fix, { ...facts, outcome: 'unknown' });
  }
  return new MachineError(
    'UNAVAILABLE',
    `${tool} was not finished: the thread of ${what} ended (${why}), and ${what} is gone with it. Machines in other threads are not affected.`,
    advice`Start it again with ${call('machine_start')}, from a snapshot file if there is one.`,
    { ...facts, lost: true },
  );
}

function lostMachine(machine: string, why: string): MachineError {
  return new MachineError(
    'UNKNOWN_MACHINE',
    `${machine} is gone: the thread that it was in ended (${why}).`,
    advice`Start it again with ${call('machine_start')}, from a snapshot file if there is one.`,
    { machine, lost: true },
  );
}
