import { z } from 'zod';
import type { Caller, HostEvent, HostMoment, ToolHost } from '../../api/tool-host.ts';
import { hexWord } from '../../formats/hex.ts';
import type { DialectPush, DialectPushes } from '../dialect.ts';
import { breakpointType } from './breakpoint-types.ts';
import { viceMachines } from './machines.ts';
import { eventFields } from './moment.ts';

export const eventNames = [
  'breakpoint',
  'frame_complete',
  'sprite_collision',
  'raster_interrupt',
  'state_changed',
] as const;
export type EventName = (typeof eventNames)[number];

/** Clients that are told of events; the one that asked first is forgotten for another. */
const mostSubscriptions = 100;
/** Pushes of one client that can still be read. */
const mostKept = 200;
const scheme = 'vice://events/';

const momentTypes = {
  frame_complete: 'frame',
  sprite_collision: 'collision',
  raster_interrupt: 'raster_interrupt',
} as const;
const count = z.union([z.number(), z.bigint()]).transform(Number);
const stopData = z.object({
  cause: z.string(),
  breakpoint: z
    .object({
      id: z.number(),
      type: z.string(),
      hits: z.number().optional(),
      frame: z.number().optional(),
      frames: z.number().optional(),
    })
    .optional(),
  event: z
    .object({
      pc: count.optional(),
      beam: z.object({ frame: z.number(), line: z.number(), cycle: z.number() }).optional(),
      access: z.object({ address: count, value: count, old: count.optional() }).optional(),
      collision: z.object({ type: z.string(), sprites: z.number() }).optional(),
      interrupt: z.object({ line: z.string(), source: z.string().optional(), interrupted: count }).optional(),
    })
    .optional(),
});

type Counted = Partial<Pick<NonNullable<z.output<typeof stopData>['breakpoint']>, 'hits' | 'frame' | 'frames'>>;

interface Subscription {
  readonly session: string;
  readonly uri: string;
  readonly events: readonly EventName[];
  readonly kept: DialectPush[];
  end(): void;
}

/** Who wants to be told of what, and the telling. */
export class ViceEvents implements DialectPushes {
  readonly logger = 'vice';
  readonly template = { uriTemplate: `${scheme}{subscription}`, name: 'events' };
  readonly #subscriptions = new Map<string, Subscription>();
  /** A client keeps its resource, whatever it subscribes to. */
  readonly #uris = new Map<string, string>();
  readonly #listeners = new Set<(push: DialectPush) => void>();
  readonly #newId: () => string;
  #number = 0;

  constructor(newId: () => string = () => globalThis.crypto.randomUUID().replaceAll('-', '')) {
    this.#newId = newId;
  }

