import type { WebSocket } from 'ws';
import type { Machine } from '../machine/machine.ts';
import { type Status, stateLine } from '../machine/state.ts';
import type { Rack } from '../rack/rack.ts';
import type { RackedMachine } from '../rack/racked-machine.ts';
import { type Actor, requireRole, roleOfEffect } from '../rack/roles.ts';
import type { MachineLine, PageCommand, PageEvent } from './channel.ts';
import { CommandGate } from './command-gate.ts';
import type { Hands } from './hands.ts';
import { parseCommand } from './parse-command.ts';
import { type Deed, WatchedMachine } from './watched-machine.ts';

const statusMs = 500;
/** Behind by more than this the viewer misses pictures and sound rather than getting old ones. */
const maxWaitingBytes = 256 * 1024;
/** Behind by more than this it is not there any more, whatever it says. */
const mostWaitingBytes = 32 * 1024 * 1024;
const heartbeatMs = 30_000;
/** A person who types is noted in the log of who did what once in so long. */
const sameDeedMs = 60_000;
const shownCalls = 50;

type Watch = Extract<PageCommand, { type: 'watch' }>;

/** What all viewers share. */
export interface PageRoom {
  readonly rack: Rack;
  handsOn(machine: Machine): Hands;
  /** Machines whose screen turned out to have no display behind it. */
  readonly withoutDisplay: WeakSet<Machine>;
  readonly runs: WeakMap<Machine, AbortController>;
  log(text: string): void;
}

/** One viewer: sends what changes, carries out what they do. */
export class PageConnection {
  readonly #socket: WebSocket;
  readonly #room: PageRoom;
  readonly #actor: Actor;
  readonly #timer: NodeJS.Timeout;
  readonly #left = new AbortController();
  readonly #gate: CommandGate<PageCommand | undefined>;
  readonly #heartbeat: NodeJS.Timeout;
  #watched: WatchedMachine | undefined;
  #wanted: Watch | undefined;
  #isLooking = true;
  #isListening = false;
  #isAlive = true;
  #lastMachines = '';
  #lastCall = 0;
  #lastFault = '';
  readonly #noted = new Map<string, number>();

