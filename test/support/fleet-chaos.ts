import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Inbox } from '../../src/fleet/gateway/inbox.ts';
import { FleetLine } from '../../src/fleet/wire/fleet-line.ts';
import { subjects } from '../../src/fleet/wire/subjects.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { Fleet, killed } from './fleet.ts';
import { httpClient, type McpClient } from './mcp-client.ts';

/** INC $C100, JMP $C000: counts how often it was run, two instructions a round. */
const counter = 'EE 00 C1 4C 00 C0';
const longestCallMs = 100_000;
const settleMs = 90_000;
const hosts = ['a', 'b', 'c'] as const;

export interface ChaosReport {
  readonly faults: Readonly<Record<string, number>>;
  readonly calls: number;
  /** Answered with an error, as calls may while hosts come and go. */
  readonly refused: number;
  /** What must never be. */
  readonly violations: readonly string[];
}

interface Station {
  readonly host: string;
  readonly proxy: CuttingProxy;
  child: ChildProcess;
}

/** A machine that an agent started and steps: how often that surely happened, and how often perhaps. */
interface Stepped {
  readonly name: string;
  done: number;
  unsure: number;
}

/** Faults at random in a fleet of three hosts and two gateways under load; which faults and calls, the seed says. */
export async function runChaos(seed: number, seconds: number, log: (text: string) => void = () => {}) {
  await using fleet = await Fleet.open();
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
  readonly #clients: McpClient[] = [];
  readonly #proxies: CuttingProxy[] = [];
  readonly #faults: Record<string, number> = {};
  readonly #violations: string[] = [];
  #calls = 0;
  #refused = 0;
  #isOver = false;

  constructor(fleet: Fleet, seed: number, log: (text: string) => void) {
    this.#fleet = fleet;
    this.#seed = seed;
    this.#log = log;
    this.#mark = `${8_000_000 + (process.pid % 1000) * 1000 + (seed % 1000)}`;
  }

  async run(seconds: number): Promise<ChaosReport> {
    await Promise.all(hosts.map((host) => this.#open(host)));
    const proxy = await CuttingProxy.to(this.#fleet.url);
    this.#proxies.push(proxy);
    const gateways = await Promise.all([
      this.#fleet.gateway(),
      this.#fleet.gateway('--nats', `nats://127.0.0.1:${proxy.port}`),
    ]);
    for (const gateway of gateways) this.#clients.push(await httpClient(gateway, 'modern'));
    const agents = [0, 1, 2, 3].map((number) => this.#agent(number));
    const end = performance.now() + seconds * 1000;
    const random = generator(this.#seed);
    while (performance.now() < end) {
      await this.#fault(random, proxy);
      await setTimeout(300 + random() * 1200);
    }
    this.#isOver = true;
    for (const { child } of this.#stations.values()) child.kill('SIGCONT');
    await Promise.all(agents);
    await this.#check();
    return {
      ...{ faults: this.#faults, calls: this.#calls, refused: this.#refused },
      violations: this.#violations,
    };
  }

  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
    for (const { child } of this.#stations.values()) await killed(child);
    for (const proxy of this.#proxies) await proxy[Symbol.asyncDispose]();
  }

  async #open(host: string): Promise<void> {
    const proxy = await CuttingProxy.to(this.#fleet.url);
    this.#proxies.push(proxy);
    this.#stations.set(host, { host, proxy, child: await this.#start(host, proxy) });
  }

  #start(host: string, proxy: CuttingProxy): Promise<ChildProcess> {
    return this.#fleet.station(host, '--nats', `nats://127.0.0.1:${proxy.port}`, '--drain-timeout', '2');
  }

  /** One fault, and what ends it. */
  async #fault(random: () => number, gatewayProxy: CuttingProxy): Promise<void> {
    const station = this.#stations.get(pick(random, hosts));
    if (!station) return;
    const { host, proxy } = station;
    const kind = pick(random, ['kill', 'stop', 'cut', 'cut gateway', 'drain', 'server'] as const);
    this.#faults[kind] = (this.#faults[kind] ?? 0) + 1;
    this.#log(`${kind} ${host}`);
    switch (kind) {
      case 'kill':
        await killed(station.child);
        await setTimeout(random() * 1500);
        station.child = await this.#start(host, proxy);
        return;
      case 'stop':
        station.child.kill('SIGSTOP');
        await setTimeout(500 + random() * 4000);
        station.child.kill('SIGCONT');
        return;
      case 'cut':
        proxy.cut();
        return;
      case 'cut gateway':
        gatewayProxy.cut();
        return;
      case 'drain': {
        const exited = once(station.child, 'exit');
        station.child.kill('SIGTERM');
        await exited;
        station.child = await this.#start(host, proxy);
        return;
      }
      case 'server':
        await this.#fleet.killServer(random() < 0.3);
        await setTimeout(200 + random() * 1500);
        await this.#fleet.startServer();
    }
  }

  /** Starts machines, steps one, looks at others, stops them again, until the faults are over. */
  async #agent(number: number): Promise<void> {
    const random = generator(this.#seed * 31 + number + 1);
    const client = () => this.#clients[random() < 0.5 ? 0 : 1] as McpClient;
    for (let round = 0; !this.#isOver; round++) {
      const stepped: Stepped = { name: `m${number}-${round}`, done: 0, unsure: 0 };
      if (random() < 0.25) {
        await this.#call(client(), 'machine_start', {
          kind: 'console',
          name: `c${number}-${round}`,
          options: { command: ['sleep', this.#mark] },
        });
      }
      if (!(await this.#begin(client(), stepped.name))) continue;
      const steps = Math.ceil(random() * 20);
      for (let step = 0; step < steps && !this.#isOver; step++) {
        const answer = await this.#call(client(), 'step', { machine: stepped.name, count: 2 });
        if (answer === undefined || answer.includes('not known')) stepped.unsure++;
        else if (!answer.startsWith('ERROR')) stepped.done++;
        if (random() < 0.1) await this.#call(client(), 'machine_list', {});
      }
      await this.#count(client(), stepped);
      if (random() < 0.8) await this.#call(client(), 'machine_stop', { machine: stepped.name });
    }
  }

  async #begin(client: McpClient, machine: string): Promise<boolean> {
    const calls: readonly (readonly [string, Record<string, unknown>])[] = [
      ['machine_start', { kind: 'c64', name: machine, options: { boot: false } }],
      ['memory_write', { machine, address: '$c000', bytes: counter }],
      ['registers_write', { machine, values: { PC: '$C000' } }],
      ['memory_write', { machine, address: '$c100', bytes: '00' }],
    ];
    for (const [tool, args] of calls) {
      const answer = await this.#call(client, tool, args);
      if (answer === undefined || answer.startsWith('ERROR')) return false;
    }
    return true;
  }

  /** Every step that was answered well was carried out, and none twice. */
  async #count(client: McpClient, { name, done, unsure }: Stepped): Promise<void> {
    const dump = (await this.#call(client, 'memory_read', { machine: name, address: '$c100', length: 1 })) ?? '';
    const byte = /\$C100\s+([0-9A-F]{2})/i.exec(dump)?.[1];
    if (dump.startsWith('ERROR') || byte === undefined) return;
    const counted = Number.parseInt(byte, 16);
    if (counted >= done && counted <= done + unsure) return;
    this.#violations.push(`${name} was stepped ${counted} times; ${done} were answered, ${unsure} perhaps`);
  }

  /** The text of the answer; undefined if it never came, which must not be. */
  async #call(client: McpClient, tool: string, args: Record<string, unknown>): Promise<string | undefined> {
    this.#calls++;
    const began = performance.now();
    try {
      const { text, isError } = await client.call(tool, args, { timeout: longestCallMs });
      if (isError) this.#refused++;
      if (isError && text.includes('internal error')) this.#violations.push(`${tool}: ${text.slice(0, 200)}`);
      return text;
    } catch (error) {
      const lasted = Math.round((performance.now() - began) / 1000);
      this.#violations.push(`${tool} was not answered after ${lasted} s: ${String(error).slice(0, 200)}`);
      return undefined;
    }
  }

  /** With all hosts there again, everybody agrees on what there is, and everything that there is can be stopped. */
  async #check(): Promise<void> {
    const [one, other] = this.#clients as [McpClient, McpClient];
    const line = await FleetLine.open({ url: this.#fleet.url, name: 'chaos', log: () => {} });
    const inbox = new Inbox(line);
    let problem = '';
    for (const end = performance.now() + settleMs; performance.now() < end; await setTimeout(250)) {
      problem = await this.#disagreement(inbox, one, other);
      if (problem === '') break;
    }
    if (problem !== '') this.#violations.push(problem);
    for (const machine of await machinesOf(one)) await this.#call(one, 'machine_stop', { machine });
    // The other gateway is told of it a moment later.
    let left = await machinesOf(other);
    for (const end = performance.now() + settleMs; left.length > 0 && performance.now() < end; ) {
      await setTimeout(50);
      left = await machinesOf(other);
    }
    if (left.length > 0) this.#violations.push(`still there after all were stopped: ${left.join(', ')}`);
    for (let tries = 0; tries < 240 && this.#processes().length > 0; tries++) await setTimeout(250);
    const orphans = this.#processes();
    if (orphans.length > 0) this.#violations.push(`processes that belong to no machine: ${orphans.join(', ')}`);
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