  /** These from now on, instead of others before; an empty list ends it. Answers with the resource that has them. */
  subscribe(
    events: readonly EventName[],
    everyFrames: number,
    host: ToolHost,
    { session = '' }: Caller,
  ): string | undefined {
    const before = this.#subscriptions.get(session);
    before?.end();
    this.#subscriptions.delete(session);
    if (events.length === 0) return undefined;
    if (this.#uris.size >= mostSubscriptions && !this.#uris.has(session))
      this.sessionEnded([...this.#uris.keys()][0] ?? '');
    const uri = this.#uris.get(session) ?? `${scheme}${this.#newId()}`;
    this.#uris.set(session, uri);
    const subscription: Subscription = { session, uri, events, kept: before?.kept ?? [], end: () => {} };
    const ends = [
      host.onEvent((event) => void this.#happened(subscription, event, host)),
      this.#watchMoments(subscription, everyFrames, host),
      events.includes('state_changed') ? this.#watchState(subscription, host) : undefined,
    ];
    subscription.end = () => {
      for (const end of ends) end?.();
    };
    this.#subscriptions.set(session, subscription);
    return uri;
  }

  onPush(listener: (push: DialectPush) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  since(uri: string, number: number): readonly DialectPush[] | undefined {
    const found = [...this.#subscriptions.values()].find((each) => each.uri === uri);
    return found?.kept.filter((push) => push.number > number);
  }

  sessionEnded(session: string): void {
    this.#subscriptions.get(session)?.end();
    this.#subscriptions.delete(session);
    this.#uris.delete(session);
  }

  #push(subscription: Subscription, data: Readonly<Record<string, unknown>>): void {
    const { session, uri, kept } = subscription;
    const push = { number: ++this.#number, session, uri, data };
    kept.push(push);
    if (kept.length > mostKept) kept.shift();
    for (const listener of this.#listeners) listener(push);
  }

  /** Stops at breakpoints, and hits of those that only log. */
  async #happened(subscription: Subscription, { machine, type, data }: HostEvent, host: ToolHost): Promise<void> {
    if (!subscription.events.includes('breakpoint') || (type !== 'stop' && type !== 'breakpoint')) return;
    const isLogged = type === 'breakpoint';
    const found = stopData.safeParse(isLogged ? { cause: 'breakpoint', breakpoint: data, event: data?.event } : data);
    if (!found.success || found.data.cause !== 'breakpoint') return;
    const { breakpoint, event } = found.data;
    const registers = isLogged ? undefined : await registersOf(machine, host);
    this.#push(subscription, {
      event: 'breakpoint',
      machine,
      ...(event?.pc !== undefined && { pc: hexWord(event.pc) }),
      ...(breakpoint && { breakpoint_id: breakpoint.id, breakpoint_type: breakpointType(breakpoint.type) }),
      ...(event?.beam && { raster_line: event.beam.line, raster_cycle: event.beam.cycle, frame: event.beam.frame }),
      ...(event && eventFields(event)),
      ...(registers !== undefined && { registers }),
      ...(isLogged && { log_only: true, ...countFields(breakpoint) }),
    });
  }

  #watchMoments(subscription: Subscription, everyFrames: number, host: ToolHost): (() => void) | undefined {
    const { events } = subscription;
    const types = Object.entries(momentTypes).flatMap(([name, type]) =>
      events.includes(name as EventName) ? [type] : [],
    );
    const machine = machineOf(host);
    if (types.length === 0 || !machine) return undefined;
    return host.moments(machine.handle, { types, everyFrames }, (moment) =>
      this.#push(subscription, momentData(moment)),
    );
  }

  /** Each state that the machine comes into, and that it is gone. */
  #watchState(subscription: Subscription, host: ToolHost): () => void {
    const machine = machineOf(host);
    let before = machine?.state ?? 'OFF';
    const tell = (state: string, place: Record<string, unknown> = {}) => {
      this.#push(subscription, {
        event: 'state_changed',
        execution_state: state,
        previous_state: before,
        ...place,
      });
      before = state;
    };
    const wanted = { types: ['state'], everyFrames: 1 } as const;
    const ends = [
      machine &&
        host.moments(machine.handle, wanted, ({ state, ...moment }) => {
          if (state !== undefined) tell(state, placeOf(moment));
        }),
      host.onListChange(() => {
        if (before !== 'OFF' && !machineOf(host)) tell('OFF');
      }),
    ];
    return () => {
      for (const end of ends) end?.();
    };
  }
}

/** Of hits for which a frame had no room, or of all when the time of a breakpoint is over. */
function countFields({ hits, frame, frames }: Counted = {}) {
  if (hits === undefined) return {};
  return frames === undefined ? { more_hits: hits, frame } : { hits, duration_frames: frames, ended: true };
}

/** Of a machine that has just stopped. */
async function registersOf(machine: string, host: ToolHost): Promise<unknown> {
  const signal = new AbortController().signal;
  const caller = {
    client: 'events',
    role: 'observe',
    via: 'vice.events.subscribe',
    signal,
    progress: () => {},
  } as const;
  const outcome = await host.call('processor_read', { machine }, caller);
  return outcome.type === 'answer' ? outcome.answer.data?.registers : undefined;
}

function machineOf(host: ToolHost) {
  return host.machines().find(({ kind }) => kind in viceMachines);
}

function placeOf({ beam, cycle }: Pick<HostMoment, 'beam' | 'cycle'>): Record<string, unknown> {
  return { frame: beam.frame, raster_line: beam.line, raster_cycle: beam.cycle, cycle };
}

function momentData({ type, cycle, beam, collision }: HostMoment): Record<string, unknown> {
  const place = placeOf({ beam, cycle });
  if (type === 'frame') return { event: 'frame_complete', frame: beam.frame, cycle };
  if (type === 'raster_interrupt') return { event: 'raster_interrupt', ...place };
  return {
    event: 'sprite_collision',
    collision_type: collision?.type,
    sprite_mask: collision?.sprites,
    ...place,
  };
}
