import { MachineError } from '../../machine/errors.ts';
import type { FleetLine } from '../wire/fleet-line.ts';
import { type Holder, isSame, type Names } from '../wire/names.ts';
import { ensureStreams, isOfServer, namesStream } from '../wire/streams.ts';
import { subjects } from '../wire/subjects.ts';

const lookMs = 5_000;

/** The names of this station's machines: claimed before a machine starts, written down again when the store has lost them. */
export class HeldNames {
  readonly #line: FleetLine;
  readonly #names: Names;
  readonly #who: Holder;
  readonly #held = new Map<string, number>();
  /** Of machines that ended while the server was away. */
  readonly #unreleased = new Map<string, number>();
  readonly #stops: (() => void)[];
  readonly #log: (level: 'info' | 'error', text: string) => void;
  #created = '';
  #isLooking = false;
  /** Somebody gave a machine up, or has its name: it has to be ended. */
  onLost: (name: string) => void = () => {};

  constructor(line: FleetLine, names: Names, who: Holder, log: (level: 'info' | 'error', text: string) => void) {
    this.#line = line;
    this.#names = names;
    this.#who = who;
    this.#log = log;
    const timer = setInterval(() => void this.#look(false), lookMs);
    this.#stops = [
      line.onReconnect(() => void this.#look(true)),
      line.subscribeRaw(subjects.allNames, (subject) => void this.#changed(subjects.machineOf(subject))),
      () => clearInterval(timer),
    ];
  }

  /** What this host held in an earlier life is free. */
  async begin(): Promise<void> {
    for (const { name, record } of await this.#names.heldBy(this.#who.host)) {
      if (!isSame(record, this.#who)) await this.#names.release(name, record.revision);
    }
    await this.#look(false);
  }

  async claim(name: string): Promise<void> {
    this.#held.set(name, await this.#names.claim(name, this.#who));
    this.#unreleased.delete(name);
  }

  async release(name: string): Promise<void> {
    const revision = this.#held.get(name);
    this.#held.delete(name);
    if (revision === undefined) return;
    // A server that is away is told when it is back.
    await this.#names.release(name, revision).catch(() => this.#unreleased.set(name, revision));
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /** All of them after the server was away; else only if it has another store than before. */
  async #look(always: boolean): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
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
    } catch (error) {
      // The return of a server that is away is told, and who has the name is asked again.
      if (!isOfServer(error) && !(error instanceof MachineError)) throw error;
    } finally {
      this.#isLooking = false;
    }
  }

  async #changed(name: string): Promise<void> {
    if (!this.#held.has(name)) return;
    const found = await this.#names.find(name).catch(() => undefined);
    if (found && this.#held.has(name) && (!isSame(found, this.#who) || found.state === 'given_up')) this.#lose(name);
  }

  async #assert(name: string): Promise<void> {
    const found = await this.#names.find(name);
    if (!this.#held.has(name)) return;
    if (found && (!isSame(found, this.#who) || found.state === 'given_up')) this.#lose(name);
    else if (!found) this.#held.set(name, await this.#names.claim(name, this.#who));
  }

  #lose(name: string): void {
    this.#held.delete(name);
    this.#log('error', `${name} was given up by the fleet, or its name is another machine's now: it is stopped`);
    this.onLost(name);
  }
}
