import type { Socket } from 'node:net';
import { type ConnectOptions, connectUnixSocket } from '../unix-socket.ts';
import { Deadline } from './deadline.ts';
import { GdbError } from './gdb-error.ts';
import type { HostAnswer } from './host-calls.ts';
import { encodePacket, hexToBytes, textToHex } from './packet.ts';
import { PacketReader } from './packet-reader.ts';
import { isStopReply, parseStopReply, type StopReply } from './stop-reply.ts';

/** How long an answer may be due after a stop that nobody asked for, before the request counts as lost. */
const lostAfterMs = 300;
const maxResends = 5;
/** For each question while a call is answered. */
const callMs = 2000;
const notPermitted: HostAnswer = { value: -1, error: 1 };

interface Waiting {
  packet(payload: string): void;
  stopped(payload: string): void;
  expired(): void;
  fail(error: GdbError): void;
}

export interface RequestOptions {
  readonly timeoutMs: number;
  /** Says whether it takes a packet that comes before the answer. */
  readonly output?: ((payload: string) => boolean) | undefined;
  /** The answer is a stop reply; anywhere else one belongs to something that happened on its own. */
  readonly stopIsAnswer?: boolean | undefined;
}

/** Who answers when the target calls its host. */
interface CallTaker {
  answer(call: string, ask: (payload: string) => Promise<string>): Promise<HostAnswer>;
  resumed(): void;
  ended(code: number): void;
}

/**
 * Requests and their answers, one at a time. QEMU throws away what reaches it while the target runs, and an answer may
 * come after its time: after either, nothing is asked before both sides are known to be at the same place again.
 */
export class GdbTransport {
  readonly #socket: Socket;
  readonly #reader = new PacketReader();
  readonly #deadline = new Deadline(() => this.#waiting?.expired());
  readonly #closeListeners = new Set<(reason: GdbError) => void>();
  #acknowledges = true;
  /** Acknowledgements that go out with the next request: alone, they would stop a target that runs by then. */
  #owed = '';
  /** The last packet, and what it says: many are the same as the one before. */
  #sent = '';
  #payload = '';
  #resends = 0;
  #waiting: Waiting | undefined;
  #running: { resolve(reply: StopReply): void; reject(error: GdbError): void } | undefined;
  #inDoubt = false;
  #callTaker: CallTaker | undefined;
  /** The target has called its host and waits for the answer. */
  #inCall = false;
  /** It was told to stop since it was set going. */
  #interrupted = false;
  #closed: GdbError | undefined;
  #nonce = Math.floor(Math.random() * 1e6);

  static async connect(path: string, options: ConnectOptions): Promise<GdbTransport> {
    let transport: GdbTransport | undefined;
    // QEMU speaks only when it is spoken to: nothing comes before there is one.
    const receive = (bytes: Uint8Array) => {
      if (transport) transport.#receive(bytes);
    };
    transport = new GdbTransport(await connectUnixSocket(path, { ...options, receive }));
    return transport;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', (error) => this.close(new GdbError('closed', error.message)));
    socket.on('close', () => this.close(new GdbError('closed', 'QEMU closed the debugger connection')));
  }

  get closed(): GdbError | undefined {
    return this.#closed;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  stopAcknowledging(): void {
    this.#acknowledges = false;
  }

  /** Without anybody who takes them, calls to the host are refused. */
  takeCalls(taker: CallTaker): void {
    this.#callTaker = taker;
  }

