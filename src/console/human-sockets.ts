import type { Server } from 'node:net';
import { join } from 'node:path';
import { errorCode } from '../links/serial/reasons.ts';
import type { HumanAccess, TerminalWindow } from '../machine/console.ts';
import { MachineError } from '../machine/errors.ts';
import type { ReportedEvent } from '../machine/events.ts';
import type { FanOut } from './fan-out.ts';
import type { HumanInput } from './human-input.ts';
import type { People } from './people.ts';
import { listenPrivately } from './private-socket.ts';
import { SocketSymlink } from './socket-symlink.ts';
import type { OpenedWindow } from './terminals/open-terminal.ts';

export interface HumanSocketsOptions {
  readonly name: string;
  readonly runtimeDir: string;
  readonly input: HumanInput;
  readonly output: FanOut;
  readonly people: People;
  /** The folder for links named `serial_NAME.in` and `serial_NAME.out`, if there are to be any. */
  readonly linkDir?: string | undefined;
  openTerminal(name: string): Promise<OpenedWindow>;
  report(event: ReportedEvent): void;
}

/** Where people and their programs reach a line: one socket to type into, one that shows everything. */
export class HumanSockets implements HumanAccess {
  readonly socketIn: string;
  readonly socketOut: string;
  /** For terminals of people, who have a name and can ask for more than typing. */
  readonly socketPeople: string;
  readonly #options: HumanSocketsOptions;
  #window: OpenedWindow | undefined;
  #opening: Promise<OpenedWindow> | undefined;
  #servers: Server[] = [];
  #links: SocketSymlink[] = [];
  #isClosed = false;

  constructor(options: HumanSocketsOptions) {
    const { name, runtimeDir } = options;
    if (name.includes('/')) {
      throw new MachineError('INVALID_ARGUMENT', `${name} is not a file name.`, 'Use a name without slashes.', {
        name,
      });
    }
    this.#options = options;
    this.socketIn = join(runtimeDir, `${name}.in`);
    this.socketOut = join(runtimeDir, `${name}.out`);
    this.socketPeople = join(runtimeDir, `${name}.people`);
  }

  get serialLinks(): { readonly in: string; readonly out: string } | undefined {
    const [input, output] = this.#links;
    return input && output && { in: input.path, out: output.path };
  }

  get watching(): number {
    return this.#options.output.size;
  }

  get window(): OpenedWindow | undefined {
    const window = this.#window;
    // Where we do not know the process, the window is there as long as anybody watches.
    const isThere = window?.pid === undefined ? this.watching > 0 : isRunning(window.pid);
    if (!isThere) this.#window = undefined;
    return this.#window;
  }

  /** One window is enough: one that is there, or is being opened, is the answer. */
  async openTerminal(name: string): Promise<TerminalWindow> {
    const there = this.window;
    if (there) return there;
    this.#opening ??= this.#open(name).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async listen(): Promise<void> {
    const { input, output, people, linkDir, name } = this.#options;
    try {
      this.#servers.push(await listenPrivately(this.socketIn, (socket) => input.add(socket)));
      this.#servers.push(await listenPrivately(this.socketOut, (socket) => output.add(socket)));
      this.#servers.push(await listenPrivately(this.socketPeople, (socket) => people.add(socket)));
    } catch (error) {
      this.#stopListening();
      throw error;
    }
    if (linkDir === undefined) return;
    await this.#link(join(linkDir, `serial_${name}.in`), this.socketIn);
    await this.#link(join(linkDir, `serial_${name}.out`), this.socketOut);
  }

  async close(drainMs: number): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#options.input.close();
    this.#options.people.close();
    await this.#options.output.close(drainMs);
    this.window?.close();
  }

  async #open(name: string): Promise<OpenedWindow> {
    try {
      const window = await this.#options.openTerminal(name);
      this.#window = window;
      if (this.#isClosed) window.close();
      return window;
    } catch (error) {
      if (error instanceof MachineError) {
        const { message, fix, data } = error;
        this.#options.report({ type: 'terminal_failed', text: `${message} ${fix}`, data });
      }
      throw error;
    }
  }

  async #link(path: string, target: string): Promise<void> {
    const link = await SocketSymlink.create(path, target);
    if (link) this.#links.push(link);
    else this.#options.report({ type: 'serial_link_refused', text: `${path} is taken; use ${target}`, data: { path } });
  }

  #stopListening(): void {
    for (const link of this.#links) link.remove();
    for (const server of this.#servers) server.close();
    this.#links = [];
    this.#servers = [];
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
