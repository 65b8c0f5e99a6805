import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type Msg,
  type NatsConnection,
} from '@nats-io/transport-node';
import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import { Complaints } from './complaints.ts';
import { Assemblers, DamagedMessage, decodeMessage, encodeMessage, partsOf } from './message.ts';
import { subjects } from './subjects.ts';
import type { Handler, Wire } from './wire.ts';

export interface LineOptions {
  readonly url: string;
  /** Who connects, as the server shows it. */
  readonly name: string;
  /** Where answers to it come, for a server that lets it listen there alone. */
  readonly answers?: string;
  /** The text of a credentials file. */
  readonly credentials?: string | undefined;
  /** Certificates to trust, as PEM. */
  readonly ca?: string | undefined;
  log(level: 'info' | 'error', text: string): void;
}

/** Of one message; the server's limit may be lower. */
const mostPartBytes = 512 * 1024;
const firstConnectMs = 10_000;
const accountMs = 2_000;
const adviceShape = z.object({ client: z.object({ acc: z.string() }) });
const accountShape = z.object({ data: z.object({ account: z.string() }) });

/** The connection to the NATS server, which may go away and come back. */
export class FleetLine implements Wire {
  readonly #connection: NatsConnection;
  readonly #log: LineOptions['log'];
  readonly #reconnected = new Set<() => void>();
  readonly #complaints = new Complaints();
  /** Never, while the first connection lasts. */
  #connectedAt: number | undefined = Number.NEGATIVE_INFINITY;
  #streams: Promise<JetStreamManager> | undefined;

  static async open(options: LineOptions): Promise<FleetLine> {
    try {
      return new FleetLine(await connect(connectionOptions(options)), options.log);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new MachineError(
        'UNAVAILABLE',
        `The NATS server at ${withoutPassword(options.url)} cannot be used: ${why}.`,
        'Start it with JetStream (nats-server -js), and check --nats, --nats-creds and --nats-ca.',
      );
    }
  }

  private constructor(connection: NatsConnection, log: LineOptions['log']) {
    this.#connection = connection;
    this.#log = log;
    void this.#followStatus();
  }

  get serverVersion(): string {
    return this.#connection.info?.version ?? '';
  }

  /** The account at the server, where it says so: `$G` is the one of servers that have no others. */
  async account(): Promise<string | undefined> {
    try {
      const answer = await this.#connection.request('$SYS.REQ.USER.INFO', undefined, { timeout: accountMs });
      return accountShape.parse(answer.json()).data.account;
    } catch {
      return this.#accountByAdvice();
    }
  }

  /** Servers before 2.10 say it of nobody but those who ask something of their streams, to who listens. */
  async #accountByAdvice(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const told = new Promise<string | undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), accountMs);
      this.#connection.subscribe('$JS.EVENT.ADVISORY.API', {
        max: 1,
        callback: (error, message) => resolve(error ? undefined : accountIn(message)),
      });
    });
    this.#connection.publish('$JS.API.INFO', undefined, { reply: `${subjects.answers('account')}.none` });
    const account = await told;
    clearTimeout(timer);
    return account;
  }

  /** For how long there has been a connection again; 0 while there is none. Who was cut off judges nobody. */
  get connectedMs(): number {
    return this.#connectedAt === undefined ? 0 : performance.now() - this.#connectedAt;
  }

  onReconnect(listener: () => void): () => void {
    this.#reconnected.add(listener);
    return () => this.#reconnected.delete(listener);
  }

  publish(subject: string, head: Readonly<Record<string, unknown>>, body?: Uint8Array, reply?: string): void {
    this.send(subject, encodeMessage(head, body), reply);
  }

  /** A message that is encoded already. */
  send(subject: string, message: Uint8Array, reply?: string): void {
    if (this.#connection.isClosed()) return;
    const limit = Math.min(mostPartBytes, this.#connection.info?.max_payload ?? mostPartBytes);
    const options = reply === undefined ? undefined : { reply };
    for (const part of partsOf(message, limit)) this.#connection.publish(subject, part, options);
  }

  /** Parts of one message come from one sender; senders are told apart by where the answer goes. */
  subscribe(subject: string, handler: Handler, nobody?: (subject: string) => void): () => void {
    const begun = new Assemblers();
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return;
        this.#carefully(message.subject, () => {
          if (isNobody(message)) return nobody?.(message.subject);
          const whole = begun.push(message.reply ?? message.subject, message.data);
          if (whole) handler(decodeMessage(whole), message.reply, message.subject);
        });
      },
    });
    return () => subscription.unsubscribe();
  }

  /** Whatever comes there, which is not one of our messages. */
  subscribeRaw(subject: string, handler: (subject: string, data: Uint8Array) => void): () => void {
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) this.#carefully(message.subject, () => handler(message.subject, message.data));
      },
    });
    return () => subscription.unsubscribe();
  }

  /** What is thrown here would end the NATS client's reading, and with it all that comes to this process. */
  #carefully(subject: string, take: () => void): void {
    try {
      take();
    } catch (failure) {
      const why = failure instanceof DamagedMessage ? failure.message : detailsOf(failure);
      this.#complaints.say((unsaid) => {
        const more = unsaid > 0 ? ` (and ${unsaid} other messages since the last such line)` : '';
        this.#log('error', `${subject}: a message could not be used: ${why}${more}`);
      });
    }
  }

  /** Streams of the server, where it has them. */
  async streams(): Promise<{ readonly manager: JetStreamManager; readonly client: JetStreamClient }> {
    this.#streams ??= jetstreamManager(this.#connection, { timeout: 3000 }).catch((error: unknown) => {
      this.#streams = undefined;
      throw error;
    });
    const manager = await this.#streams;
    return { manager, client: jetstream(this.#connection, { timeout: 3000 }) };
  }

  /** What was said before has left. */
  async flush(): Promise<void> {
    await this.#connection.flush();
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }

  async #followStatus(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') {
        this.#connectedAt = undefined;
        this.#log('error', 'the connection to the NATS server was lost; it is tried again');
      } else if (type === 'reconnect') {
        this.#connectedAt = performance.now();
        this.#log('info', 'connected to the NATS server again');
        for (const listener of this.#reconnected) listener();
      }
    }
  }
}

function accountIn(message: Msg): string | undefined {
  try {
    return adviceShape.parse(message.json()).client.acc;
  } catch {
    return undefined;
  }
}

function detailsOf(failure: unknown): string {
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
}

function connectionOptions({ url, name, answers, credentials, ca }: LineOptions): ConnectionOptions {
  const { protocol, username, password, host } = new URL(url);
  const tls = protocol === 'tls:' || ca !== undefined;
  return {
    servers: host,
    name,
    ...(answers !== undefined && { inboxPrefix: answers }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    pingInterval: 10_000,
    maxPingOut: 2,
    timeout: firstConnectMs,
    // Passwords may change under way, as credentials may: it is tried again.
    ignoreAuthErrorAbort: true,
    ...(username !== '' && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(credentials !== undefined && { authenticator: credsAuthenticator(Buffer.from(credentials)) }),
    ...(tls && { tls: ca === undefined ? {} : { ca } }),
  };
}

export function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//');
}

function isNobody({ headers, data }: Msg): boolean {
  return headers?.code === 503 && data.length === 0;
}
