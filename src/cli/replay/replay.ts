import type { Caller, RecordedCall, ToolHost } from '../../api/tool-host.ts';
import type { Rack } from '../../rack/rack.ts';
import { aboutServer, difference } from './comparison.ts';

export interface ReplayedCall {
  readonly call: RecordedCall;
  readonly verdict: 'same' | 'different' | 'not compared';
  /** What differs, or why it was not compared. */
  readonly why?: string;
}

/** Machines whose state follows from their calls alone. */
const builtIn: ReadonlySet<string> = new Set(['c64', 'vic20', 'plus4', 'c16', 'dos']);
const endedByClock = /(stop \d+: time limit|not seen; the limit is reached)/;

/** Carries a recorded session out again, call by call, and holds each answer against the one that was recorded. */
export class Replay {
  readonly #host: ToolHost;
  readonly #rack: Rack;
  /** Machines that are not what they were, and why; what is not here and not alive was never started. */
  readonly #lost = new Map<string, string>();
  /** Steps of calls that have not ended yet, of each client. */
  readonly #steps = new Map<string, RecordedCall[]>();

  constructor(host: ToolHost, rack: Rack) {
    this.#host = host;
    this.#rack = rack;
  }

  /** Verdicts on the call and on its steps; none for a step, which waits for the call it belongs to. */
  async next(call: RecordedCall): Promise<readonly ReplayedCall[]> {
    if (call.within !== undefined) {
      this.#steps.set(call.client, [...(this.#steps.get(call.client) ?? []), call]);
      return [];
    }
    const steps = call.tool === 'batch' ? (this.#steps.get(call.client) ?? []) : [];
    this.#steps.delete(call.client);
    const then = [...steps, call];
    if (call.isPerson && call.tool.startsWith('page ')) return [this.#person(call)];
    const why = this.#whyNot(then);
    if (why !== undefined) {
      this.#lose(then, why);
      return then.map((each) => ({ call: each, verdict: 'not compared', why }));
    }
    await this.#makeRoom(call);
    const first = this.#rack.journal.entries.at(-1)?.seq ?? 0;
    await this.#host.call(call.tool, argumentsOf(call), callerOf(call));
    const now = this.#host.calls(first);
    const verdicts = then.map((each, index) => this.#verdict(each, now[index], index < now.length));
    this.#settle(then);
    return verdicts;
  }

  #verdict(then: RecordedCall, now: RecordedCall | undefined, isThere: boolean): ReplayedCall {
    if (!now || !isThere) return { call: then, verdict: 'different', why: 'it was not carried out' };
    if (aboutServer.has(then.tool)) return { call: then, verdict: 'not compared', why: 'it tells of the server' };
    if (endedByClock.test(then.answer)) return { call: then, verdict: 'not compared', why: 'real time ended it' };
    if (this.#runs(then.machine))
      return { call: then, verdict: 'not compared', why: 'the machine goes on in real time' };
    const why = difference(then, now);
    return why === undefined ? { call: then, verdict: 'same' } : { call: then, verdict: 'different', why };
  }

  /** Why a call cannot be carried out, or would not find the machine as it was. */
  #whyNot(calls: readonly RecordedCall[]): string | undefined {
    for (const { tool, machine, arguments: args, answer, isBeside } of calls) {
      const kind: unknown = Reflect.get(Object(args), 'kind');
      if (tool === 'machine_start' && typeof kind === 'string' && !builtIn.has(kind)) {
        return `a ${kind.slice(0, 40)} machine depends on more than its calls`;
      }
      if (typeof args !== 'object' || args === null) return 'its arguments were too large to be kept';
      if (JSON.stringify(args).includes('(not kept)')) return 'a password is not kept';
      if (/needs the role "|is held by a person/.test(answer)) return 'somebody else decided about it';
      if (isBeside) return 'it was read while another call was under way';
      const lost = machine === undefined ? undefined : this.#lost.get(machine);
      if (lost !== undefined && tool !== 'machine_start') return lost;
      const isNew = tool === 'machine_start' || Reflect.get(Object(args), 'into') === machine;
      if (machine !== undefined && !isNew && !this.#isAlive(machine) && !/^ERROR No machine/.test(answer)) {
        return `the start of ${machine} is not recorded`;
      }
    }
    return undefined;
  }

  #lose(calls: readonly RecordedCall[], why: string): void {
    for (const { machine, isBeside } of calls) {
      if (machine === undefined || isBeside || this.#lost.has(machine) || /held by a person|the role/.test(why))
        continue;
      this.#lost.set(machine, why);
    }
  }

  /** A machine whose time passed with that of this computer cannot be followed. */
  #settle(calls: readonly RecordedCall[]): void {
    for (const call of calls) {
      const { machine } = call;
      if (machine === undefined) continue;
      if (this.#runs(machine)) this.#lost.set(machine, `${machine} ran in real time since call ${call.seq}`);
      if (endedByClock.test(call.answer)) this.#lost.set(machine, `real time ended call ${call.seq} on ${machine}`);
    }
  }

  #person(call: RecordedCall): ReplayedCall {
    const { machine, tool, client } = call;
    const racked = this.#rack.machines.find(({ handle }) => handle === machine);
    if (tool === 'page take') racked?.hold.take('a person', client);
    else if (tool === 'page hand back')
      racked?.hold.handBack('a person', String(Reflect.get(Object(call.arguments), 'note') ?? ''));
    else if (machine !== undefined && !this.#lost.has(machine)) {
      this.#lost.set(machine, `a person used ${machine} in real time since entry ${call.seq}`);
    }
    return { call, verdict: 'not compared', why: 'a person did it' };
  }

  /** One that stopped for being idle is no call. */
  async #makeRoom({ tool, machine }: RecordedCall): Promise<void> {
    if (tool !== 'machine_start' || machine === undefined) return;
    this.#lost.delete(machine);
    if (this.#isAlive(machine)) await this.#rack.stop(machine, 'it is started again');
  }

  #runs(machine: string | undefined): boolean {
    return this.#rack.machines.some((each) => each.handle === machine && each.machine.status().state === 'RUNNING');
  }

  #isAlive(machine: string): boolean {
    return this.#rack.machines.some(({ handle }) => handle === machine);
  }
}

/** A machine gets the name it had, also where others before it are missing now. */
function argumentsOf({ tool, machine, arguments: args }: RecordedCall): unknown {
  return tool === 'machine_start' && machine !== undefined ? { name: machine, ...Object(args) } : args;
}

function callerOf({ client, via, answer, isPerson }: RecordedCall): Caller {
  return {
    client,
    role: 'own',
    signal: new AbortController().signal,
    progress: () => {},
    confirmed: !answer.startsWith('NOT DONE YET'),
    ...(via !== undefined && { via }),
    ...(isPerson && { person: 'a person' }),
  };
}
