import type { WebSocket } from 'ws';
import type { Actor } from '../api/roles.ts';
import type { MachineSummary, ToolHost } from '../api/tool-host.ts';
import type { Watch } from '../api/watch.ts';
import { callLine } from './call-line.ts';
import type { MachineLine, PageCommand, PageEvent } from './channel.ts';
import { CommandGate } from './command-gate.ts';
import { GlimpseFeed } from './glimpse-feed.ts';
import { Outlet } from './outlet.ts';
import { parseCommand } from './parse-command.ts';
import { PersonRequests } from './person-requests.ts';
import { PictureStream } from './picture-stream.ts';

const statusMs = 500;
/** After a change the others that come with it are waited for. */
const changeMs = 20;
/** Behind by more than this the viewer is told nothing new until it has caught up. */
const mostUntoldBytes = 256 * 1024;
const heartbeatMs = 30_000;
const shownCalls = 50;
const earlierCalls = 200;

type Wish = Extract<PageCommand, { type: 'watch' }>;

/** One viewer: sends what changes, carries out what they do. */
export class PageConnection {
  readonly #socket: WebSocket;
  readonly #host: ToolHost;
  readonly #log: (text: string) => void;
  readonly #actor: Actor;
  readonly #timer: NodeJS.Timeout;
  readonly #gate: CommandGate<PageCommand | undefined>;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #outlet: Outlet;
  readonly #pictures: PictureStream;
  readonly #requests: PersonRequests;
  readonly #glimpses: GlimpseFeed;
  readonly #unlisten: () => void;
  #changed: NodeJS.Timeout | undefined;
  #watched: Watch | undefined;
  #wanted: Wish | undefined;
  #isLooking = true;
  #isListening = false;
  #isAlive = true;
  #lastMachines = '';
  #lastCall = 0;
  #lastFault = '';

