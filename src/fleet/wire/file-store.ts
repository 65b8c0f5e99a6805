import { createHash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import type { TeamFiles } from '../../machine/files.ts';
import { namedShortly } from '../../rack/machine-name.ts';
import type { FleetLine } from './fleet-line.ts';
import { patiently } from './patiently.ts';
import { storedJson } from './stored-json.ts';
import { ensureStreams, filesStream, isNotFound, isOutrun, partsStream } from './streams.ts';
import { subjects } from './subjects.ts';

const partBytes = 256 * 1024;
const hashedBytes = 4 * 1024 * 1024;
const atOnce = 4;
const headsAtOnce = 64;
const mostFileBytes = 64 * 1024 * 1024;
/** Of all files together, unless the operator says otherwise. */
const usualMib = 1024;
/** Parts of a file whose head has not come for so long belong to nobody. */
const orphanMs = 3_600_000;

const headShape = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,60}$/),
  bytes: z.number().int().min(0).max(mostFileBytes),
  parts: z.number().int().min(0),
  sha256: z.string(),
  at: z.number(),
});
export type StoredHead = z.output<typeof headShape>;

/** The files of a team: parts as messages of one stream, and in another a head for each file, which is written last. */
export class FileStore implements TeamFiles {
  readonly #line: FleetLine;
  readonly #mostBytes: number;

  constructor(line: FleetLine, mib = usualMib) {
    this.#line = line;
    this.#mostBytes = mib * 1024 * 1024;
  }

