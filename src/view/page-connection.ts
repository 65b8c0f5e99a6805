import type { WebSocket } from 'ws';
import type { Machine } from '../machine/machine.ts';
import { type Status, stateLine } from '../machine/state.ts';
import type { Rack } from '../rack/rack.ts';
import type { RackedMachine } from '../rack/racked-machine.ts';
import type { MachineLine, PageCommand, PageEvent } from './channel.ts';
import type { Hands } from './hands.ts';
import { parseCommand } from './parse-command.ts';
import { WatchedMachine } from './watched-machine.ts';

const statusMs = 500;
const maxWaitingBytes = 1_000_000;
const shownCalls = 50;

/** What all viewers share. */
export interface PageRoom {
  readonly rack: Rack;
  handsOn(machine: Machine): Hands;
  /** Machines whose screen turned out to have no display behind it. */
  readonly withoutDisplay: WeakSet<Machine>;
  readonly runs: WeakMap<Machine, AbortController>;
}

/** One viewer: sends what changes, carries out what they do. */
export class PageConnection {
  readonly #socket: WebSocket;
  readonly #room: PageRoom;
  readonly #timer: NodeJS.Timeout;
  readonly #left = new AbortController();
  #watched: WatchedMachine | undefined;
  #lastMachines = '';
  #lastCall = 0;

  constructor(socket: WebSocket, room: PageRoom) {
    this.#socket = socket;
    this.#room = room;
    this.#timer = setInterval(() => this.#showStatus(), statusMs);
    socket.on('message', (data) => void this.#obey(String(data)));
    socket.on('error', () => socket.terminate());
    this.#showStatus();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#left.abort();
    this.#watched?.close();
    this.#watched = undefined;
    this.#socket.close();
  }

  #send(event: PageEvent): void {
    this.#socket.send(JSON.stringify(event));
  }

  #showStatus(): void {
    const { rack } = this.#room;
    const machines = rack.machines.map((racked) => this.#lineOf(racked));
    const text = JSON.stringify(machines);
    if (text !== this.#lastMachines) this.#send({ type: 'machines', machines });
    this.#lastMachines = text;
    if (this.#watched && !rack.machines.includes(this.#watched.racked)) this.#unwatch();
    void this.#watched?.refresh();
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
        arguments: JSON.stringify(call.arguments).slice(0, 2000),
        answer: call.answer.slice(0, 4000),
      })),
    });
  }

  async #obey(text: string): Promise<void> {
    try {
      const command = parseCommand(text);
      if (!command) throw new Error('The page said something that is no command.');
      if (command.type === 'watch') this.#watch(command);
      else await this.#watched?.obey(command);
    } catch (error) {
      this.#trouble(error);
    }
  }

  #watch({ machine: handle, console }: Extract<PageCommand, { type: 'watch' }>): void {
    this.#unwatch();
    const racked = this.#room.rack.machines.find((each) => each.handle === handle);
    if (!racked) return;
    const { machine } = racked;
    this.#watched = new WatchedMachine(racked, console, this.#room.handsOn(machine), {
      isReady: () => this.#socket.bufferedAmount <= maxWaitingBytes,
      picture: (bytes) => this.#socket.send(bytes),
      terminal: (name, terminal) => this.#send({ type: 'terminal', machine: handle, console: name, terminal }),
      input: (input) => this.#send({ type: 'input', machine: handle, input }),
      noDisplay: () => this.#room.withoutDisplay.add(machine),
      runs: this.#room.runs,
      left: this.#left.signal,
      trouble: (error) => this.#trouble(error),
    });
  }

  #unwatch(): void {
    this.#watched?.close();
    this.#watched = undefined;
  }

  #trouble(error: unknown): void {
    this.#send({ type: 'trouble', text: error instanceof Error ? error.message : String(error) });
  }
}
