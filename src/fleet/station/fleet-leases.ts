import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { LineLease, LineLeases } from '../../machine/host.ts';
import type { FleetLine } from '../wire/fleet-line.ts';
import type { Holder } from '../wire/names.ts';
import { isOfServer } from '../wire/server-faults.ts';
import { StoreAge } from '../wire/store-age.ts';
import { storedJson } from '../wire/stored-json.ts';
import { isNotFound, isOutrun, leasesStream } from '../wire/streams.ts';
import { subjects } from '../wire/subjects.ts';

/** Who has not renewed a lease for so long has lost it, and knows it a while before. */
const leaseMs = 10_000;
const renewMs = 3_000;
const earlyMs = 2_000;
/** How often one that others have is looked at. */
const lookMs = 1_000;

const recordShape = z.object({ host: z.string(), incarnation: z.string(), what: z.string() });
type LeaseRecord = z.output<typeof recordShape> & { readonly revision: number };

/**
 * Boards and lines that one host of the fleet has at a time. A holder renews; one that cannot closes the line before anybody else
 * can have it. Nobody's clock is compared with another's: a record that others do not see change for long enough is free.
 */
export class FleetLeases implements LineLeases {
  readonly isFleet = true;
  readonly #line: FleetLine;
  readonly #who: Holder;
  readonly #seen = new Map<string, { readonly revision: number; readonly at: number }>();
  readonly #held = new Set<HeldLease>();
  readonly #age: StoreAge;
  readonly #releasing = new Set<Promise<void>>();

  constructor(line: FleetLine, who: Holder) {
    this.#line = line;
    this.#who = who;
    this.#age = new StoreAge(line, leasesStream);
  }

  async take(what: string, lost: (why: string) => void): Promise<LineLease> {
    const key = keyOf(what);
    if ([...this.#held].some((each) => each.key === key)) throw taken(what, this.#who.host);
    const asked = performance.now();
    const found = await this.#requireFree(key, what);
    const revision = await this.#write(key, what, found?.revision ?? 0);
    if (revision === undefined) throw taken(what, 'another');
    const lease = new HeldLease(key, revision, asked + leaseMs - earlyMs, {
      renew: (last) => this.#renew(key, what, last),
      release: (last) => this.#release(key, last),
      over: (why) => {
        this.#held.delete(lease);
        if (why !== undefined) lost(why);
      },
    });
    this.#held.add(lease);
    return lease;
  }

  onFree(what: string, free: () => void): () => void {
    const key = keyOf(what);
    const timer = setInterval(() => {
      if ([...this.#held].some((each) => each.key === key)) return;
      this.#requireFree(key, what).then(
        () => {
          clearInterval(timer);
          free();
        },
        // It is looked at again.
        () => {},
      );
    }, lookMs);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** What was held is free for others. */
  async close(): Promise<void> {
    for (const lease of this.#held) void lease.release();
    await Promise.allSettled(this.#releasing);
  }

  /** The record that may be written over, if there is one. */
  async #requireFree(key: string, what: string): Promise<LeaseRecord | undefined> {
    const found = await this.#find(key);
    if (found) await this.#requireOver(key, found);
    else await this.#requireOldStore(what);
    return found;
  }

  /** A lease is over when nobody has renewed it while we looked. One of this host's earlier life may be of a process that is stopped. */
  async #requireOver(key: string, { host, incarnation, what, revision }: LeaseRecord): Promise<void> {
    if (incarnation === this.#who.incarnation) return;
    const seen = this.#seen.get(key);
    if (seen?.revision !== revision) this.#seen.set(key, { revision, at: performance.now() });
    else if (performance.now() - seen.at > leaseMs) return;
    throw taken(what, host);
  }

  /** Of what a store had that was lost, its holders tell within the time of a lease. */
  async #requireOldStore(what: string): Promise<void> {
    if (await this.#age.isOld()) return;
    throw new Error(`whether another host has the ${what} is not known yet: the store of leases is new`);
  }

  async #find(key: string): Promise<LeaseRecord | undefined> {
    const { manager } = await this.#line.streams();
    try {
      const stored = await manager.streams.getMessage(leasesStream, { last_by_subj: subjects.lease(key) });
      const { data } = recordShape.safeParse(storedJson(stored));
      return data && stored ? { ...data, revision: stored.seq } : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** The number of the new record; undefined if somebody else was faster. */
  async #write(key: string, what: string, lastSubjectSequence: number): Promise<number | undefined> {
    const { client } = await this.#line.streams();
    try {
      const record = JSON.stringify({ ...this.#who, what });
      return (await client.publish(subjects.lease(key), record, { expect: { lastSubjectSequence } })).seq;
    } catch (error) {
      if (isOutrun(error)) return undefined;
      throw error;
    }
  }

  /** Undefined: somebody else has it. A store that was lost is written again. */
  async #renew(key: string, what: string, last: number): Promise<number | undefined> {
    const renewed = await this.#write(key, what, last);
    if (renewed !== undefined) return renewed;
    return (await this.#find(key)) === undefined ? this.#write(key, what, 0) : undefined;
  }

  async #release(key: string, revision: number): Promise<void> {
    const releasing = this.#purge(key, revision);
    this.#releasing.add(releasing);
    try {
      await releasing;
    } finally {
      this.#releasing.delete(releasing);
    }
  }

  async #purge(key: string, revision: number): Promise<void> {
    try {
      const { manager } = await this.#line.streams();
      await manager.streams.purge(leasesStream, { filter: subjects.lease(key), seq: revision + 1 });
    } catch (error) {
      // It ends on its own.
      if (!isOfServer(error)) throw error;
    }
  }
}

interface LeaseActs {
  renew(last: number): Promise<number | undefined>;
  release(last: number): Promise<void>;
  over(why?: string): void;
}

class HeldLease implements LineLease {
  readonly key: string;
  readonly #acts: LeaseActs;
  readonly #renewing: NodeJS.Timeout;
  #ending: NodeJS.Timeout;
  #revision: number;
  #until: number;
  #isOver = false;

  constructor(key: string, revision: number, until: number, acts: LeaseActs) {
    this.key = key;
    this.#revision = revision;
    this.#until = until;
    this.#acts = acts;
    this.#renewing = setInterval(() => void this.#renew(), renewMs);
    this.#ending = this.#endLater();
  }

  get isHeld(): boolean {
    return !this.#isOver && performance.now() < this.#until;
  }

  async release(): Promise<void> {
    if (!this.#end()) return;
    this.#acts.over();
    await this.#acts.release(this.#revision);
  }

  async #renew(): Promise<void> {
    const asked = performance.now();
    try {
      const revision = await this.#acts.renew(this.#revision);
      if (this.#isOver) return;
      if (revision === undefined) return this.#lose('another host has the line');
      this.#revision = revision;
      this.#until = asked + leaseMs - earlyMs;
      clearTimeout(this.#ending);
      this.#ending = this.#endLater();
    } catch (error) {
      // It is tried again until the time is over.
      if (!isOfServer(error)) throw error;
    }
  }

  #endLater(): NodeJS.Timeout {
    const why = 'the fleet cannot be told that this host still has the line';
    return setTimeout(() => this.#lose(why), Math.max(0, this.#until - performance.now()));
  }

  #lose(why: string): void {
    if (this.#end()) this.#acts.over(why);
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearInterval(this.#renewing);
    clearTimeout(this.#ending);
    return true;
  }
}

function keyOf(what: string): string {
  return createHash('sha256').update(what).digest('hex').slice(0, 32);
}

function taken(what: string, host: string): Error {
  return new Error(`host ${host} of the fleet has the ${what}`);
}
