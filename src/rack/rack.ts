import type { DebugPorts } from '../api/debug-ports.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import type { HostFiles } from '../machine/files.ts';
import type { Host, HostSettings, KeptMachine } from '../machine/host.ts';
import type { Kind } from '../machine/kind.ts';
import type { Policy, PolicyRule } from '../machine/policy.ts';
import type { ProfileShelf } from '../machine/profiles.ts';
import { Audit } from './audit.ts';
import { EventLog } from './event-log.ts';
import { Journal } from './journal.ts';
import { checkMachineName, mostNamed, namedShortly } from './machine-name.ts';
import { RackedMachine } from './racked-machine.ts';

/** What a machine takes of what all racks of a fleet may have. */
export interface ClaimedMachine {
  readonly kind: string;
  /** About. */
  readonly memoryMib: number;
  /** The user's configuration has it. */
  readonly isKept: boolean;
}

/** Names that no other rack of a fleet has. */
export interface NameClaims {
  /** Takes a name before a machine starts under it, or throws who has it or that there may be no more. */
  claim(name: string, machine: ClaimedMachine): Promise<void>;
  /** Takes a name for a machine, where all racks together choose it. */
  take?(machine: ClaimedMachine): Promise<string>;
  /** Never fails. */
  release(name: string): Promise<void>;
}

/** What the rack needs from the process it lives in. */
export interface RackServices {
  readonly runtimeDir: string;
  readonly settings: HostSettings;
  readonly files: HostFiles;
  readonly policy: Policy;
  /** What operators of other hosts allow. */
  readonly furtherRules?: () => readonly PolicyRule[];
  readonly profiles?: ProfileShelf | undefined;
  guardProcessGroup: Host['guardProcessGroup'];
  log(level: 'debug' | 'info' | 'error', text: string): void;
  readonly journalSink?: (line: string) => void;
  readonly auditSink?: (line: string) => void;
  /** Where a person can watch, if an agent has not been told yet; opens that place if need be. Never fails. */
  readonly introducePage?: () => Promise<string | undefined>;
  /** Where names are claimed that are to be unique beyond this process. */
  readonly names?: NameClaims | undefined;
  /** Where debuggers of people can be let in. */
  readonly debugPorts?: () => DebugPorts | undefined;
}

export interface RackLimits {
  readonly machines: number;
  readonly traceBytes: number;
  /** 0: machines are never stopped for being idle. */
  readonly idleTimeoutMs: number;
  /** Nobody is left to use a machine after the call that starts it. */
  readonly endsWithCall?: boolean;
}

/** Everything that is alive: machines, their handles and leases, the events and the journal of calls. */
export class Rack {
  /** Those that agents may start. */
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly limits: RackLimits;
  readonly events = new EventLog();
  readonly journal: Journal;
  readonly audit: Audit;
  readonly #allKinds: ReadonlyMap<string, Kind>;
  readonly #services: RackServices;
  readonly #machines = new Map<string, RackedMachine>();
  /** Names of machines that are being started: taken, but not to be had yet. */
  readonly #starting = new Set<string>();
  /** Names of machines that are in other threads of this process, or are being started there. */
  readonly #reserved = new Set<string>();
  /** All machines of this process, here and in other threads, as they came. */
  readonly #handles = new Set<string>();
  readonly #changeListeners = new Set<() => void>();
  readonly #outputListeners = new Set<(handle: string, port: string) => void>();
  readonly #stateListeners = new Set<(handle: string) => void>();
  readonly #wishes = new Set<(handle: string) => boolean>();
  #closed = false;

