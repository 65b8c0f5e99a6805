import type { ByteLink } from '../links/byte-link.ts';
import type {
  ConsolePort,
  FileExchange,
  LinkStatus,
  OutputRing,
  Recording,
  SerialLine,
  TerminalScreen,
  Visitor,
  WriteOptions,
  WritePolicy,
  WriteResult,
} from '../machine/console.ts';
import { MachineError } from '../machine/errors.ts';
import type { ReportedEvent } from '../machine/events.ts';
import { Activity } from './activity.ts';
import { Backoff, type BackoffOptions } from './backoff.ts';
import { ByteRing } from './byte-ring.ts';
import { FanOut, type FlowPolicy } from './fan-out.ts';
import { HumanInput } from './human-input.ts';
import { HumanSockets } from './human-sockets.ts';
import { LineAccess } from './line-access.ts';
import { LineWriter } from './line-writer.ts';
import { LinkSupervisor } from './link-supervisor.ts';
import { ModemExchange } from './modem/modem-exchange.ts';
import { People } from './people.ts';
import { ReadPacer } from './read-pacer.ts';
import { ReaderCursors } from './reader-cursors.ts';
import { serialLinkDir } from './socket-symlink.ts';
import type { OpenedWindow } from './terminals/open-terminal.ts';
import { VisitorPort } from './visitor-port.ts';

const smallestRingBytes = 4 * 1024;
const largestRingBytes = 1024 * 1024 * 1024;
const drainMs = 50;
const clientDrainMs = 25;

/** Sees every chunk as it enters the ring. The bytes are only valid during the call. */
export type Tap = (offset: number, bytes: Uint8Array) => void;

/** The parts of a port that live beside the byte path. */
export interface ConsoleParts {
  readonly screen: TerminalScreen;
  readonly recording: Recording;
  readonly taps: readonly Tap[];
  openTerminal(name: string): Promise<OpenedWindow>;
  /** Nothing of the output so far counts any more. */
  restart(): void;
  /** Who came, went, has the line, writes. */
  announce?(text: string): void;
}

export interface ConsoleLineOptions {
  readonly name: string;
  readonly link: ByteLink;
  /** A directory with mode 0700 for the two sockets. */
  readonly runtimeDir: string;
  /** Makes the parts that need to know the ring or the sockets. */
  parts(line: Pick<ConsoleLine, 'name' | 'output' | 'socketIn' | 'socketOut'>): ConsoleParts;
  report(event: ReportedEvent): void;
  /** 4 KiB to 1 GiB, 10 MiB unless told. */
  readonly ringBytes?: number;
  /** Lines that a new output client gets first. */
  readonly historyLines?: number;
  readonly writePolicy?: WritePolicy;
  /** Keep hostile escape sequences from output clients. History is always filtered. */
  readonly filter?: boolean;
  readonly flow?: FlowPolicy;
  /** How long a client that does not read may hold the line back. */
  readonly stallMs?: number;
  /** Also link `serial_NAME.in` and `serial_NAME.out` in `serialLinkDir` (`/tmp` unless told) to the sockets. */
  readonly serialLinks?: boolean;
  readonly serialLinkDir?: string;
  readonly backoff?: BackoffOptions;
}