  constructor(socket: WebSocket, host: ToolHost, actor: Actor, log: (text: string) => void) {
    this.#socket = socket;
    this.#host = host;
    this.#log = log;
    this.#actor = actor;
    this.#outlet = new Outlet(socket);
    this.#pictures = new PictureStream(this.#outlet);
    this.#requests = new PersonRequests(host, actor, (event) => this.#send(event));
    const isFree = () => this.#outlet.isReady && this.#isLooking;
    this.#glimpses = new GlimpseFeed(host, isFree, (event) => this.#send(event));
    this.#unlisten = host.onChange(({ console }) => {
      if (console === undefined) this.#showSoon();
    });
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('ping', (data) => {
      if (this.#isHearing) socket.pong(data);
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
    clearTimeout(this.#changed);
    this.#unlisten();
    this.#requests.close();
    this.#glimpses.isWanted = false;
    this.#gate.close();
    this.#watched?.close();
    this.#watched = undefined;
    this.#socket.close();
  }

  #send(event: PageEvent): void {
    this.#outlet.tell(event);
  }

  /** What fails in here is a fault of one machine's, or of ours, and no reason to end anything else. */
  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (fault !== this.#lastFault) this.#log(`BUG page: ${fault}`);
      this.#lastFault = fault;
    }
  }

  /** Whether it is told of changes. Pictures have a narrower door, so that these never wait behind them. */
  get #isHearing(): boolean {
    return this.#socket.bufferedAmount <= mostUntoldBytes;
  }

  /** A computer that went to sleep says nothing when it leaves; what it watched would be in use for ever. */
  #beat(): void {
    // Of a socket that is not read no answer can come.
    if (!this.#isAlive && !this.#gate.isClosed) this.#socket.terminate();
    this.#isAlive = false;
    this.#socket.ping();
  }

  #isAway(): boolean {
    const wanted = this.#host.machines().find(({ handle }) => handle === this.#wanted?.machine);
    return wanted?.state === 'UNREACHABLE';
  }

  #showStatus(): void {
    // Whose host is away cannot be watched before it is back.
    if (this.#watched?.isOver && !this.#isAway()) this.#watchAgain();
    this.#watched?.refresh();
    if (!this.#isHearing) return;
    const machines = this.#host.machines().map((machine) => lineOf(machine, this.#actor.person));
    const text = JSON.stringify(machines);
    if (text !== this.#lastMachines) this.#send({ type: 'machines', machines });
    this.#lastMachines = text;
    this.#showCalls();
  }

  #showSoon(): void {
    this.#changed ??= setTimeout(() => {
      this.#changed = undefined;
      this.#guarded(() => this.#showStatus());
    }, changeMs);
  }

  #showCalls(): void {
    const calls = this.#host.calls(this.#lastCall).slice(-shownCalls);
    const last = calls.at(-1);
    if (!last) return;
    this.#lastCall = last.seq;
    this.#send({ type: 'calls', calls: calls.map(callLine) });
  }

  #showEarlier(before: number): void {
    const older = this.#host.calls(0).filter(({ seq }) => seq < before);
    const calls = older.slice(-earlierCalls);
    this.#send({ type: 'earlier', calls: calls.map(callLine), isAll: calls.length === older.length });
  }

  async #obey(command: PageCommand | undefined): Promise<void> {
    try {
      if (!command) throw new Error('The page said something that is not a command.');
      if (PersonRequests.concerns(command)) {
        await this.#requests.answer(command);
        if (command.type !== 'inspect' && command.type !== 'entry') this.#showSoon();
        return;
      }
      switch (command.type) {
        case 'watch':
          return this.#watch(command);
        case 'earlier':
          return this.#showEarlier(command.before);
        case 'glimpses':
          this.#glimpses.isWanted = command.isWanted;
          return;
        case 'leave':
          return this.#unwatch();
        case 'ack':
          return this.#outlet.acknowledged(command.seq);
        case 'look':
          this.#isLooking = command.isLooking;
          return;
        case 'listen':
          this.#isListening = command.isListening;
          return this.#watched?.listen(command.isListening);
        default:
          await this.#watched?.act(command);
          if (command.type === 'control') this.#showSoon();
      }
    } catch (error) {
      this.#trouble(error);
    }
  }

  /** The machine has gone; another one may have come under its name. */
  #watchAgain(): void {
    const wanted = this.#wanted;
    this.#unwatch();
    if (wanted) this.#watch(wanted);
  }

  #watch(wanted: Wish): void {
    const { machine, console } = wanted;
    this.#unwatch();
    this.#pictures.restart();
    this.#wanted = wanted;
    this.#watched = this.#host.watch(machine, console, this.#actor, {
      isReady: () => this.#outlet.isReady && this.#pictures.isIdle,
      isLooking: () => this.#isLooking,
      picture: (picture) => this.#pictures.offer(picture),
      sound: (sound) => this.#outlet.sound(sound),
      terminal: (name, terminal) => this.#send({ type: 'terminal', machine, console: name, terminal }),
      input: (input) => this.#send({ type: 'input', machine, input }),
      typing: (typed, total, isOver) => this.#send({ type: 'typing', typed, total, isOver }),
      trouble: (text) => this.#trouble(text),
    });
    this.#watched?.listen(this.#isListening);
  }

  #unwatch(): void {
    this.#watched?.close();
    this.#watched = undefined;
    this.#wanted = undefined;
  }

  #trouble(error: unknown): void {
    // Who does not read what was wrong gets no more of it.
    if (!this.#isHearing) return;
    this.#send({ type: 'trouble', text: error instanceof Error ? error.message : String(error) });
  }
}

function lineOf(summary: MachineSummary, person: string | undefined): MachineLine {
  const { watched, holder, state: _, line: __, notes: ___, ...rest } = summary;
  const isMine = holder !== undefined && holder.person === person;
  return { ...rest, ...watched, isMine, ...(holder && { holder: holder.name }) };
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
    case undefined:
      return 5;
    case 'ack':
      return 0.2;
    case 'watch':
    case 'control':
    case 'call':
    case 'kinds':
    case 'earlier':
      return 40;
    case 'entry':
      return 5;
    case 'inspect':
      return 10 + command.reads.length;
    case 'listen':
    case 'paste':
      return 10;
    default:
      return 1;
  }
}
