import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ProcessIdentity } from './process-identity.ts';

/** Where a server can be reached over HTTP, for programs of the same user. */
export interface Endpoint {
  readonly url: string;
  readonly token?: string;
  /** The SHA-256 fingerprint of its certificate, where it serves HTTPS: it is known by that and not by its name. */
  readonly certificate?: string;
}

/** What a server writes about itself into its directory, for whoever cleans up after it. */
export interface ServerRecord extends ProcessIdentity {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly version: string;
  /** The leaders of the process groups that have to end with the server. */
  readonly processGroups: readonly ProcessIdentity[];
  readonly endpoint?: Endpoint;
}

const maxRecordBytes = 1024 * 1024;

/** The record, or nothing when there is none, or none that can be understood. */
export async function readServerRecord(path: string): Promise<ServerRecord | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size > maxRecordBytes) return undefined;
      return parseRecord(JSON.parse(await file.readFile('utf8')));
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

function parseRecord(value: unknown): ServerRecord | undefined {
  const identity = parseIdentity(value);
  if (!identity || !isObject(value)) return undefined;
  const { startedAt, version, processGroups } = value;
  const endpoint = parseEndpoint(value.endpoint);
  if (typeof startedAt !== 'string' || typeof version !== 'string' || !Array.isArray(processGroups)) return undefined;
  return {
    ...identity,
    startedAt,
    version,
    processGroups: processGroups.flatMap((group) => parseIdentity(group) ?? []),
    ...(endpoint && { endpoint }),
  };
}

function parseEndpoint(value: unknown): Endpoint | undefined {
  if (!isObject(value) || typeof value.url !== 'string') return undefined;
  const { url, token, certificate } = value;
  return {
    url,
    ...(typeof token === 'string' && { token }),
    ...(typeof certificate === 'string' && { certificate }),
  };
}

function parseIdentity(value: unknown): ProcessIdentity | undefined {
  if (!isObject(value)) return undefined;
  const { pid, startTicks, bootId } = value;
  // 0, 1 and what is below mean other things than a process to kill.
  if (!isCount(pid) || pid <= 1) return undefined;
  return {
    pid,
    ...(isCount(startTicks) && { startTicks }),
    ...(typeof bootId === 'string' && { bootId }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