/** One serial line with everything on its byte path: link, ring, writers, and the people who watch and type. */
export class ConsoleLine implements ConsolePort {
  readonly name: string;
  readonly writePolicy: WritePolicy;
  readonly screen: TerminalScreen;
  readonly recording: Recording;
  readonly humans: HumanSockets;
  readonly access: LineAccess = new LineAccess({
    announce: (text, urgent) => {
      if (urgent) this.#people.tell(text);
      this.#announce(text);
    },
    freed: () => this.#unblock(),
  });
  readonly #people: People;
  readonly #announce: (text: string) => void;
  readonly #unblock: () => void;
  readonly #ring: ByteRing;
  readonly #taps: readonly Tap[];
  readonly #restartParts: () => void;
  readonly #supervisor: LinkSupervisor;
  readonly #writer: LineWriter;
  readonly #fanOut: FanOut;
  readonly #cursors: ReaderCursors;
  readonly #activity = new Activity();
  readonly #pacer = new ReadPacer(
    () => this.#supervisor.hold('pacer'),
    () => this.#supervisor.release('pacer'),
  );
  #diverted: ((bytes: Uint8Array) => void) | undefined;
  #closed: Promise<void> | undefined;

  private constructor(options: ConsoleLineOptions) {
    const { name, link, runtimeDir, report, ringBytes = 10 * 1024 * 1024, historyLines = 60 } = options;
    this.name = name;
    this.writePolicy = options.writePolicy ?? 'allow';
    this.#ring = new ByteRing(checkedRingBytes(ringBytes));
    this.#cursors = new ReaderCursors(this.#ring);
    this.#supervisor = new LinkSupervisor(
      link,
      {
        data: (bytes) => this.#receive(bytes),
        writable: () => this.#writer.flush(),
        ended: () => this.#writer.close(),
        changed: () => this.#activity.announce(),
        report,
      },
      new Backoff(options.backoff),
    );
    this.#writer = new LineWriter(this.#supervisor);
    this.#fanOut = new FanOut(this.#ring, {
      historyLines,
      filterLive: options.filter ?? false,
      flow: options.flow ?? 'drop',
      stallMs: options.stallMs ?? 500,
      hold: () => this.#supervisor.hold('clients'),
      release: () => this.#supervisor.release('clients'),
    });
    const input = new HumanInput(this.#writer, this.access);
    this.#people = new People({ access: this.access, input, port: () => this });
    this.humans = new HumanSockets({
      name,
      runtimeDir,
      input,
      output: this.#fanOut,
      people: this.#people,
      linkDir: options.serialLinks ? (options.serialLinkDir ?? serialLinkDir) : undefined,
      openTerminal: (terminal) => parts.openTerminal(terminal),
      report,
    });
    const parts = options.parts(this);
    this.screen = parts.screen;
    this.recording = parts.recording;
    this.#taps = parts.taps;
    this.#restartParts = () => parts.restart();
    this.#announce = (text) => parts.announce?.(text);
    this.#unblock = () => input.unblock();
  }

  /** Opens the sockets and begins to connect; does not wait for the link. */
  static async open(options: ConsoleLineOptions): Promise<ConsoleLine> {
    const line = new ConsoleLine(options);
    await line.humans.listen();
    line.#supervisor.start();
    return line;
  }

  get output(): OutputRing {
    return this.#ring;
  }

  get socketIn(): string {
    return this.humans.socketIn;
  }

  get socketOut(): string {
    return this.humans.socketOut;
  }

  get link(): LinkStatus {
    const queuedBytes = this.#writer.queuedBytes + this.#supervisor.pendingBytes;
    return { ...this.#supervisor.status, queuedBytes };
  }

  cursor(reader: string): number {
    return this.#cursors.get(reader);
  }

  setCursor(reader: string, offset: number): void {
    this.#cursors.set(reader, offset);
  }

  forgetSession(session: string): void {
    this.#cursors.forgetSession(session);
    this.access.forget(session);
  }

  get serial(): SerialLine | undefined {
    return this.#supervisor.serial;
  }

  readonly exchange: FileExchange = new ModemExchange({
    write: (bytes, options) => this.write(bytes, options),
    divert: (receive) => this.#divert(receive),
    hold: () => this.#supervisor.hold('exchange'),
    release: () => this.#supervisor.release('exchange'),
    isUp: () => this.#supervisor.up,
  });

  as(who: Visitor): ConsolePort {
    return new VisitorPort(this, who);
  }

  restart(): void {
    this.#ring.clear();
    this.#restartParts();
    this.#supervisor.restart();
  }

  onActivity(listener: () => void): () => void {
    return this.#activity.on(listener);
  }

  write(bytes: Uint8Array, options: WriteOptions): Promise<WriteResult> {
    return this.#writer.write(bytes, options);
  }

  sendBreak(durationMs: number): Promise<void> {
    return this.#supervisor.sendBreak(durationMs);
  }

  /** Lets what was written leave first; takes less than 100 ms. What arrived stays readable. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const began = performance.now();
    this.#pacer.stop();
    await this.#writer.emptied(drainMs);
    this.#writer.close();
    await this.#supervisor.close(Math.max(0, drainMs - (performance.now() - began)));
    await this.humans.close(clientDrainMs);
  }

  /** Lets `receive` have what arrives, instead of the ring and everybody downstream. */
  #divert(receive: (bytes: Uint8Array) => void): (remainder: Uint8Array) => void {
    if (this.#diverted) {
      throw new MachineError('BUSY', 'A file transfer is using this line.', 'Wait for that transfer to end.');
    }
    this.#diverted = receive;
    return (remainder) => {
      this.#diverted = undefined;
      if (remainder.length > 0) this.#receive(remainder);
    };
  }

  #receive(bytes: Uint8Array): void {
    if (this.#diverted) {
      this.#diverted(bytes);
      return;
    }
    // A chunk larger than the ring would run over clients that keep up; they get it piece by piece.
    const step = Math.max(1024, this.#ring.capacity >> 2);
    for (let from = 0; from < bytes.length; from += step) {
      const piece = bytes.length <= step ? bytes : bytes.subarray(from, from + step);
      const offset = this.#ring.end;
      this.#fanOut.makeRoom(piece.length);
      this.#ring.append(piece);
      for (const tap of this.#taps) tap(offset, piece);
      this.#fanOut.flush();
    }
    this.#pacer.arrived(bytes.length);
    this.#activity.announce();
  }
}

function checkedRingBytes(ringBytes: number): number {
  if (Number.isInteger(ringBytes) && ringBytes >= smallestRingBytes && ringBytes <= largestRingBytes) return ringBytes;
  const message = `A ring of ${ringBytes} bytes is not possible.`;
  throw new MachineError('INVALID_ARGUMENT', message, `Use ${smallestRingBytes} to ${largestRingBytes} bytes.`);
}
