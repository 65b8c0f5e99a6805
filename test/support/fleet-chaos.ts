import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Inbox } from '../../src/fleet/gateway/inbox.ts';
import { Census } from '../../src/fleet/wire/census.ts';
import { FleetLine } from '../../src/fleet/wire/fleet-line.ts';
import { subjects } from '../../src/fleet/wire/subjects.ts';
import { ChaosAgents, type Door } from './chaos-agents.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { Fleet, killed } from './fleet.ts';
import { httpClient, type McpClient } from './mcp-client.ts';

const settleMs = 90_000;
const hosts = ['a', 'b', 'c'] as const;
/** The machines of this one are in threads, of which some end. */
const threaded = 'c';
const endThreads = new URL('./end-threads.mjs', import.meta.url).href;

const kinds = [
  ...(['kill', 'stop', 'cut', 'drain', 'thread'] as const),
  ...(['cut gateway', 'kill gateway', 'stop gateway', 'server', 'stop server'] as const),
];

export interface ChaosReport {
  readonly faults: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly refused: number;
  readonly longestMs: number;
  /** What must never be. */
  readonly violations: readonly string[];
}

interface Station {
  readonly host: string;
  readonly proxy: CuttingProxy;
  child: ChildProcess;
}

/** Faults at random in a fleet of three hosts and two gateways under load; which faults and calls, the seed says. */
export async function runChaos(seed: number, seconds: number, log: (text: string) => void = () => {}) {
  await using fleet = await Fleet.open();
  fleet.sandbox.env.NODE_OPTIONS = `--import ${endThreads}`;
  const chaos = new Chaos(fleet, seed, log);
  try {
    return await chaos.run(seconds);
  } finally {
    await chaos.close();
  }
}

class Chaos {
  readonly #fleet: Fleet;
  readonly #seed: number;
  readonly #log: (text: string) => void;
  /** No other process has this among its arguments. */
  readonly #mark: string;
  readonly #stations = new Map<string, Station>();
  /** How often each host has lost machines. */
  readonly #lives = new Map<string, number>();
  readonly #doors: Door[] = [];
  readonly #agents: ChaosAgents;
  readonly #proxies: CuttingProxy[] = [];
  readonly #faults: Record<string, number> = {};

  constructor(fleet: Fleet, seed: number, log: (text: string) => void) {
    this.#fleet = fleet;
    this.#seed = seed;
    this.#log = log;
    this.#mark = `${8_000_000 + (process.pid % 1000) * 1000 + (seed % 1000)}`;
    this.#agents = new ChaosAgents(this.#doors, this.#lives, this.#mark);
  }