  onClose(listener: (reason: GdbError) => void): void {
    if (this.#closed) listener(this.#closed);
    else this.#closeListeners.add(listener);
  }

  /** The answer to a request. The target must be stopped. */
  async request(payload: string, { timeoutMs, output, stopIsAnswer }: RequestOptions): Promise<string> {
    const began = performance.now();
    let leftMs = timeoutMs;
    for (;;) {
      if (this.#inDoubt) await this.#agree(leftMs);
      const answer = await this.#exchange(payload, leftMs, output, stopIsAnswer);
      if (answer !== undefined) return answer;
      this.#inDoubt = true;
      leftMs = Math.max(1, timeoutMs - (performance.now() - began));
    }
  }

  /** Sets the target going; the answer comes when it stops. An error means that it did not start. */
  resume(payload: string): Promise<StopReply> {
    if (this.#closed) return Promise.reject(this.#closed);
    if (this.#waiting || this.#busy) return Promise.reject(underWay());
    return new Promise((resolve, reject) => {
      this.#running = { resolve, reject };
      this.#interrupted = false;
      this.#send(payload);
    });
  }

  interrupt(): void {
    if (this.#closed) return;
    this.#interrupted = true;
    // It stops with the answer.
    if (this.#inCall) return;
    // QEMU ignores it as long as an acknowledgement is owed.
    this.#socket.write(`${this.#owed}\x03`, 'latin1');
    this.#owed = '';
  }

  /** The target runs although its stop was never reported, or stands although nobody saw it stop. */
  abandonRun(reply: StopReply): void {
    const running = this.#running;
    this.#running = undefined;
    this.#inDoubt = true;
    running?.resolve(reply);
  }

  close(reason: GdbError): void {
    if (this.#closed) return;
    this.#closed = reason;
    this.#socket.destroy();
    this.#deadline.close();
    this.#waiting?.fail(reason);
    this.#running?.reject(reason);
    this.#running = undefined;
    for (const listener of this.#closeListeners) listener(reason);
    this.#closeListeners.clear();
  }

  get #busy(): boolean {
    return this.#running !== undefined || this.#inCall;
  }

  /** Undefined when the request was thrown away. */
  #exchange(
    payload: string,
    timeoutMs: number,
    output?: (payload: string) => boolean,
    stopIsAnswer = false,
    inCall = false,
  ): Promise<string | undefined> {
    if (this.#closed) return Promise.reject(this.#closed);
    if (this.#waiting || (inCall ? !this.#inCall : this.#busy)) return Promise.reject(underWay());
    return new Promise((resolve, reject) => {
      let lost: NodeJS.Timeout | undefined;
      const settle = () => {
        this.#deadline.clear();
        if (lost) clearTimeout(lost);
        this.#waiting = undefined;
      };
      const fail = (error: GdbError) => {
        settle();
        reject(error);
      };
      this.#waiting = {
        packet: (answer) => {
          if (output?.(answer)) return;
          settle();
          resolve(answer);
        },
        stopped: (reply) => {
          if (stopIsAnswer) {
            settle();
            return resolve(reply);
          }
          lost ??= setTimeout(() => {
            settle();
            resolve(undefined);
          }, lostAfterMs);
        },
        expired: () => {
          this.#inDoubt = true;
          fail(new GdbError('timeout', `${payload.slice(0, 40)} was not answered within ${Math.round(timeoutMs)} ms`));
        },
        fail,
      };
      this.#deadline.set(timeoutMs);
      this.#send(payload);
    });
  }

  /** Lets the monitor print a number of ours: whatever comes before it belongs to the past. */
  async #agree(timeoutMs: number): Promise<void> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const nonce = `${++this.#nonce}`;
      let seen = false;
      let printed = '';
      const old = (payload: string) => {
        if (seen) return payload !== 'OK';
        if (payload.startsWith('O') && payload !== 'OK') {
          printed += Buffer.from(hexToBytes(payload.slice(1)) ?? []).toString('latin1');
          seen = printed.includes(nonce);
        }
        return true;
      };
      const left = Math.max(1, end - performance.now());
      const command = `qRcmd,${textToHex(`print /d ${nonce}`)}`;
      const answer = await this.#exchange(command, Math.min(left, 1000), old).catch((error: unknown) => {
        if (this.#closed || performance.now() >= end) throw error;
        return undefined;
      });
      if (answer === undefined) continue;
      this.#inDoubt = false;
      return;
    }
  }

  #send(payload: string): void {
    if (this.#payload !== payload || this.#sent === '') this.#sent = encodePacket(payload);
    this.#payload = payload;
    this.#resends = 0;
    this.#socket.write(this.#owed + this.#sent, 'latin1');
    this.#owed = '';
  }

  #receive(chunk: Uint8Array): void {
    for (const received of this.#reader.push(chunk)) {
      if (this.#closed) return;
      if (received.type === 'packet') this.#packet(received.payload);
      else if (received.type === 'damaged') this.#socket.write('-');
      else if (received.type === 'nack') this.#resend();
      else if (received.type === 'overflow') this.close(new GdbError('protocol', 'QEMU sent a packet without end'));
    }
  }

  #packet(payload: string): void {
    if (this.#acknowledges) this.#owed += '+';
    const running = this.#running;
    if (running && !this.#inCall) {
      if (payload.startsWith('F')) {
        void this.#call(payload.slice(1));
        return;
      }
      const code = /^W([0-9a-f]{2})/i.exec(payload)?.[1];
      if (code !== undefined) this.#callTaker?.ended(Number.parseInt(code, 16));
      // Output of the target, not an answer.
      if (payload.startsWith('O') && payload !== 'OK') return;
      this.#running = undefined;
      if (isStopReply(payload)) running.resolve(parseStopReply(payload));
      else running.reject(refusal(payload, 'the target was not resumed'));
      return;
    }
    if (isStopReply(payload)) this.#waiting?.stopped(payload);
    else this.#waiting?.packet(payload);
  }

  /** An interrupt that came before or meanwhile would be lost: the answer says that the target is to stop. */
  async #call(call: string): Promise<void> {
    this.#inCall = true;
    const ask = async (payload: string) => {
      const answer = await this.#exchange(payload, callMs, undefined, false, true);
      return answer ?? '';
    };
    let answer = notPermitted;
    try {
      answer = (await this.#callTaker?.answer(call, ask)) ?? notPermitted;
    } catch (error) {
      if (!(error instanceof GdbError)) throw error;
    } finally {
      this.#inCall = false;
    }
    if (this.#closed) return;
    const stops = this.#interrupted || this.#running === undefined;
    if (!stops) this.#callTaker?.resumed();
    const { value, error = 0 } = answer;
    const sign = value < 0 ? '-' : '';
    this.#send(`F${sign}${Math.abs(value).toString(16)},${error.toString(16)}${stops ? ',C' : ''}`);
  }

  #resend(): void {
    if (this.#sent === '') return;
    if (++this.#resends > maxResends) this.close(new GdbError('protocol', 'QEMU does not understand our packets'));
    else this.#socket.write(this.#sent, 'latin1');
  }
}

function underWay(): GdbError {
  return new GdbError('protocol', 'a request is under way');
}

export function refusal(answer: string, what: string): GdbError {
  if (answer === '') return new GdbError('unsupported', `${what}: this QEMU does not know the request`);
  const code = /^E([0-9a-f]{2})$/i.exec(answer)?.[1];
  if (code === undefined) return new GdbError('protocol', `${what}: ${JSON.stringify(answer.slice(0, 40))}`);
  return new GdbError('refused', `${what}: error ${code}`, Number.parseInt(code, 16));
}
