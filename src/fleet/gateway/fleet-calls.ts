import type { Caller, Outcome } from '../../api/tool-host.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import { namedShortly } from '../../rack/machine-name.ts';
import type { Rack } from '../../rack/rack.ts';
import { listAnswer } from '../../tools/machine-list.ts';
import { stopAnswer } from '../../tools/machine-stop.ts';
import { matchesWords, pageByName } from '../../tools/name-page.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Elsewhere } from '../../tools/toolbox.ts';
import type { Names } from '../wire/names.ts';
import { fleetKinds } from './fleet-kinds.ts';
import type { FleetView, PlacedMachine } from './fleet-view.ts';
import { notesOf } from './notes-of.ts';
import { namingHosts } from './operators-word.ts';
import { describeHosts } from './placement.ts';
import type { RemoteCalls, Target } from './remote-calls.ts';
import { startSomewhere } from './start-somewhere.ts';

type Args = Readonly<Record<string, unknown>>;

export interface FleetCallParts {
  readonly view: FleetView;
  readonly calls: Pick<RemoteCalls, 'call'>;
  readonly names: Names;
  /** Of all machines of the fleet together. */
  readonly maxMachines: number;
  events(): Pick<Rack['events'], 'nextSeq'>;
  /** About how much memory a machine will take, in MiB, where that can be said. */
  memoryOf(kind: string, options: unknown): number | undefined;
}

/** Calls of agents, carried out where the machine is. */
export class FleetCalls implements Pick<Elsewhere, 'carryOut' | 'relay'> {
  readonly #parts: FleetCallParts;

  constructor(parts: FleetCallParts) {
    this.#parts = parts;
  }

