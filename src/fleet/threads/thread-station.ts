import { basename } from 'node:path';
import type { ToolHost } from '../../api/tool-host.ts';
import { MachineError } from '../../machine/errors.ts';
import type { Rack } from '../../rack/rack.ts';
import type { RackedMachine } from '../../rack/racked-machine.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { Answered } from '../station/queries.ts';
import { StationDesk } from '../station/station-desk.ts';
import type { Holder } from '../wire/names.ts';
import { errorData } from '../wire/outcome-data.ts';
import type { Beat } from '../wire/shapes.ts';
import { subjects } from '../wire/subjects.ts';
import { EventPost } from './event-post.ts';
import type { PortWire } from './port-wire.ts';

export interface ThreadStationParts {
  readonly line: PortWire;
  readonly host: ToolHost;
  readonly toolbox: Toolbox;
  readonly who: Holder;
  readonly version: string;
  /** What a server shows of its own accord. */
  demo(rack: Rack): Promise<void>;
  log(level: 'info' | 'error', text: string): void;
}

/** The machines of this thread, for the one that serves. */
export class ThreadStation {
  readonly #rack: Rack;
  readonly #desk: StationDesk;
  readonly #told = new Map<string, string>();

  constructor(parts: ThreadStationParts) {
    const { line, host, toolbox, who } = parts;
    this.#rack = toolbox.rack;
    this.#desk = new StationDesk({
      ...parts,
      isSafe: true,
      // People find the sockets where this process has them: nothing leads through here.
      socketNames: (machine) => this.#portsOf(machine).map(({ humans }) => basename(humans.socketOut, '.out')),
      socketPaths: () => undefined,
      answering: (machine) => this.#answering(machine),
      query: (what, of) => this.#own(parts, what, of),
    });
    const post = new EventPost(line, who.host);
    host.onEvent((event) => post.add(event));
    const beat: Beat = {
      ...who,
      version: parts.version,
      labels: {},
      capacity: Number.MAX_SAFE_INTEGER,
      machines: 0,
      kinds: host.kinds().map(({ kind }) => kind),
      load: 0,
      news: this.#desk.news.seq,
      isDraining: false,
      isLeaving: false,
    };
    line.publish(subjects.beat(who.host), beat);
  }

  close(): void {
    this.#desk.hush();
  }

  #own(parts: ThreadStationParts, what: unknown, of: unknown): Promise<Answered> | undefined {
    const { number, machine, why } = Object(of) as Record<string, unknown>;
    switch (what) {
      case 'still':
        return parts.toolbox.stills
          .read(Number(number))
          .then((body) => ({ head: { isThere: body !== undefined }, ...(body && { body }) }));
      case 'stop':
        return this.#rack.stop(String(machine), String(why)).then(() => ({ head: {} }));
      case 'demo':
        return this.#show(parts.demo);
      default:
        return undefined;
    }
  }

  async #show(demo: (rack: Rack) => Promise<void>): Promise<Answered> {
    try {
      await demo(this.#rack);
      for (const { handle } of this.#rack.machines) this.#answering(handle);
      return { head: {} };
    } catch (error) {
      if (error instanceof MachineError) return { head: { error: errorData(error) } };
      throw error;
    }
  }

  /** Who was answered finds the machine as the answer says. */
  #answering(machine: string | undefined): void {
    const racked = this.#rack.machines.find(({ handle }) => handle === machine);
    if (!racked) return;
    const state = stateOf(racked);
    if (this.#told.get(racked.handle) === state) return;
    this.#told.set(racked.handle, state);
    this.#desk.news.tellNow(racked.handle);
  }

  #portsOf(machine: string) {
    return this.#rack.machines.find(({ handle }) => handle === machine)?.machine.console?.ports ?? [];
  }
}

function stateOf(racked: RackedMachine): string {
  const { title, callers, hold } = racked;
  return JSON.stringify([racked.stateLine, title, callers, hold.holder?.name, racked.machine.control?.canRewind]);
}
