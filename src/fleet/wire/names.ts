import type { StoredMsg } from '@nats-io/jetstream';
import { z } from 'zod';
import { advice, call, MachineError } from '../../machine/errors.ts';
import type { ClaimedMachine } from '../../rack/rack.ts';
import type { FleetLine } from './fleet-line.ts';
import { patiently } from './patiently.ts';
import { claimedShape } from './shapes.ts';
import { storedJson } from './stored-json.ts';
import { ensureStreams, isNotFound, isOutrun, namesStream } from './streams.ts';
import { subjects } from './subjects.ts';

const recordShape = z.object({
  host: z.string(),
  incarnation: z.string(),
  state: z.enum(['held', 'given_up']),
  of: claimedShape.default({ kind: '', memoryMib: 1, isKept: false }),
});
export type NameRecord = z.output<typeof recordShape> & { readonly revision: number };

/** What is written down of a name; undefined where that is no record. */
export function recordFrom(stored: StoredMsg): NameRecord | undefined {
  const { data } = recordShape.safeParse(storedJson(stored));
  return data && { ...data, revision: stored.seq };
}

/** Who holds a name. */
export interface Holder {
  readonly host: string;
  readonly incarnation: string;
}

/** So many names are asked for together: a server that has much to do answers thousands too late. */
const atOnce = 64;

/**
 * The names of all machines of the fleet, each held once. The store is an index: what is true is with the stations,
 * who write down again what it has lost.
 */
export class Names {
  readonly #line: FleetLine;

  constructor(line: FleetLine) {
    this.#line = line;
  }

  /** Takes a name, or throws who has it. `admit` says which claim this one has to follow, or throws why it must not be. */
  async claim(
    name: string,
    who: Holder,
    of: ClaimedMachine,
    admit?: () => Promise<number | undefined>,
  ): Promise<number> {
    return patiently(`The name ${name} could not be asked for`, async () => {
      for (;;) {
        const stored = await this.#stored(name);
        const found = stored && recordFrom(stored);
        if (found && isSame(found, who) && found.state === 'held') return found.revision;
        // What this host held in an earlier life went with it.
        const isFree = !found || found.state === 'given_up' || found.host === who.host;
        if (!isFree) throw taken(name, found.host);
        const lastSequence = await admit?.();
        const after = {
          lastSubjectSequence: stored?.seq ?? 0,
          ...(lastSequence !== undefined && { lastSequence }),
        };
        const revision = await this.#write(name, { ...who, state: 'held', of }, after);
        if (revision !== undefined) return revision;
      }
    });
  }

  /** Only if it is still held as it was then. */
  async release(name: string, revision: number): Promise<void> {
    const { manager } = await this.#line.streams();
    await manager.streams.purge(namesStream, { filter: subjects.name(name), seq: revision + 1 });
  }

  /** The machine is not waited for any more: whoever holds the name has to end it. False if somebody else holds it. */
  async giveUp(name: string, who: Holder): Promise<boolean> {
    return patiently(`The name ${name} could not be asked for`, async () => {
      const found = await this.find(name);
      if (!found || !isSame(found, who)) return false;
      const record = { ...who, state: 'given_up' as const, of: found.of };
      return (await this.#write(name, record, { lastSubjectSequence: found.revision })) !== undefined;
    });
  }

  async find(name: string): Promise<NameRecord | undefined> {
    const stored = await this.#stored(name);
    return stored && recordFrom(stored);
  }

  async #stored(name: string): Promise<StoredMsg | undefined> {
    const { manager } = await this.#line.streams();
    try {
      return (await manager.streams.getMessage(namesStream, { last_by_subj: subjects.name(name) })) ?? undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** All names that a host is written down with. */
  async heldBy(host: string): Promise<readonly { readonly name: string; readonly record: NameRecord }[]> {
    return patiently(`What ${host} holds could not be asked for`, async () => {
      const { manager } = await this.#line.streams();
      await ensureStreams(manager);
      const { state } = await manager.streams.info(namesStream, { subjects_filter: subjects.allNames });
      const names = Object.keys(state.subjects ?? {}).map((subject) => subjects.machineOf(subject));
      const held: { readonly name: string; readonly record: NameRecord }[] = [];
      for (let at = 0; at < names.length; at += atOnce) {
        const some = names.slice(at, at + atOnce);
        const records = await Promise.all(some.map(async (name) => ({ name, record: await this.find(name) })));
        held.push(...records.flatMap(({ name, record }) => (record?.host === host ? [{ name, record }] : [])));
      }
      return held;
    });
  }

  async #write(
    name: string,
    record: z.output<typeof recordShape>,
    expect: { readonly lastSubjectSequence: number; readonly lastSequence?: number },
  ): Promise<number | undefined> {
    const { client, manager } = await this.#line.streams();
    try {
      const written = await client.publish(subjects.name(name), JSON.stringify(record), { expect });
      return written.seq;
    } catch (error) {
      if (isOutrun(error)) return undefined;
      await ensureStreams(manager);
      throw error;
    }
  }
}

export function isSame(a: Holder, b: Holder): boolean {
  return a.host === b.host && a.incarnation === b.incarnation;
}

function taken(name: string, host: string): MachineError {
  return new MachineError(
    'NAME_TAKEN',
    `A machine named ${name} is already running on host ${host}.`,
    [
      advice`Use it, or give the new one another name.`,
      advice`Stop it with ${call('machine_stop', { machine: name })}.`,
    ],
    { host },
  );
}