  constructor(socket: WebSocket, room: PageRoom, actor: Actor) {
    this.#socket = socket;
    this.#room = room;
    this.#actor = actor;
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    this.#gate = new CommandGate(socket, costOf, (command) => this.#obey(command));
    socket.on('message', (data) => this.#gate.take(understood(String(data))));
    this.#timer = setInterval(() => this.#guarded(() => this.#showStatus()), statusMs);
    this.#heartbeat = setInterval(() => this.#guarded(() => this.#beat()), heartbeatMs);
    this.#guarded(() => {
      this.#send({ type: 'you', client: actor.client, role: actor.role });
      this.#showStatus();
    });
  }

  close(): void {
    clearInterval(this.#timer);
    clearInterval(this.#heartbeat);
    this.#left.abort();
    this.#gate.close();
    this.#watched?.close();
    this.#watched = undefined;
    this.#socket.close();
  }

  #send(event: PageEvent): void {
    if (this.#socket.bufferedAmount > mostWaitingBytes) this.#socket.terminate();
    else this.#socket.send(JSON.stringify(event));
  }

  /** What fails in here is a fault of one machine's, or of ours, and no reason to end anything else. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (fault !== this.#lastFault) this.#room.log(`BUG page: ${fault}`);
      this.#lastFault = fault;
    }
  }

  get #isReady(): boolean {
    return this.#socket.bufferedAmount <= maxWaitingBytes;
  }

  /** A computer that went to sleep says nothing when it leaves; what it watched would be in use for ever. */
  #beat(): void {
    // Of a socket that is not read no answer can come.
    if (!this.#isAlive && !this.#gate.isClosed) this.#socket.terminate();
    this.#isAlive = false;
    this.#socket.ping();
  }

  #showStatus(): void {
    const { rack } = this.#room;
    if (this.#watched && !rack.machines.includes(this.#watched.racked)) this.#watchAgain();
    void this.#watched?.refresh();
    if (!this.#isReady) return;
    const machines = rack.machines.map((racked) => this.#lineOf(racked));
    const text = JSON.stringify(machines);
    if (text !== this.#lastMachines) this.#send({ type: 'machines', machines });
    this.#lastMachines = text;
    this.#showCalls();
  }

  #lineOf({ handle, machine }: RackedMachine): MachineLine {
    const status = this.#statusOf(machine);
    return {
      handle,
      kind: machine.kind,
      line: stateLine(handle, status),
      state: status.state,
      hasScreen: machine.screen !== undefined && !this.#room.withoutDisplay.has(machine),
      consoles: machine.console?.ports.map(({ name }) => name) ?? [],
      hasControl: machine.control !== undefined,
      hasSound: machine.audio !== undefined,
    };
  }

  #statusOf(machine: Machine): Status {
    const { stop, ...status } = machine.status();
    if (!this.#room.runs.has(machine)) return { ...status, ...(stop && { stop }) };
    return { ...status, state: 'RUNNING', notes: [...(status.notes ?? []), 'for you, until you or an agent stop it'] };
  }

  #showCalls(): void {
    const calls = this.#room.rack.journal.entries.filter(({ seq }) => seq > this.#lastCall).slice(-shownCalls);
    const last = calls.at(-1);
    if (!last) return;
    this.#lastCall = last.seq;
    this.#send({
      type: 'calls',
      calls: calls.map((call) => ({
        ...call,
        arguments: JSON.stringify(call.arguments, shortened).slice(0, 2000),
        answer: call.answer.slice(0, 4000),
      })),
    });
  }

  async #obey(command: PageCommand | undefined): Promise<void> {
    try {
      if (!command) throw new Error('The page said something that is no command.');
      switch (command.type) {
        case 'watch':
          this.#note('watch', command.machine);
          return this.#watch(command);
        case 'look':
          this.#isLooking = command.isLooking;
          return;
        case 'listen':
          this.#isListening = command.isListening;
          return this.#watched?.listen(command.isListening);
        default:
          return await this.#act(command);
      }
    } catch (error) {
      this.#trouble(error);
    }
  }

  async #act(command: Deed): Promise<void> {
    const what = command.type === 'control' ? command.action : command.type === 'paste' ? 'paste' : 'input';
    const machine = this.#wanted?.machine;
    try {
      requireRole(this.#actor, roleOfEffect.change, 'Using a machine');
    } catch (error) {
      this.#note(what, machine, 'denied');
      throw error;
    }
    this.#note(what, machine);
    await this.#watched?.obey(command);
  }

  #note(what: string, machine: string | undefined, outcome: 'done' | 'denied' = 'done'): void {
    const key = JSON.stringify([what, machine, outcome]);
    const now = performance.now();
    if (what === 'input' && now - (this.#noted.get(key) ?? Number.NEGATIVE_INFINITY) < sameDeedMs) return;
    if (this.#noted.size > 1000) this.#noted.clear();
    this.#noted.set(key, now);
    this.#room.rack.audit.note(this.#actor, { tool: `page ${what}`, machine, outcome });
  }

  /** The machine has gone; another one may have come under its name. */
  #watchAgain(): void {
    const wanted = this.#wanted;
    this.#unwatch();
    if (wanted) this.#watch(wanted);
  }

  #watch(wanted: Watch): void {
    const { machine: handle, console } = wanted;
    this.#unwatch();
    this.#wanted = wanted;
    const racked = this.#room.rack.machines.find((each) => each.handle === handle);
    if (!racked) return;
    const { machine } = racked;
    this.#watched = new WatchedMachine(racked, console, this.#room.handsOn(machine), {
      isReady: () => this.#isReady,
      isLooking: () => this.#isLooking,
      picture: (bytes) => this.#socket.send(bytes),
      sound: (bytes) => this.#socket.send(bytes),
      terminal: (name, terminal) => this.#send({ type: 'terminal', machine: handle, console: name, terminal }),
      input: (input) => this.#send({ type: 'input', machine: handle, input }),
      noDisplay: () => this.#room.withoutDisplay.add(machine),
      runs: this.#room.runs,
      left: this.#left.signal,
      typing: (typed, total, isOver) => this.#send({ type: 'typing', typed, total, isOver }),
      trouble: (error) => this.#trouble(error),
    });
    this.#watched.listen(this.#isListening);
  }

  #unwatch(): void {
    this.#watched?.close();
    this.#watched = undefined;
    this.#wanted = undefined;
  }

  #trouble(error: unknown): void {
    // Who does not read what was wrong gets no more of it.
    if (!this.#isReady) return;
    this.#send({ type: 'trouble', text: error instanceof Error ? error.message : String(error) });
  }
}

function understood(text: string): PageCommand | undefined {
  try {
    return parseCommand(text);
  } catch {
    return undefined;
  }
}

/** Beside a movement of the mouse: another machine has to be looked at as a whole. */
function costOf(command: PageCommand | undefined): number {
  switch (command?.type) {
    case 'watch':
    case 'control':
      return 40;
    case 'listen':
    case 'paste':
      return 10;
    default:
      return 1;
  }
}

/** For JSON: a call may carry a whole program, and the page shows its beginning. */
function shortened(_: string, value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, 2000);
  return Array.isArray(value) ? value.slice(0, 100) : value;
}