  constructor(kinds: readonly Kind[], services: RackServices, limits: RackLimits) {
    this.#allKinds = new Map(kinds.map((kind) => [kind.kind, kind]));
    const { kinds: allowed } = services.policy;
    const offered = kinds.filter(({ kind }) => allowed === undefined || allowed.includes(kind));
    this.kinds = new Map(offered.map((kind) => [kind.kind, kind]));
    this.limits = limits;
    this.journal = new Journal(limits.traceBytes, services.journalSink);
    this.audit = new Audit(services.auditSink);
    this.#services = services;
    this.events.onEvent(({ machine }) => {
      // What changes in another thread is told from there.
      if (!this.#reserved.has(machine)) this.stateChanged(machine);
    });
  }

  /** Where a person can watch the machines, once, where that is for an agent to say. */
  async introducePage(): Promise<string | undefined> {
    return this.#services.introducePage?.();
  }

  get debugPorts(): DebugPorts | undefined {
    return this.#services.debugPorts?.();
  }

  get machines(): readonly RackedMachine[] {
    return [...this.#machines.values()];
  }

  /** `kept` is for machines of the user's configuration: they stay, and the limit of machines is not for them. */
  async start(kindName: string, options: unknown, name?: string, kept?: KeptMachine): Promise<RackedMachine> {
    const kind = (kept && this.#allKinds.get(kindName)) ?? this.kind(kindName);
    if (name !== undefined) checkMachineName(name);
    const claimed = { kind: kindName, memoryMib: memoryOf(kind, options), isKept: kept !== undefined };
    const taken = name === undefined ? await this.#services.names?.take?.(claimed) : undefined;
    const handle = name ?? taken ?? this.#freeHandle(kindName);
    this.#refuseIfTaken(handle);
    if (!kept) this.#refuseIfFull();
    this.#starting.add(handle);
    try {
      if (taken === undefined) await this.#services.names?.claim(handle, claimed);
      try {
        return await this.#startAs(handle, kind, options, kept);
      } catch (error) {
        await this.#services.names?.release(handle);
        throw error;
      }
    } finally {
      this.#starting.delete(handle);
    }
  }

  /** About how much memory a machine will take, in MiB; nothing where kind or options are wrong. */
  memoryOf(kindName: string, options: unknown): number | undefined {
    const kind = this.kinds.get(kindName);
    const { data } = kind?.options.safeParse(options ?? {}) ?? {};
    return kind && data && (kind.memoryMib?.(data) ?? 1);
  }

  /** Takes a name for a machine in another thread, or throws why it cannot be had; without one, a free one of the kind. */
  async reserve(machine: ClaimedMachine, name?: string): Promise<string> {
    const handle = name ?? this.#freeHandle(machine.kind);
    this.#refuseIfTaken(handle);
    this.#refuseIfFull();
    this.#reserved.add(handle);
    try {
      await this.#services.names?.claim(handle, machine);
      return handle;
    } catch (error) {
      this.#reserved.delete(handle);
      throw error;
    }
  }

  /** The machine in another thread is gone, or did not start. */
  async unreserve(handle: string): Promise<void> {
    if (this.#reserved.delete(handle)) await this.#services.names?.release(handle);
  }

  /** The machines that are in other threads now. */
  seeOutside(handles: readonly string[]): void {
    for (const handle of this.#handles) {
      if (!this.#machines.has(handle) && !handles.includes(handle)) this.#handles.delete(handle);
    }
    for (const handle of handles) this.#handles.add(handle);
  }

  /** All machines of this process, here and in other threads, as they came. */
  get handles(): readonly string[] {
    return [...this.#handles];
  }

  /** The machine of this handle; without one, the only machine there is. */
  get(handle: string | undefined): RackedMachine {
    if (handle === undefined) {
      const [only] = this.#machines.values();
      if (only !== undefined && this.#handles.size === 1) return only;
      throw this.#handles.size === 0
        ? new MachineError('UNKNOWN_MACHINE', 'No machine is running.', [
            advice`Start one with ${call('machine_start')}.`,
            advice`${call('machine_kinds')} lists the kinds.`,
          ])
        : new MachineError(
            'INVALID_ARGUMENT',
            `${this.#handles.size} machines are running; say which one.`,
            `Add "machine" to the arguments: ${this.#alive()}.`,
          );
    }
    const found = this.#machines.get(handle);
    if (found) return found;
    throw new MachineError(
      'UNKNOWN_MACHINE',
      `No machine ${JSON.stringify(handle.slice(0, 60))}: it was never started, was stopped, or sat idle too long.`,
      this.#handles.size > 0
        ? `Alive: ${this.#alive()}.`
        : advice`None is running; start one with ${call('machine_start')}.`,
      { machines: this.handles.slice(0, mostNamed) },
    );
  }

  async stop(handle: string, why: string): Promise<void> {
    const racked = this.get(handle);
    if (racked.isKept) {
      throw new MachineError(
        'DENIED',
        `${handle} is kept by the user's configuration and cannot be stopped.`,
        'Leave it; the user can take it out of the configuration file.',
      );
    }
    this.#machines.delete(handle);
    this.#handles.delete(handle);
    try {
      await racked.dispose();
    } finally {
      await this.#services.names?.release(handle);
      this.events.add(handle, { type: 'machine_stopped', text: why });
      for (const listener of this.#changeListeners) listener();
    }
  }

  get policy(): Policy {
    return this.#services.policy;
  }

  /** All that operators allow, for people and agents. */
  get rules(): readonly PolicyRule[] {
    return [...this.policy.rules, ...(this.#services.furtherRules?.() ?? [])];
  }

  /** Profiles that the user keeps; none where there is no place for them. */
  get profiles(): ProfileShelf | undefined {
    return this.#services.profiles;
  }

  /** Files that agents name. */
  get files(): HostFiles {
    return this.#services.files;
  }

  /** A whole new file that only this user can read. */
  async writeFile(path: string, bytes: Uint8Array): Promise<void> {
    await this.files.writeNew(path, bytes);
  }

  /** Machines came or went. */
  onChange(listener: () => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  /** A console printed something, or its link changed. */
  onOutput(listener: (handle: string, port: string) => void): () => void {
    this.#outputListeners.add(listener);
    return () => this.#outputListeners.delete(listener);
  }

  /** A machine may be in another state than before. */
  onStateChange(listener: (handle: string) => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  stateChanged(handle: string): void {
    for (const listener of this.#stateListeners) listener(handle);
  }

  /** An agent or a person has done something that may have changed a machine. Stops that matter to others are events. */
  handled(racked: RackedMachine): void {
    if (this.#machines.get(racked.handle) !== racked) return;
    const stop = racked.unannouncedStop();
    if (stop) this.events.add(racked.handle, { type: 'stop', text: stop.reason, data: { ...stop } });
    else this.stateChanged(racked.handle);
  }

  /** Machines for which `isWanted` says yes are not idle; the answer takes it back. */
  keepWhile(isWanted: (handle: string) => boolean): () => void {
    this.#wishes.add(isWanted);
    return () => this.#wishes.delete(isWanted);
  }

  /** What a client left on consoles is not needed any more. */
  forgetSession(session: string): void {
    for (const { machine } of this.#machines.values()) {
      for (const port of machine.console?.ports ?? []) port.forgetSession(session);
    }
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const machines = this.machines;
    this.#machines.clear();
    this.#handles.clear();
    await Promise.allSettled(machines.map((racked) => racked.dispose()));
    await Promise.all(machines.map(({ handle }) => this.#services.names?.release(handle)));
    for (const { handle } of machines) this.events.add(handle, { type: 'machine_stopped', text: 'its server ended' });
  }

  /** Those that are being started count. */
  #startedByAgents(): number {
    return this.machines.filter(({ isKept }) => !isKept).length + this.#starting.size + this.#reserved.size;
  }

  async #startAs(
    handle: string,
    kind: Kind,
    rawOptions: unknown,
    kept: KeptMachine | undefined,
  ): Promise<RackedMachine> {
    const abort = new AbortController();
    const host: Host = {
      handle,
      signal: abort.signal,
      report: (event) => {
        if (event.type === 'stop') this.#machines.get(handle)?.announced(event.data?.seq);
        this.events.add(handle, event);
      },
      log: (level, text) => this.#services.log(level, `${handle}: ${text}`),
      files: this.#services.files,
      policy: this.#services.policy,
      runtimeDir: this.#services.runtimeDir,
      settings: this.#services.settings,
      guardProcessGroup: (pid) => this.#services.guardProcessGroup(pid),
      ...(kept && { kept }),
    };
    const options = kind.options.parse(rawOptions);
    const machine = await kind.start(options, host);
    const isWanted = () => [...this.#wishes].some((wish) => wish(handle));
    const racked = new RackedMachine(handle, machine, options, { abort, isWanted, isKept: kept !== undefined });
    if (this.#closed) {
      await racked.dispose();
      throw new MachineError('UNAVAILABLE', 'The server is shutting down.', 'Start it again.');
    }
    this.#machines.set(handle, racked);
    this.#handles.add(handle);
    racked.watchOutput((port) => {
      for (const listener of this.#outputListeners) listener(handle, port);
    });
    if (!kept)
      racked.startLease(this.limits.idleTimeoutMs, () => {
        this.stop(handle, `stopped after ${this.limits.idleTimeoutMs / 1000} s without a call`).catch(
          (error: unknown) => {
            this.#services.log('error', `${handle}: ${error instanceof Error ? error.stack : String(error)}`);
          },
        );
      });
    this.events.add(handle, { type: 'machine_started', text: `${kind.kind} started` });
    for (const listener of this.#changeListeners) listener();
    return racked;
  }

  /** What there is on this computer to start a machine of this kind with. */
  async surroundings(kind: string): Promise<readonly string[]> {
    return (await this.kind(kind).surroundings?.(this.policy)) ?? [];
  }

  kind(name: string): Kind {
    const kind = this.kinds.get(name);
    if (kind) return kind;
    throw new MachineError('UNKNOWN_KIND', `No kind ${JSON.stringify(name.slice(0, 60))}.`, [
      advice`Kinds: ${[...this.kinds.keys()].join(', ')}${this.policy.kinds ? '; the operator allows no others' : ''}.`,
      advice`${call('machine_kinds')} describes them.`,
    ]);
  }

  #refuseIfFull(): void {
    if (this.#startedByAgents() < this.limits.machines) return;
    const { machines: most } = this.limits;
    throw new MachineError('LIMIT_REACHED', `The limit of ${most} ${most === 1 ? 'machine' : 'machines'} is reached.`, [
      advice`Stop one with ${call('machine_stop')}.`,
      advice`The user can start the server with a higher --max-machines. Alive: ${this.#alive()}.`,
    ]);
  }

  #isTaken(handle: string): boolean {
    return this.#machines.has(handle) || this.#starting.has(handle) || this.#reserved.has(handle);
  }

  #refuseIfTaken(handle: string): void {
    if (!this.#isTaken(handle)) return;
    throw new MachineError('NAME_TAKEN', `A machine named ${handle} is already running.`, [
      advice`Use it, or give the new one another name.`,
      advice`Stop it with ${call('machine_stop', { machine: handle })}.`,
    ]);
  }

  #freeHandle(kind: string): string {
    let number = 1;
    while (this.#isTaken(`${kind}-${number}`)) number++;
    return `${kind}-${number}`;
  }

  #alive(): string {
    return namedShortly(this.handles);
  }
}

/** About how much memory a machine will take. */
function memoryOf(kind: Kind, options: unknown): number {
  return kind.memoryMib?.(kind.options.parse(options)) ?? 1;
}