  relay(tool: Tool, raw: unknown, caller: Caller): Promise<Outcome> | undefined {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw) || !('machine' in raw)) return undefined;
    const placed = typeof raw.machine === 'string' ? this.#parts.view.machine(raw.machine) : undefined;
    return placed && this.#at(targetOf(placed), tool.name, raw as Args, caller);
  }

  carryOut(tool: Tool, raw: unknown, input: Args, caller: Caller): Promise<Outcome> | undefined {
    const args: Args = { ...Object(raw) };
    if (tool.scope === 'machine') return this.#onMachine(tool.name, args, caller);
    switch (tool.name) {
      case 'machine_start':
        return startSomewhere(this.#parts, args, caller);
      case 'machine_stop':
        return this.#stop(String(input.machine), args, caller);
      case 'machine_kinds':
        return fleetKinds(this.#parts, typeof input.kind === 'string' ? input.kind : undefined, caller);
      case 'machine_list':
        return this.#list(input, caller);
      default:
        return undefined;
    }
  }

  /** Where a machine is; throws why it is nowhere. */
  async locate(handle: unknown): Promise<Target & { readonly machine: string }> {
    const { view, names } = this.#parts;
    const placed = typeof handle === 'string' ? view.machine(handle) : this.#only();
    if (placed) return targetOf(placed);
    const machine = String(handle);
    const lost = view.lost(machine);
    if (lost) throw lostMachine(machine, lost.host, lost.why);
    // It may have been started through another gateway a moment ago.
    const record = await names.find(machine).catch((error: unknown) => {
      const message = `Cannot find out where ${JSON.stringify(machine.slice(0, 100))} is: the store of names does not answer.`;
      throw new MachineError('UNAVAILABLE', message, 'Try again when the NATS server is back.', {}, { cause: error });
    });
    if (record?.state === 'held' && view.host(record.host)?.incarnation === record.incarnation)
      return { host: record.host, incarnation: record.incarnation, machine };
    throw this.#unknown(machine);
  }

  async #onMachine(tool: string, args: Args, caller: Caller): Promise<Outcome> {
    const target = await this.locate(args.machine);
    return this.#at(target, tool, { ...args, machine: target.machine }, caller);
  }

  #at(target: Target, tool: string, args: Args, caller: Caller): Promise<Outcome> {
    this.#requireReachable(target);
    return this.#parts.calls.call(target, tool, args, caller).then((outcome) => namingHosts(outcome, [target.host]));
  }

  async #stop(machine: string, args: Args, caller: Caller): Promise<Outcome> {
    const { view, names, calls } = this.#parts;
    const target = await this.locate(machine);
    if (view.silence(target.host) === 0) {
      const outcome = await calls.call(target, 'machine_stop', args, caller);
      if (outcome.type === 'answer') view.forget(machine);
      if (outcome.type !== 'answer') return outcome;
      // The machines of the whole fleet are left, not of that host alone.
      const left = view.machines.map(({ summary }) => summary.handle);
      return { type: 'answer', answer: stopAnswer(machine, String(outcome.answer.data?.lost ?? ''), left) };
    }
    await names.giveUp(machine, target);
    view.forget(machine, { host: target.host, why: 'it was given up' });
    const text = `${machine} is given up: host ${target.host} is not heard of. Should it come back, it stops the machine.`;
    return { type: 'answer', answer: { text, data: { machine, stopped: true, given_up: true } } };
  }

  async #list({ filter, after, wait_for, format }: Args, caller: Caller): Promise<Outcome> {
    const { view, calls } = this.#parts;
    const told: string[] = [];
    if (wait_for !== undefined) {
      const waited = await calls.call(await this.locate(wait_for), 'machine_list', { wait_for, filter: '-' }, caller);
      if (waited.type !== 'answer') return waited;
      told.push(...notesOf(waited));
    }
    const machines = view.machines.map((placed) => ({ handle: placed.summary.handle, placed }));
    const fitting = machines.filter(({ handle, placed: { host, summary } }) => {
      const texts = [handle, summary.kind, summary.state, summary.title ?? '', host, this.#silenceOf(host)];
      return matchesWords(texts, typeof filter === 'string' ? filter : undefined);
    });
    const chars = 600;
    const page = pageByName(fitting, typeof after === 'string' ? after : undefined, (one) => ({ ...one, chars }));
    const described = await this.#describe(page.listed, caller);
    const listed = page.listed.map(({ placed }) => this.#listed(placed, described.machines));
    const answer = listAnswer(
      {
        ...{ listed, left: page.left, running: machines.length, notes: [...told, ...described.notes] },
        nextEvent: this.#parts.events().nextSeq,
        hosts: describeHosts(view),
      },
      typeof format === 'string' ? format : undefined,
    );
    return { type: 'answer', answer };
  }

  /** As their hosts say, as far as those answer. */
  async #describe(wanted: readonly { readonly placed: PlacedMachine }[], caller: Caller) {
    const machines = new Map<string, { readonly text: string; readonly data: Record<string, unknown> }>();
    const notes: string[] = [];
    const hosts = [...new Set(wanted.map(({ placed }) => placed.host))];
    const asked = hosts
      .filter((host) => this.#parts.view.silence(host) === 0)
      .map((host) => [host, wanted.filter(({ placed }) => placed.host === host)] as const);
    const signal = AbortSignal.timeout(5000);
    await Promise.all(
      asked.map(async ([host, placed]) => {
        const { incarnation } = placed[0]?.placed ?? { incarnation: '' };
        const handles = placed.map(({ placed }) => placed.summary.handle);
        const answer = this.#parts.calls.call(
          { host, incarnation },
          'machines_describe',
          { machines: handles },
          {
            ...caller,
            signal,
            via: 'machine_list',
            isQuiet: true,
          },
        );
        const late = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
        const outcome = await Promise.race([answer, late]);
        if (outcome?.type !== 'answer') return;
        const { data } = outcome.answer;
        for (const each of (data?.machines ?? []) as { handle: string; text: string; data: Record<string, unknown> }[])
          machines.set(each.handle, each);
        notes.push(...notesOf(outcome));
      }),
    );
    return { machines, notes };
  }

  #listed(
    { host, summary }: PlacedMachine,
    described: ReadonlyMap<string, { readonly text: string; readonly data: Record<string, unknown> }>,
  ) {
    const { handle, kind, state, line, capabilities } = summary;
    const silence = this.#silenceOf(host);
    const known = described.get(handle);
    const text = known ? `${known.text}\n  on host ${host}` : `${line}\n  ${kind} on host ${host}${silence}`;
    const data = { ...(known?.data ?? { machine: handle, kind, state, capabilities }), host };
    return { handle, text, data: { ...data, ...(silence !== '' && { unreachable: true }) } };
  }

  #silenceOf(host: string): string {
    const silence = this.#parts.view.silence(host);
    return silence > 0 ? `, UNREACHABLE: not heard of for ${Math.round(silence / 1000)} s; it may be running` : '';
  }

  #only(): PlacedMachine {
    const { machines } = this.#parts.view;
    const [only, ...others] = machines;
    if (only && others.length === 0) return only;
    if (!only) throw this.#unknown(undefined);
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${machines.length} machines are running; say which one.`,
      `Add "machine" to the arguments: ${this.#alive()}.`,
    );
  }

  #requireReachable({ host, machine }: Target): void {
    if (this.#parts.view.isReachable(host)) return;
    const seconds = Math.round(this.#parts.view.silence(host) / 1000);
    throw new MachineError(
      'UNAVAILABLE',
      `${machine} is on host ${host}, which has not responded for ${seconds} s. Nothing was done; the machine may be running there.`,
      [
        advice`Try again later.`,
        advice`Give it up with ${call('machine_stop', { machine })}: its host stops it if it comes back.`,
      ],
      { host, machine },
    );
  }

  #unknown(machine: string | undefined): MachineError {
    if (this.#parts.view.machines.length === 0) {
      const message =
        machine === undefined ? 'No machine is running.' : `No machine ${JSON.stringify(machine.slice(0, 60))}.`;
      return new MachineError('UNKNOWN_MACHINE', message, advice`Start one with ${call('machine_start')}.`);
    }
    return new MachineError(
      'UNKNOWN_MACHINE',
      `No machine ${JSON.stringify(machine?.slice(0, 60))}: it was never started, was stopped, or sat idle too long.`,
      `Alive: ${this.#alive()}.`,
    );
  }

  #alive(): string {
    return namedShortly(this.#parts.view.machines.map(({ summary }) => summary.handle));
  }
}

function targetOf({ host, incarnation, summary }: PlacedMachine): Target & { readonly machine: string } {
  return { host, incarnation, machine: summary.handle };
}

function lostMachine(machine: string, host: string, why: string): MachineError {
  return new MachineError(
    'UNKNOWN_MACHINE',
    `${machine} was on host ${host} and is gone: ${why}.`,
    advice`Start it again with ${call('machine_start')}, from a snapshot file if there is one.`,
    { machine, host, lost: true },
  );
}
