import type { Actor } from '../../api/roles.ts';
import type {
  Caller,
  Change,
  Deed,
  FollowedText,
  HostEvent,
  HostMoment,
  InspectionRead,
  MachineSummary,
  MomentsWanted,
  Outcome,
  ResourceFamily,
  ToolHost,
} from '../../api/tool-host.ts';
import type { Viewer } from '../../api/watch.ts';
import type { FleetToolHost } from '../gateway/fleet-tool-host.ts';

export interface ThreadedHostParts {
  /** The machines of this thread; its calls go to the others. */
  readonly local: ToolHost;
  readonly remote: FleetToolHost;
  isRemote(machine: string): boolean;
  /** The machines of all threads, as they came. */
  order(): readonly string[];
}

/** The machines of this thread and of others, through the interface that everybody uses. */
export class ThreadedToolHost implements ToolHost {
  readonly resources: readonly ResourceFamily[];
  readonly #parts: ThreadedHostParts;
  readonly #local: ToolHost;

  constructor(parts: ThreadedHostParts) {
    this.#parts = parts;
    this.#local = parts.local;
    this.resources = parts.local.resources.map((own, index) => {
      const other = parts.remote.resources[index];
      return other && own.owner ? bothOf(own, other, parts) : own;
    });
  }

  get tools() {
    return this.#local.tools;
  }
  get toolsets() {
    return this.#local.toolsets;
  }
  isListed(tool: string): boolean {
    return this.#local.isListed(tool);
  }
  onToolsListed(listener: () => void): () => void {
    return this.#local.onToolsListed(listener);
  }
  unknownTool(name: string) {
    return this.#local.unknownTool(name);
  }
  call(tool: string, args: unknown, caller: Caller): Promise<Outcome> {
    return this.#local.call(tool, args, caller);
  }
  check(tool: string, args: unknown, caller: Actor): void {
    this.#local.check(tool, args, caller);
  }
  onEvent(listener: (event: HostEvent) => void): () => void {
    return this.#local.onEvent(listener);
  }
  calls(after: number) {
    return this.#local.calls(after);
  }
  recorded(seq: number) {
    return this.#local.recorded(seq);
  }
  audit(actor: Partial<Actor>, deed: Deed): void {
    this.#local.audit(actor, deed);
  }
  kinds() {
    return this.#local.kinds();
  }
  drop(name: string, bytes: Uint8Array, actor: Actor): string {
    return this.#local.drop(name, bytes, actor);
  }

  machines(): readonly MachineSummary[] {
    const { local, remote, order } = this.#parts;
    const all = new Map([...local.machines(), ...remote.machines()].map((each) => [each.handle, each]));
    return order().flatMap((handle) => all.get(handle) ?? []);
  }

  onChange(listener: (change: Change) => void): () => void {
    return both(this.#local.onChange(listener), this.#parts.remote.onChange(listener));
  }

  onListChange(listener: () => void): () => void {
    return both(this.#local.onListChange(listener), this.#parts.remote.onListChange(listener));
  }

  keepWhile(isWanted: (machine: string) => boolean): () => void {
    return both(this.#local.keepWhile(isWanted), this.#parts.remote.keepWhile(isWanted));
  }

  sessionEnded(session: string): void {
    this.#local.sessionEnded(session);
    this.#parts.remote.sessionEnded(session);
  }

  moments(machine: string, wanted: MomentsWanted, listener: (moment: HostMoment) => void): (() => void) | undefined {
    return this.#of(machine).moments(machine, wanted, listener);
  }

  visit(machine: string, who: string): (() => void) | undefined {
    return this.#of(machine).visit(machine, who);
  }

  outputOf(machine: string): Promise<string> | undefined {
    return this.#of(machine).outputOf(machine);
  }

  /** The machine may be started later, here or there. */
  follow(machine: string): FollowedText {
    const { local, remote, isRemote } = this.#parts;
    const [own, other] = [local.follow(machine), remote.follow(machine)];
    return { next: () => (isRemote(machine) ? other : own).next() };
  }

  watch(machine: string, console: string | undefined, actor: Actor, viewer: Viewer) {
    return this.#of(machine).watch(machine, console, actor, viewer);
  }

  glimpse(machine: string) {
    return this.#of(machine).glimpse(machine);
  }

  inspect(machine: string, reads: readonly InspectionRead[], caller: Caller) {
    return this.#of(machine).inspect(machine, reads, caller);
  }

  take(machine: string, actor: Actor): Promise<void> {
    return this.#of(machine).take(machine, actor);
  }

  handBack(machine: string, actor: Actor, note: string): Promise<void> {
    return this.#of(machine).handBack(machine, actor, note);
  }

  rename(machine: string, title: string, actor: Actor): Promise<void> {
    return this.#of(machine).rename(machine, title, actor);
  }

  #of(machine: string): ToolHost {
    return this.#parts.isRemote(machine) ? this.#parts.remote : this.#local;
  }
}

/** The resources of one sort, wherever their machines are. */
function bothOf(own: ResourceFamily, other: ResourceFamily, { isRemote, order }: ThreadedHostParts): ResourceFamily {
  const of = (uri: string) => (isRemote(own.owner?.(uri) ?? '') ? other : own);
  return {
    ...own,
    list() {
      const place = new Map(order().map((handle, index) => [handle, index]));
      const placeOf = (uri: string) => place.get(own.owner?.(uri) ?? '') ?? 0;
      return [...own.list(), ...other.list()].toSorted((a, b) => placeOf(a.uri) - placeOf(b.uri));
    },
    read: (uri) => of(uri).read(uri),
    complete(variable, typed) {
      const values = [...(own.complete?.(variable, typed) ?? []), ...(other.complete?.(variable, typed) ?? [])];
      return [...new Set(values)];
    },
  };
}

function both(first: () => void, second: () => void): () => void {
  return () => {
    first();
    second();
  };
}
