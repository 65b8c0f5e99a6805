import type { HttpProgram } from './http-program.ts';
import type { McpClient } from './mcp-client.ts';

/** INC $C100, JMP $C000: counts how often it was run, two instructions a round. */
const counter = 'EE 00 C1 4C 00 C0';
const longestCallMs = 100_000;

/** A gateway that may be killed and started again. */
export interface Door {
  program: HttpProgram;
  client: McpClient;
  isDown: boolean;
}

/** A machine that an agent started and steps: how often that surely happened, and how often perhaps. */
interface Stepped {
  readonly name: string;
  readonly home: Home | undefined;
  done: number;
  unsure: number;
}

/** Where a machine is, and in which life of that host: while that goes on it must be there. */
interface Home {
  readonly host: string;
  readonly life: number;
}

/** Agents that start machines, step them, look at others and stop them, and note what must never be. */
export class ChaosAgents {
  readonly #doors: readonly Door[];
  /** How often each host has lost machines: with its process, or with a thread. */
  readonly #lives: ReadonlyMap<string, number>;
  /** Of programs of consoles. */
  readonly #mark: string;
  readonly #left = new Map<string, Home>();
  readonly violations: string[] = [];
  calls = 0;
  /** Answered with an error, as calls may while hosts come and go. */
  refused = 0;
  longestMs = 0;
  isOver = false;

  constructor(doors: readonly Door[], lives: ReadonlyMap<string, number>, mark: string) {
    this.#doors = doors;
    this.#lives = lives;
    this.#mark = mark;
  }

  /** What they left running and nothing has ended. */
  get left(): readonly string[] {
    return [...this.#left].flatMap(([name, home]) => (this.#isAtHome(home) ? [name] : []));
  }

  async work(number: number, random: () => number): Promise<void> {
    const door = () => {
      const [one, other] = (random() < 0.5 ? this.#doors : this.#doors.toReversed()) as [Door, Door];
      return one.isDown ? other : one;
    };
    for (let round = 0; !this.isOver; round++) {
      const name = `m${number}-${round}`;
      if (random() < 0.25) {
        const options = { command: ['sleep', this.#mark] };
        await this.call(door(), 'machine_start', { kind: 'console', name: `c${number}-${round}`, options });
      }
      const lives = new Map(this.#lives);
      if (!(await this.#begin(door(), name))) continue;
      const host = await this.#hostOf(door(), name);
      const home = host === undefined ? undefined : { host, life: lives.get(host) ?? 0 };
      const stepped: Stepped = { name, home, done: 0, unsure: 0 };
      const steps = Math.ceil(random() * 20);
      for (let step = 0; step < steps && !this.isOver; step++) {
        const answer = await this.call(door(), 'step', { machine: name, count: 2 });
        if (answer === undefined || answer.includes('not known')) stepped.unsure++;
        else if (!answer.startsWith('ERROR')) stepped.done++;
        this.#mustBeThere(stepped, answer);
        if (random() < 0.1) await this.call(door(), 'machine_list', {});
      }
      await this.#count(door(), stepped);
      if (random() < 0.8) await this.call(door(), 'machine_stop', { machine: name });
      else if (home) this.#left.set(name, home);
    }
  }

  async #begin(door: Door, machine: string): Promise<boolean> {
    const calls: readonly (readonly [string, Record<string, unknown>])[] = [
      ['machine_start', { kind: 'c64', name: machine, options: { boot: false } }],
      ['memory_write', { machine, address: '$c000', bytes: counter }],
      ['registers_write', { machine, values: { PC: '$C000' } }],
      ['memory_write', { machine, address: '$c100', bytes: '00' }],
    ];
    for (const [tool, args] of calls) {
      const answer = await this.call(door, tool, args);
      if (answer === undefined || answer.startsWith('ERROR')) return false;
    }
    return true;
  }

  async #hostOf(door: Door, machine: string): Promise<string | undefined> {
    const list = await this.call(door, 'machine_list', { filter: machine, format: 'json' });
    if (list === undefined || list.startsWith('ERROR')) return undefined;
    const { machines } = JSON.parse(list) as { machines: { machine: string; host?: string }[] };
    return machines.find((each) => each.machine === machine)?.host;
  }

  /** Every step that was answered well was carried out, and none twice. */
  async #count(door: Door, stepped: Stepped): Promise<void> {
    const { name, done, unsure } = stepped;
    const dump = (await this.call(door, 'memory_read', { machine: name, address: '$c100', length: 1 })) ?? '';
    this.#mustBeThere(stepped, dump);
    const byte = /\$C100\s+([0-9A-F]{2})/i.exec(dump)?.[1];
    if (dump.startsWith('ERROR') || byte === undefined) return;
    const counted = Number.parseInt(byte, 16);
    if (counted >= done && counted <= done + unsure) return;
    this.violations.push(`${name} was stepped ${counted} times; ${done} were answered, ${unsure} perhaps`);
  }

  #mustBeThere({ name, home }: Stepped, answer: string | undefined): void {
    if (!home || !answer?.includes('UNKNOWN_MACHINE') || !this.#isAtHome(home)) return;
    this.violations.push(`${name} is gone although nothing ended it on ${home.host}: ${answer.slice(0, 200)}`);
  }

  #isAtHome({ host, life }: Home): boolean {
    return (this.#lives.get(host) ?? 0) === life;
  }

  /** The text of the answer; undefined if it never came, which must not be while the gateway lives. */
  async call(door: Door, tool: string, args: Record<string, unknown>): Promise<string | undefined> {
    this.calls++;
    const { client } = door;
    const began = performance.now();
    try {
      const { text, isError } = await client.call(tool, args, { timeout: longestCallMs });
      if (isError) this.refused++;
      if (isError && text.includes('internal error')) this.violations.push(`${tool}: ${text.slice(0, 200)}`);
      return text;
    } catch (error) {
      if (door.isDown || door.client !== client) return undefined;
      const lasted = Math.round((performance.now() - began) / 1000);
      this.violations.push(`${tool} was not answered after ${lasted} s: ${String(error).slice(0, 200)}`);
      return undefined;
    } finally {
      this.longestMs = Math.max(this.longestMs, performance.now() - began);
    }
  }
}
