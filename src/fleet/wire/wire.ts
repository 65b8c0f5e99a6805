import type { Message } from './message.ts';

export type Handler = (message: Message, reply: string | undefined, subject: string) => void;

/** What carries messages between stations and gateways: a NATS server, or the port of a thread. */
export interface Wire {
  /** For how long there has been a connection again; 0 while there is none. Who was cut off judges nobody. */
  readonly connectedMs: number;
  onReconnect(listener: () => void): () => void;
  publish(subject: string, head: Readonly<Record<string, unknown>>, body?: Uint8Array, reply?: string): void;
  /** A message that is encoded already. */
  send(subject: string, message: Uint8Array, reply?: string): void;
  /** `nobody` is told where an answer was to come to this subject and nobody listens who could give it. */
  subscribe(subject: string, handler: Handler, nobody?: (subject: string) => void): () => void;
  /** Where both ends are in one process. */
  readonly memory?: SharedMemory;
}

/** Memory that both ends of a wire have, by name. */
export interface SharedMemory {
  share(name: string, buffer: SharedArrayBuffer): void;
  find(name: string): SharedArrayBuffer | undefined;
  forget(name: string): void;
}
