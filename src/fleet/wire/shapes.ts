import { z } from 'zod';
import { type Actor, roles } from '../../api/roles.ts';
import type { Caller, Change, MachineSummary, ResourceEntry } from '../../api/tool-host.ts';
import { isMachineName } from '../../rack/machine-name.ts';

/** A machine as its name is claimed. */
export const claimedShape = z.object({ kind: z.string(), memoryMib: z.number(), isKept: z.boolean() });

/** A station says every second that it is there, and how it is. */
export const beatShape = z.object({
  host: z.string(),
  incarnation: z.string(),
  machines: z.number(),
  capacity: z.number(),
  kinds: z.array(z.string()),
  labels: z.record(z.string(), z.string()),
  version: z.string(),
  /** How many processes wait for a processor, for each there is. */
  load: z.number(),
  /** How much memory another machine may take, in MiB. */
  roomMib: z.number().optional(),
  /** The number of the news that were told last. */
  news: z.number(),
  /** What its operator lets the team have. */
  quota: z.record(z.string(), z.number()).optional(),
  /** Stands for what its operator allows: hosts that say the same allow the same. */
  policy: z.string().optional(),
  isDraining: z.boolean(),
  /** Its last word: it has ended everything. */
  isLeaving: z.boolean(),
});
export type Beat = z.output<typeof beatShape>;

/** A machine as gateways know it. */
export interface FleetMachine extends MachineSummary {
  readonly resources: readonly ResourceEntry[];
  /** Names of the sockets at which people reach its consoles, in the order of the consoles. */
  readonly sockets: readonly string[];
}

const resourceShape = z.object({ uri: z.string(), name: z.string(), mimeType: z.string() });

/** Gateways make sockets of these names in a folder of theirs: nothing in them leads elsewhere. */
const socketName = z.string().regex(/^[^/]{1,200}$/);
const mostSockets = 64;

const machineShape = z.object({
  handle: z.string().refine(isMachineName),
  kind: z.string(),
  state: z.string(),
  line: z.string(),
  notes: z.array(z.string()),
  isKept: z.boolean(),
  consoles: z.array(z.string()),
  watched: z.object({ state: z.string(), line: z.string(), hasScreen: z.boolean() }),
  hasControl: z.boolean(),
  hasSound: z.boolean(),
  capabilities: z.array(z.string()),
  canRewind: z.boolean(),
  title: z.string().optional(),
  users: z.array(z.string()),
  holder: z.object({ name: z.string(), person: z.string() }).optional(),
  resources: z.array(resourceShape),
  sockets: z.array(socketName).max(mostSockets),
});

export const newsShape = z.object({
  host: z.string(),
  incarnation: z.string(),
  seq: z.number(),
  machines: z.array(machineShape),
  gone: z.array(z.string()),
  changes: z.array(z.object({ machine: z.string(), console: z.string().optional() })),
});

export interface News {
  readonly host: string;
  readonly incarnation: string;
  readonly seq: number;
  readonly machines: readonly FleetMachine[];
  readonly gone: readonly string[];
  readonly changes: readonly Change[];
}

const actorShape = z.object({
  client: z.string(),
  role: z.enum(roles),
  agent: z.string().optional(),
  person: z.string().optional(),
  address: z.string().optional(),
});

const callerShape = actorShape.extend({
  session: z.string().optional(),
  via: z.string().optional(),
  confirmed: z.boolean().optional(),
  isDebugger: z.boolean().optional(),
  isQuiet: z.boolean().optional(),
});

export const callShape = z.object({
  /** Who makes the call; it numbers its calls. */
  gateway: z.string(),
  number: z.number(),
  /** Of its calls here all before this number are over, as far as it is concerned. */
  over: z.number(),
  incarnation: z.string(),
  tool: z.string(),
  args: z.unknown(),
  caller: callerShape,
});

export function actorData({ client, role, agent, person, address }: Actor): Record<string, unknown> {
  return { client, role, agent, person, address };
}

/** Who has which machine in their hands. */
export function holdKey(machine: string, { person, client }: Pick<Actor, 'person' | 'client'>): string {
  return `${machine} ${person ?? client}`;
}

export function callerData(caller: Caller, gateway: string): Record<string, unknown> {
  const { session, via, confirmed, isDebugger, isQuiet } = caller;
  // Sessions of two gateways may have the same number.
  const own = session === undefined ? undefined : `${gateway}.${session}`;
  return { ...actorData(caller), session: own, via, confirmed, isDebugger, isQuiet };
}

export function actorFrom(data: unknown): Actor {
  return actorShape.parse(data);
}

export function callerFrom(data: unknown, signal: AbortSignal, progress: (message: string) => void): Caller {
  return checkedCaller(callerShape.parse(data), signal, progress);
}

/** Of data that was checked as part of a call. */
export function checkedCaller(
  { session, via, confirmed, isDebugger, isQuiet, ...actor }: z.output<typeof callerShape>,
  signal: AbortSignal,
  progress: (message: string) => void,
): Caller {
  return {
    ...actor,
    signal,
    progress,
    ...(session !== undefined && { session }),
    ...(via !== undefined && { via }),
    ...(confirmed !== undefined && { confirmed }),
    ...(isDebugger !== undefined && { isDebugger }),
    ...(isQuiet !== undefined && { isQuiet }),
  };
}
