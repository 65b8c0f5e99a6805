import type { HostEvent, ToolHost } from '../../api/tool-host.ts';
import type { PolicyRule } from '../../machine/policy.ts';
import type { Rack } from '../../rack/rack.ts';
import type { Elsewhere } from '../../tools/toolbox.ts';
import { EventInbox } from '../wire/event-store.ts';
import type { FleetLine } from '../wire/fleet-line.ts';
import { Names } from '../wire/names.ts';
import { BroughtFiles } from './brought-files.ts';
import { capableOf } from './capable-of.ts';
import { ConsoleSockets } from './console-sockets.ts';
import { FleetCalls } from './fleet-calls.ts';
import { FleetToolHost } from './fleet-tool-host.ts';
import { FleetView } from './fleet-view.ts';
import { Inbox } from './inbox.ts';
import { MissingHosts } from './missing-hosts.ts';
import { RemoteCalls } from './remote-calls.ts';
import { RemoteStills } from './remote-stills.ts';
import { quotaRules } from './team-quota.ts';

/** How long the first words of stations are waited for: after that the gateway serves whoever is there. */
const helloMs = 1500;

/** One endpoint over all hosts. It holds nothing that another gateway does not know. */
export class Gateway {
  /** Whose it is, where the NATS server has several. */
  readonly team: string | undefined;
  readonly #line: FleetLine;
  readonly #inbox: Inbox;
  readonly #view: FleetView;
  readonly #missing: MissingHosts;
  readonly #events: EventInbox;
  readonly #calls: RemoteCalls;
  readonly elsewhere: Elsewhere;
  readonly #log: (text: string) => void;
  #host: FleetToolHost | undefined;
  #sockets: ConsoleSockets | undefined;
  #takeEvent: (event: HostEvent) => void = () => {};
  #nextEvent: () => number = () => 1;
  #memoryOf: Rack['memoryOf'] = () => undefined;
  readonly #stills = new RemoteStills();
  #brought: BroughtFiles | undefined;

  constructor(line: FleetLine, maxMachines: number, log: (text: string) => void, team?: string) {
    this.team = team;
    this.#line = line;
    this.#log = log;
    this.#inbox = new Inbox(line);
    const view = new FleetView(line, this.#inbox);
    this.#view = view;
    this.#missing = new MissingHosts(this.#inbox, view);
    this.#calls = new RemoteCalls(line, this.#inbox);
    view.onHostGone = (host, incarnation, why) => this.#calls.hostGone(host, incarnation, why);
    this.#events = new EventInbox(line, (event) => this.#takeEvent(event));
    const calls = new FleetCalls({
      ...{ view, names: new Names(line), maxMachines },
      calls: {
        call: async (target, tool, args, caller) => {
          if (this.#brought?.isEmpty === false) await this.#brought.bring(target.host, args, caller);
          return this.#stills.translate(await this.#calls.call(target, tool, args, caller), target);
        },
      },
      memoryOf: (kind, options) => this.#memoryOf(kind, options),
      events: () => ({ nextSeq: this.#nextEvent() }),
    });
    const listeners = new Set<() => void>();
    this.elsewhere = {
      relay: (tool, raw, caller) => calls.relay(tool, raw, caller),
      carryOut: (tool, raw, input, caller) => calls.carryOut(tool, raw, input, caller),
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      get machines() {
        return view.machines.map(({ summary }) => capableOf(summary));
      },
    };
    this.#announce = () => {
      for (const listener of listeners) listener();
    };
  }

  readonly #announce: () => void;

  rules(): readonly PolicyRule[] {
    return quotaRules(this.#view);
  }

  /** Puts the fleet in front of what this process has: tools, journal and the events, which come from the fleet. */
  async open(local: ToolHost, rack: Pick<Rack, 'events' | 'memoryOf' | 'files'>, directory: string): Promise<ToolHost> {
    const { events, files } = rack;
    this.#memoryOf = (kind, options) => rack.memoryOf(kind, options);
    this.#takeEvent = (event) => events.mirror(event);
    this.#nextEvent = () => events.nextSeq;
    const { line, inbox, view } = { line: this.#line, inbox: this.#inbox, view: this.#view };
    const brought = new BroughtFiles({
      read: (path) => files.read(path, Number.POSITIVE_INFINITY),
      has: (at, path, sha256) => host.hasDropped(at, path, sha256),
      send: (to, name, bytes, actor) => host.bring(to, name, bytes, actor),
    });
    const host = new FleetToolHost({ line, inbox, view, local, stills: this.#stills, brought });
    this.#brought = brought;
    this.#host = host;
    const sockets = new ConsoleSockets({ line, inbox, view }, directory, this.#log);
    this.#sockets = sockets;
    this.#host.onListChange(() => {
      this.#announce();
      sockets.update();
    });
    view.hello();
    await Promise.all([this.#events.read(), new Promise((resolve) => setTimeout(resolve, helloMs))]);
    return this.#host;
  }

  async close(): Promise<void> {
    this.#missing.close();
    this.#events.close();
    this.#host?.close();
    await this.#sockets?.close();
    this.#view.close();
    this.#inbox.close();
    await this.#line.close();
  }
}
