import { MachineError } from '../../machine/errors.ts';
import type { ClaimedMachine } from '../../rack/rack.ts';
import type { FleetLine } from '../wire/fleet-line.ts';
import { type Holder, isSame, type Names } from '../wire/names.ts';
import type { Quota } from '../wire/quota.ts';
import { isOfServer } from '../wire/server-faults.ts';
import { ensureStreams, namesStream } from '../wire/streams.ts';
import { subjects } from '../wire/subjects.ts';
import { Admission } from './admission.ts';
import type { HostMemory } from './host-memory.ts';

const lookMs = 5_000;
/** Node takes longer ones for none at all. */
const longestTimerMs = 2 ** 31 - 1;

interface Held {
  readonly revision: number;
  readonly machine: ClaimedMachine;
  /** Ends its time. */
  readonly timer?: NodeJS.Timeout | undefined;
}

export interface HeldNamesParts {
  readonly line: FleetLine;
  readonly names: Names;
  readonly who: Holder;
  readonly quota: Quota;
  readonly memory: HostMemory;
  log(level: 'info' | 'error', text: string): void;
}

/** The names of this station's machines: claimed before a machine starts, written down again when the store has lost them. */
export class HeldNames {
  readonly #line: FleetLine;
  readonly #names: Names;
  readonly #who: Holder;
  readonly #admission: Admission;
  readonly #memory: HostMemory;
  readonly #minutes: number | undefined;
  readonly #held = new Map<string, Held>();
  /** Of machines that ended while the server was away. */
  readonly #unreleased = new Map<string, number>();
  readonly #stops: (() => void)[];
  readonly #log: (level: 'info' | 'error', text: string) => void;
  #created = '';
  #isLooking = false;
  /** Somebody gave a machine up, or has its name: it has to be ended. */
  onLost: (name: string) => void = () => {};
  /** The minutes of a machine are over. */
  onOver: (name: string, minutes: number) => void = () => {};

  constructor({ line, names, who, quota, memory, log }: HeldNamesParts) {
    this.#memory = memory;
    this.#line = line;
    this.#names = names;
    this.#who = who;
    this.#log = log;
    this.#minutes = quota.minutes;
    this.#admission = new Admission(line, quota);
    const timer = setInterval(() => void this.#look(false), lookMs);
    this.#stops = [
      line.onReconnect(() => void this.#look(true)),
      line.subscribeRaw(subjects.allNames, (subject) => void this.#changed(subjects.machineOf(subject))),
      () => clearInterval(timer),
    ];
  }

  /** What this host held in an earlier life is free. Answers the machines that ended with it, which nobody was told of. */
  async begin(): Promise<readonly string[]> {
    const lost: string[] = [];
    for (const { name, record } of await this.#names.heldBy(this.#who.host)) {
      if (isSame(record, this.#who)) continue;
      await this.#names.release(name, record.revision);
      if (record.state === 'held') lost.push(name);
    }
    await this.#look(false);
    await this.#admission.begin();
    return lost;
  }

  async claim(name: string, machine: ClaimedMachine): Promise<void> {
    if (machine.isKept) this.#memory.keep(name, machine.memoryMib);
    else this.#memory.take(name, machine.memoryMib);
    const revision = await this.#admission
      .inTurn(() => this.#names.claim(name, this.#who, machine, () => this.#admission.admit(name, machine)))
      .catch((error: unknown) => {
        this.#memory.give(name);
        throw error;
      });
    this.#held.set(name, { revision, machine, timer: this.#timerOf(name, machine) });
    this.#unreleased.delete(name);
  }

  async release(name: string): Promise<void> {
    const held = this.#held.get(name);
    this.#held.delete(name);
    this.#memory.give(name);
    if (!held) return;
    clearTimeout(held.timer);
    const { revision } = held;
    // A server that is away is told when it is back.
    await this.#names.release(name, revision).catch(() => this.#unreleased.set(name, revision));
  }

  close(): void {
    for (const stop of this.#stops) stop();
    for (const { timer } of this.#held.values()) clearTimeout(timer);
  }

  #timerOf(name: string, { isKept }: ClaimedMachine): NodeJS.Timeout | undefined {
    const minutes = this.#minutes;
    if (minutes === undefined || isKept) return undefined;
    return setTimeout(() => this.onOver(name, minutes), Math.min(minutes * 60_000, longestTimerMs)).unref();
  }

  /** All of them after the server was away; else only if it has another store than before. */
  async #look(always: boolean): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    await this.#unlessAway(async () => {
      const { manager } = await this.#line.streams();
      await ensureStreams(manager);
      const { created } = await manager.streams.info(namesStream);
      const isOther = this.#created !== '' && created !== this.#created;
      this.#created = created;
      if (isOther || always) for (const name of this.#held.keys()) await this.#assert(name);
      for (const [name, revision] of this.#unreleased) {
        await this.#names.release(name, revision);
        this.#unreleased.delete(name);
      }
    }).finally(() => {
      this.#isLooking = false;
    });
  }

  async #changed(name: string): Promise<void> {
    if (this.#held.has(name)) await this.#unlessAway(() => this.#assert(name));
  }

  /** The return of a server that is away is told, and who has the name is asked again. */
  async #unlessAway(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!isOfServer(error) && !(error instanceof MachineError)) throw error;
    }
  }

  async #assert(name: string): Promise<void> {
    const found = await this.#names.find(name);
    const held = this.#held.get(name);
    if (!held) return;
    if (found && (!isSame(found, this.#who) || found.state === 'given_up')) this.#lose(name);
    else if (!found) {
      const revision = await this.#names.claim(name, this.#who, held.machine);
      this.#held.set(name, { ...held, revision });
    }
  }

  #lose(name: string): void {
    clearTimeout(this.#held.get(name)?.timer);
    this.#held.delete(name);
    this.#log('error', `${name} was given up by the fleet, or its name is another machine's now: it is stopped`);
    this.onLost(name);
  }
}