  async run(seconds: number): Promise<ChaosReport> {
    await Promise.all(hosts.map((host) => this.#open(host)));
    const proxy = await CuttingProxy.to(this.#fleet.url);
    this.#proxies.push(proxy);
    for (const args of [[], ['--nats', `nats://127.0.0.1:${proxy.port}`]]) {
      const program = await this.#fleet.gateway(...args);
      this.#doors.push({ program, client: await httpClient(program, 'modern'), isDown: false });
    }
    const agents = [0, 1, 2, 3].map((number) => this.#agents.work(number, generator(this.#seed * 31 + number + 1)));
    const end = performance.now() + seconds * 1000;
    const random = generator(this.#seed);
    while (performance.now() < end) {
      await this.#fault(random, proxy);
      await setTimeout(300 + random() * 1200);
    }
    this.#agents.isOver = true;
    await Promise.all(agents);
    await this.#check();
    const { calls, refused, longestMs, violations } = this.#agents;
    return { faults: this.#faults, calls, refused, longestMs, violations };
  }

  async close(): Promise<void> {
    for (const { client } of this.#doors) await client.close();
    for (const { child } of this.#stations.values()) await killed(child);
    for (const proxy of this.#proxies) await proxy[Symbol.asyncDispose]();
  }

  async #open(host: string): Promise<void> {
    const proxy = await CuttingProxy.to(this.#fleet.url);
    this.#proxies.push(proxy);
    this.#stations.set(host, { host, proxy, child: await this.#start(host, proxy) });
  }

  #start(host: string, proxy: CuttingProxy): Promise<ChildProcess> {
    const nats = ['--nats', `nats://127.0.0.1:${proxy.port}`];
    return this.#fleet.station(host, ...nats, '--drain-timeout', '2', '--threads', host === threaded ? '2' : '0');
  }

  /** One fault, and what ends it. */
  async #fault(random: () => number, gatewayProxy: CuttingProxy): Promise<void> {
    const chosen = pick(random, hosts);
    const kind = pick(random, kinds);
    const host = kind === 'thread' ? threaded : chosen;
    const station = this.#stations.get(host);
    const [first, second] = this.#doors;
    if (!station || !first || !second) return;
    this.#faults[kind] = (this.#faults[kind] ?? 0) + 1;
    this.#log(`${kind} ${host}`);
    switch (kind) {
      case 'kill':
        this.#loses(host);
        await killed(station.child);
        await setTimeout(random() * 1500);
        station.child = await this.#start(host, station.proxy);
        return;
      case 'stop':
        return stopped(random, station.child.pid);
      case 'cut':
        station.proxy.cut();
        return;
      case 'thread':
        this.#loses(host);
        station.child.kill('SIGUSR2');
        return;
      case 'cut gateway':
        gatewayProxy.cut();
        return;
      case 'kill gateway':
        return this.#killGateway(first);
      case 'stop gateway':
        return stopped(random, second.program.child.pid);
      case 'drain': {
        this.#loses(host);
        const exited = once(station.child, 'exit');
        station.child.kill('SIGTERM');
        await exited;
        station.child = await this.#start(host, station.proxy);
        return;
      }
      case 'server':
        await this.#fleet.killServer(random() < 0.3);
        await setTimeout(200 + random() * 1500);
        await this.#fleet.startServer();
        return;
      case 'stop server':
        return stopped(random, this.#fleet.serverPid);
    }
  }

  #loses(host: string): void {
    this.#lives.set(host, (this.#lives.get(host) ?? 0) + 1);
  }

  /** Its agents go on at another one, which takes its place. */
  async #killGateway(door: Door): Promise<void> {
    door.isDown = true;
    await killed(door.program.child);
    const { client } = door;
    door.program = await this.#fleet.gateway();
    door.client = await httpClient(door.program, 'modern');
    door.isDown = false;
    await client.close();
  }

  /** With all hosts there again, everybody agrees on what there is, and everything that there is can be stopped. */
  async #check(): Promise<void> {
    const [first, second] = this.#doors as [Door, Door];
    const [one, other] = [first.client, second.client];
    const line = await FleetLine.open({ url: this.#fleet.url, name: 'chaos', log: () => {} });
    const inbox = new Inbox(line);
    const { violations } = this.#agents;
    let problem = '';
    for (const end = performance.now() + settleMs; performance.now() < end; await setTimeout(250)) {
      problem = await this.#disagreement(inbox, one, other);
      if (problem === '') break;
    }
    if (problem !== '') violations.push(problem);
    const there = new Set(await machinesOf(one));
    const missing = this.#agents.left.filter((name) => !there.has(name));
    if (missing.length > 0) violations.push(`gone although nothing ended them: ${missing.join(', ')}`);
    for (const machine of there) await this.#agents.call(first, 'machine_stop', { machine });
    // The other gateway is told of it a moment later.
    let left = await machinesOf(other);
    for (const end = performance.now() + settleMs; left.length > 0 && performance.now() < end; ) {
      await setTimeout(50);
      left = await machinesOf(other);
    }
    if (left.length > 0) violations.push(`still there after all were stopped: ${left.join(', ')}`);
    const held = await heldNames(line);
    if (held.length > 0) violations.push(`names that are held although their machines are gone: ${held.join(', ')}`);
    for (let tries = 0; tries < 240 && this.#processes().length > 0; tries++) await setTimeout(250);
    const orphans = this.#processes();
    if (orphans.length > 0) violations.push(`processes that belong to no machine: ${orphans.join(', ')}`);
    inbox.close();
    await line.close();
  }

  async #disagreement(inbox: Inbox, one: McpClient, other: McpClient): Promise<string> {
    const told = await Promise.all(
      hosts.map((host) =>
        inbox.request(subjects.to(host, 'query'), { what: 'list' }, 2000).then(
          ({ head }) => (head.machines as { handle: string }[]).map(({ handle }) => handle),
          () => undefined,
        ),
      ),
    );
    const silent = hosts.filter((_, index) => told[index] === undefined);
    if (silent.length > 0) return `silent: ${silent.join(', ')}`;
    const all = told.flatMap((handles) => handles ?? []).sort();
    const twice = all.filter((handle, index) => all[index - 1] === handle);
    if (twice.length > 0) return `on two hosts: ${twice.join(', ')}`;
    for (const client of [one, other]) {
      const listed = [...(await machinesOf(client))].sort();
      if (listed.join() !== all.join()) return `hosts have ${all.join(', ')}; a gateway lists ${listed.join(', ')}`;
    }
    const consoles = all.filter((handle) => handle.startsWith('c')).length;
    const running = this.#processes().length;
    return running === consoles ? '' : `${consoles} consoles and ${running} programs of theirs`;
  }

  #processes(): readonly string[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => argumentsOf(pid).join(' ') === `sleep ${this.#mark}`);
  }
}

async function machinesOf(client: McpClient): Promise<readonly string[]> {
  const machines: string[] = [];
  for (let after: string | undefined; ; ) {
    const { text } = await client.call('machine_list', { format: 'json', ...(after !== undefined && { after }) });
    const page = JSON.parse(text) as { machines: { machine: string }[]; after?: string };
    machines.push(...page.machines.map(({ machine }) => machine));
    after = page.after;
    if (after === undefined) return machines;
  }
}

/** Names that are still written down after a while in which they should have been let go. */
async function heldNames(line: FleetLine): Promise<readonly string[]> {
  const census = new Census(line);
  for (const end = performance.now() + settleMs; ; await setTimeout(250)) {
    const { records } = await census.read();
    const held = [...records].flatMap(([name, { state }]) => (state === 'held' ? [name] : []));
    if (held.length === 0 || performance.now() > end) return held;
  }
}

/** Mostly a moment, at times longer than it takes to be called unreachable. */
async function stopped(random: () => number, pid = 0): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await setTimeout(500 + random() ** 2 * 11_000);
  process.kill(pid, 'SIGCONT');
}

function argumentsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch (error) {
    // It has ended meanwhile.
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code))) return [];
    throw error;
  }
}

function pick<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** The same numbers for the same seed, from 0 to 1. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
