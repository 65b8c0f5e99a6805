import type { MessagePort, Worker } from 'node:worker_threads';
import { decodeMessage, encodeMessage } from '../wire/message.ts';
import type { Handler, SharedMemory, Wire } from '../wire/wire.ts';

/** What passes through the port between a thread and the one that serves: messages, and what each end listens to. */
type PortMessage =
  | { readonly subject: string; readonly message: Uint8Array; readonly reply?: string | undefined }
  | { readonly share: string; readonly buffer: SharedArrayBuffer }
  | { readonly listen: string }
  | { readonly unlisten: string };

/** For what arrives, in one turn of the loop. */
const turnMs = 10;

type Port = Pick<MessagePort | Worker, 'postMessage'> & {
  on(event: 'message', listener: (value: unknown) => void): void;
};

interface Subscription {
  readonly pattern: string;
  readonly handler: Handler;
  readonly nobody: ((subject: string) => void) | undefined;
}

/** One end of the ports: what is sent goes to every other end that listens there. Nothing is lost, and all is in order. */
export class PortWire implements Wire {
  /** Silence of a thread means that it is busy, never that it is gone: the end of a thread is told. */
  readonly connectedMs = 0;
  readonly #shared = new Map<string, SharedArrayBuffer>();
  readonly memory: SharedMemory = {
    share: (share, buffer) => {
      for (const port of this.#ports.keys()) post(port, { share, buffer });
    },
    find: (name) => this.#shared.get(name),
    forget: (name) => void this.#shared.delete(name),
  };
  readonly #subscriptions = new Set<Subscription>();
  /** What has arrived and has to wait. */
  readonly #tasks: (() => void)[] = [];
  #isTurn = false;
  #isWorking = false;
  #spentMs = 0;
  readonly #ports = new Map<Port, Set<string> | undefined>();

  /** The answer takes the port away again. `hearsAll`: whoever is at its other end is sent everything. */
  connect(port: Port, hearsAll = false): () => void {
    const listening = new Set<string>();
    this.#ports.set(port, hearsAll ? undefined : listening);
    for (const { pattern } of this.#subscriptions) post(port, { listen: pattern });
    port.on('message', (value) => {
      const message = value as PortMessage;
      this.#inTurn(() => {
        if ('share' in message) this.#shared.set(message.share, message.buffer);
        else if ('listen' in message) listening.add(message.listen);
        else if ('unlisten' in message) listening.delete(message.unlisten);
        else this.#deliver(message.subject, message.message, message.reply);
      });
    });
    return () => {
      // What it said before it went is heard first.
      this.#work(Number.POSITIVE_INFINITY);
      this.#ports.delete(port);
    };
  }

  onReconnect(): () => void {
    return () => {};
  }

  publish(subject: string, head: Readonly<Record<string, unknown>>, body?: Uint8Array, reply?: string): void {
    this.send(subject, encodeMessage(head, body), reply);
  }

  send(subject: string, message: Uint8Array, reply?: string): void {
    let isHeard = false;
    for (const [port, listening] of this.#ports) {
      if (listening && !hears(listening, subject)) continue;
      isHeard = true;
      // A copy of its own: what was encoded may lie in a pool, which would pass as a whole. And a copy of that, since in a thread
      // that has ever handed a buffer over V8 checks each access to typed arrays, and machines run a fifth slower.
      post(port, { subject, message: new Uint8Array(message), reply });
    }
    if (isHeard || reply === undefined) return;
    queueMicrotask(() => {
      for (const { pattern, nobody } of this.#subscriptions) if (fits(pattern, reply)) nobody?.(reply);
    });
  }

  subscribe(pattern: string, handler: Handler, nobody?: (subject: string) => void): () => void {
    const subscription = { pattern, handler, nobody };
    this.#subscriptions.add(subscription);
    for (const port of this.#ports.keys()) post(port, { listen: pattern });
    return () => {
      this.#subscriptions.delete(subscription);
      for (const port of this.#ports.keys()) post(port, { unlisten: pattern });
    };
  }

  /** Node hands over all messages of a port in one turn of the loop: what takes long goes on in the next, in its order. */
  #inTurn(task: () => void): void {
    this.#tasks.push(task);
    if (!this.#isTurn) {
      this.#isTurn = true;
      setImmediate(() => this.#nextTurn());
    }
    this.#work();
  }

  #nextTurn(): void {
    this.#spentMs = 0;
    this.#isTurn = this.#tasks.length > 0;
    if (this.#isTurn) setImmediate(() => this.#nextTurn());
    this.#work();
  }

  #work(mostMs = turnMs): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    let done = 0;
    try {
      while (done < this.#tasks.length && this.#spentMs < mostMs) {
        const began = performance.now();
        const task = this.#tasks[done++];
        task?.();
        this.#spentMs += performance.now() - began;
      }
    } finally {
      this.#tasks.splice(0, done);
      this.#isWorking = false;
    }
  }

  #deliver(subject: string, bytes: Uint8Array, reply: string | undefined): void {
    const message = decodeMessage(bytes);
    for (const { pattern, handler } of [...this.#subscriptions]) {
      if (fits(pattern, subject)) handler(message, reply, subject);
    }
  }
}

function post(port: Port, message: PortMessage): void {
  port.postMessage(message);
}

function hears(patterns: ReadonlySet<string>, subject: string): boolean {
  if (patterns.has(subject)) return true;
  return patterns.has(`${subject.slice(0, subject.lastIndexOf('.'))}.*`);
}

/** The last part of a pattern may be `*`. */
function fits(pattern: string, subject: string): boolean {
  if (pattern === subject) return true;
  return (
    pattern.endsWith('.*') &&
    subject.lastIndexOf('.') === pattern.length - 2 &&
    subject.startsWith(pattern.slice(0, -1))
  );
}
