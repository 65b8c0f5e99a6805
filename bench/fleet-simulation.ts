import type { FleetMachine } from '../src/fleet/wire/shapes.ts';
import type { Handler, Wire } from '../src/fleet/wire/wire.ts';
import type { Row, Table } from './harness/bench.ts';
import { built } from './harness/built.ts';

const perHost = 100;
const sizes = [100, 1_000, 10_000];

/** What a gateway has to do for each machine of a fleet, without the machines: its own code on a wire within this process. */
export async function simulationTable(): Promise<Table> {
  const rows: Row[] = [];
  for (const machines of sizes) rows.push(...(await rowsOf(machines)));
  return {
    title: `A gateway of a simulated fleet, ${perHost} machines a host`,
    rows,
    notes: [
      'Hosts are simulated: what they say is what stations say. Messages are encoded and decoded as on the way through a NATS server.',
      'A machine that runs freely and is watched tells of a change at most 20 times a second, one that waits for its agent with each call.',
    ],
  };
}

async function rowsOf(machines: number): Promise<readonly Row[]> {
  const { FleetView }: typeof import('../src/fleet/gateway/fleet-view.ts') = await built('fleet/gateway/fleet-view.js');
  const { Inbox }: typeof import('../src/fleet/gateway/inbox.ts') = await built('fleet/gateway/inbox.js');
  const { placesFor }: typeof import('../src/fleet/gateway/placement.ts') = await built('fleet/gateway/placement.js');
  const { pageByName }: typeof import('../src/tools/name-page.ts') = await built('tools/name-page.js');
  const wire = await LoopWire.open();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const inbox = new Inbox(wire);
  const view = new FleetView(wire, inbox);
  const hosts = Array.from({ length: machines / perHost }, (_, index) => new SimulatedHost(wire, `host-${index}`));
  const began = cpuMs();
  for (const host of hosts) host.beat();
  while (view.machines.length < machines) await new Promise((resolve) => setImmediate(resolve));
  const learned = cpuMs() - began;
  globalThis.gc?.();
  const heap = (process.memoryUsage().heapUsed - before) / machines;
  const bytes = wire.bytes;
  const news = timed(300, (count) => hosts[count % hosts.length]?.tell(count));
  const size = (wire.bytes - bytes) / 300;
  const place = timed(30, () => placesFor(view, { kind: 'c64', on: undefined, memoryMib: 25 }));
  const page = timed(10, () => {
    const all = view.machines.map(({ summary }) => ({ handle: summary.handle, chars: 600 }));
    pageByName(all, undefined, (one) => one);
  });
  view.close();
  inbox.close();
  const row = (what: string, measured: string): Row => ({ what: `${machines} machines: ${what}`, measured });
  return [
    row('to learn of all of them, once', `${learned.toFixed(0)} ms`),
    row('one change of one machine', `${(news * 1000).toFixed(0)} µs, ${Math.round(size)} bytes`),
    row('to find a place for a new one', `${place.toFixed(2)} ms`),
    row('to find the page of a list', `${page.toFixed(1)} ms`),
    row('memory for each', `${(heap / 1024).toFixed(1)} KB`),
  ];
}

/** Processor time of one of so many, in milliseconds. */
function timed(times: number, work: (count: number) => void): number {
  const before = cpuMs();
  for (let count = 0; count < times; count++) work(count);
  return (cpuMs() - before) / times;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

class SimulatedHost {
  readonly #wire: LoopWire;
  readonly #host: string;
  readonly #machines: readonly FleetMachine[];
  #seq = 0;

  constructor(wire: LoopWire, host: string) {
    this.#wire = wire;
    this.#host = host;
    this.#machines = Array.from({ length: perHost }, (_, index) => machineNamed(`${host}-${index}`));
    wire.subscribe(`fp.h.${host}.query`, (_message, reply) => {
      if (reply !== undefined) wire.publish(reply, this.#news(this.#machines));
    });
  }

  beat(): void {
    const { length: machines } = this.#machines;
    this.#wire.publish(`fp.beat.${this.#host}`, {
      ...{ host: this.#host, incarnation: this.#host, machines, capacity: 200, kinds: ['c64'], labels: {} },
      ...{ version: '1', load: 0.5, news: this.#seq, isDraining: false, isLeaving: false },
    });
  }

  tell(count: number): void {
    this.#seq++;
    this.#wire.publish(`fp.news.${this.#host}`, this.#news([this.#machines[count % perHost] as FleetMachine]));
  }

  #news(machines: readonly FleetMachine[]): Readonly<Record<string, unknown>> {
    return { host: this.#host, incarnation: this.#host, seq: this.#seq, machines, gone: [], changes: [] };
  }
}

/** As a station tells of a C64. */
function machineNamed(handle: string): FleetMachine {
  const line = `${handle} PAUSED at $F404 input_char+15 · stop 1: frames · cycle 2,948,404 (frame 150, line 0, cycle 5)`;
  return {
    ...{ handle, kind: 'c64', state: 'PAUSED', line, notes: [], isKept: false, consoles: [] },
    watched: { state: 'PAUSED', line, hasScreen: true },
    ...{ hasControl: true, hasSound: true, canRewind: true, users: ['agent'], sockets: [] },
    capabilities: Array.from({ length: 31 }, (_, index) => `capability${index}`),
    resources: ['status', 'state'].map((name) => ({
      uri: `machine://${handle}/${name}`,
      name: `state of ${handle}`,
      mimeType: 'text/plain',
    })),
  };
}

/** Whatever is sent arrives, at once, encoded and decoded. */
class LoopWire implements Wire {
  readonly connectedMs = 1e9;
  readonly #codec: typeof import('../src/fleet/wire/message.ts');
  readonly #handlers = new Map<string, Handler>();
  bytes = 0;

  static async open(): Promise<LoopWire> {
    return new LoopWire(await built('fleet/wire/message.js'));
  }

  private constructor(codec: typeof import('../src/fleet/wire/message.ts')) {
    this.#codec = codec;
  }

  onReconnect(): () => void {
    return () => {};
  }

  publish(subject: string, head: Readonly<Record<string, unknown>>, body?: Uint8Array, reply?: string): void {
    this.send(subject, this.#codec.encodeMessage(head, body), reply);
  }

  send(subject: string, message: Uint8Array, reply?: string): void {
    this.bytes += message.length;
    const handler =
      this.#handlers.get(subject) ?? this.#handlers.get(`${subject.slice(0, subject.lastIndexOf('.'))}.*`);
    handler?.(this.#codec.decodeMessage(message), reply, subject);
  }

  subscribe(subject: string, handler: Handler): () => void {
    this.#handlers.set(subject, handler);
    return () => this.#handlers.delete(subject);
  }
}