  async list(): Promise<ReadonlyMap<string, StoredHead>> {
    return talk(async () => (await this.#heads()).heads);
  }

  async readStored(name: string): Promise<Uint8Array> {
    return talk(async () => {
      const head = await this.#head(name);
      if (!head) {
        const names = namedShortly([...(await this.#heads()).heads.keys()].map((each) => `store:${each}`)) || 'nothing';
        throw new MachineError('NOT_FOUND', `There is no store:${name}.`, `The store of the fleet has ${names}.`);
      }
      const parts: Uint8Array[] = [];
      for (let at = 0; at < head.parts; at += atOnce) {
        const numbers = Array.from({ length: Math.min(atOnce, head.parts - at) }, (_, index) => at + index);
        parts.push(...(await Promise.all(numbers.map((number) => this.#part(head.id, number)))));
      }
      const bytes = Buffer.concat(parts);
      if (bytes.length === head.bytes && (await sha256(bytes)) === head.sha256) return bytes;
      const message = `store:${name} is damaged: its contents are not what was written.`;
      throw new MachineError('UNAVAILABLE', message, 'Save it again under another name.');
    });
  }

  async store(name: string, bytes: Uint8Array): Promise<void> {
    if (bytes.length > mostFileBytes) {
      const message = `${bytes.length} bytes are too many for the store of the fleet; ${mostFileBytes} is the limit.`;
      throw new MachineError('LIMIT_REACHED', message, 'Name a file below an allowed path of the host.');
    }
    const id = `${Date.now().toString(36)}-${randomBytes(8).toString('hex')}`;
    const head = {
      ...{ id, bytes: bytes.length, at: Date.now() },
      parts: Math.ceil(bytes.length / partBytes),
      sha256: await sha256(bytes),
    };
    try {
      await talk(async () => {
        const { heads } = await this.#heads();
        // Written, though its acknowledgement was lost.
        if (heads.get(name)?.id === id) return;
        // Before anything is sent, and again when it counts.
        this.#requireRoom(name, bytes.length, heads);
        await this.#writeParts(head, bytes);
        await this.#writeHead(name, head);
      });
    } catch (error) {
      await this.#dropParts(name, id, error);
      throw error;
    }
  }

  /** False if there was none. */
  async delete(name: string): Promise<boolean> {
    return talk(async () => {
      const head = await this.#head(name);
      if (!head) return false;
      const { manager } = await this.#line.streams();
      await manager.streams.purge(filesStream, { filter: subjects.file(name), seq: head.revision + 1 });
      await this.#purgeParts(head.id);
      return true;
    });
  }

  /** Removes what was left by those who died while they wrote. */
  async sweep(): Promise<void> {
    await talk(async () => {
      const { manager } = await this.#line.streams();
      await ensureStreams(manager);
      const { state } = await manager.streams.info(partsStream, { subjects_filter: subjects.allParts });
      const { heads } = await this.#heads();
      const used = new Set([...heads.values()].map(({ id }) => id));
      const ids = new Set(Object.keys(state.subjects ?? {}).map((subject) => subject.split('.')[2] ?? ''));
      for (const id of ids) {
        const begun = Number.parseInt(id.split('-', 1)[0] ?? '', 36);
        if (!used.has(id) && Date.now() - begun > orphanMs) await this.#purgeParts(id);
      }
    });
  }

  #requireRoom(name: string, bytes: number, heads: ReadonlyMap<string, StoredHead>): void {
    if (heads.has(name)) {
      const message = `store:${name} already exists.`;
      throw new MachineError('NAME_TAKEN', message, 'Use another name; nothing in the store is replaced.');
    }
    const used = [...heads.values()].reduce((sum, head) => sum + head.bytes, 0);
    if (used + bytes <= this.#mostBytes) return;
    throw new MachineError(
      'LIMIT_REACHED',
      `The store of the fleet has ${used} of ${this.#mostBytes} bytes, and ${bytes} more do not fit.`,
      'The operator can make room with frontpanel store delete NAME, or start stations with a higher --quota store=MIB.',
      { quota: 'store', limit: this.#mostBytes, used },
    );
  }

  async #writeParts({ id, parts }: StoredHead, bytes: Uint8Array): Promise<void> {
    const { client } = await this.#line.streams();
    for (let at = 0; at < parts; at += atOnce) {
      const numbers = Array.from({ length: Math.min(atOnce, parts - at) }, (_, index) => at + index);
      const part = (number: number) => bytes.subarray(number * partBytes, (number + 1) * partBytes);
      await Promise.all(numbers.map((number) => client.publish(subjects.part(id, number), part(number))));
    }
  }

  /** Only if no other file came between what was counted and this one. */
  async #writeHead(name: string, head: StoredHead): Promise<void> {
    const { client } = await this.#line.streams();
    for (;;) {
      const { heads, lastSequence } = await this.#heads();
      this.#requireRoom(name, head.bytes, heads);
      if (lastSequence === 0) {
        // Servers before 2.11 do not check that a message follows nothing.
        await client.publish(subjects.file('.'), '{}');
        continue;
      }
      try {
        const expect = { lastSequence, lastSubjectSequence: 0 };
        await client.publish(subjects.file(name), JSON.stringify(head), { expect });
        return;
      } catch (error) {
        if (!isOutrun(error)) throw error;
      }
    }
  }

  async #heads(): Promise<{ readonly heads: ReadonlyMap<string, StoredHead>; readonly lastSequence: number }> {
    const { manager } = await this.#line.streams();
    await ensureStreams(manager);
    const { state } = await manager.streams.info(filesStream, { subjects_filter: subjects.allFiles });
    const names = Object.keys(state.subjects ?? {}).map((subject) => subjects.fileOf(subject));
    const heads: (readonly [string, StoredHead])[] = [];
    for (let at = 0; at < names.length; at += headsAtOnce) {
      const some = names.slice(at, at + headsAtOnce);
      const found = await Promise.all(some.map(async (name) => [name, await this.#head(name)] as const));
      heads.push(...found.flatMap(([name, head]) => (head ? [[name, head] as const] : [])));
    }
    return { heads: new Map(heads.sort(([a], [b]) => (a < b ? -1 : 1))), lastSequence: state.last_seq };
  }

  async #head(name: string): Promise<(StoredHead & { readonly revision: number }) | undefined> {
    const { manager } = await this.#line.streams();
    try {
      const stored = await manager.streams.getMessage(filesStream, { last_by_subj: subjects.file(name) });
      const { data } = headShape.safeParse(storedJson(stored));
      return data && stored ? { ...data, revision: stored.seq } : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #part(id: string, number: number): Promise<Uint8Array> {
    const { manager } = await this.#line.streams();
    try {
      const stored = await manager.streams.getMessage(partsStream, { last_by_subj: subjects.part(id, number) });
      return stored?.data ?? new Uint8Array();
    } catch (error) {
      if (isNotFound(error)) return new Uint8Array();
      throw error;
    }
  }

  /** Of a file that was not written; those of one that may have been stay, and are swept if they belong to nobody. */
  async #dropParts(name: string, id: string, reason: unknown): Promise<void> {
    if (!(reason instanceof MachineError) || reason.type === 'UNAVAILABLE') return;
    await talk(async () => {
      if ((await this.#head(name))?.id !== id) await this.#purgeParts(id);
    });
  }

  async #purgeParts(id: string): Promise<void> {
    const { manager } = await this.#line.streams();
    await manager.streams.purge(partsStream, { filter: subjects.part(id, '*') });
  }
}

function talk<T>(task: () => Promise<T>): Promise<T> {
  return patiently('The store of the fleet cannot be used', task);
}

/** In pieces: others are served between them. */
async function sha256(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += hashedBytes) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + hashedBytes));
  }
  return hash.digest('hex');
}
