import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { findLeaveKey } from './leave-key.ts';
import type { TerminalInput } from './terminal-mode.ts';

export interface InputEvents {
  /** Ctrl-] was typed. */
  leave(): void;
  /** Standard input ended. */
  end(): void;
}

/**
 * What a person types, or a pipe delivers, on its way to the console. A pipe waits while the console does not take
 * anything. A terminal is always read, because Ctrl-] must work at any time; what is typed while no console is
 * there goes nowhere, since nobody wants keys of ten minutes ago to arrive in a login prompt.
 */
export class Input {
  readonly #stdin: TerminalInput;
  readonly #events: InputEvents;
  readonly #spy: boolean;
  #socket: Socket | undefined;
  #held: Buffer[] = [];
  #unsentBytes = 0;
  #started = false;

  constructor(stdin: TerminalInput, spy: boolean, events: InputEvents) {
    this.#stdin = stdin;
    this.#spy = spy;
    this.#events = events;
  }

  start(): void {
    if (this.#spy && !this.#stdin.isTTY) return;
    this.#started = true;
    this.#stdin.on('data', this.#onData);
    this.#stdin.on('end', this.#onEnd);
    this.#stdin.on('error', this.#onEnd);
    if (this.#stdin.readableEnded) this.#onEnd();
    else this.#flow();
  }

  stop(): void {
    this.#started = false;
    this.#stdin.off('data', this.#onData);
    this.#stdin.off('end', this.#onEnd);
    this.#stdin.pause();
  }

  /** Bytes that no console has taken yet. */
  get waitingBytes(): number {
    return this.#held.reduce((sum, bytes) => sum + bytes.length, this.#unsentBytes);
  }

  connect(socket: Socket): void {
    this.#socket = socket;
    socket.on('drain', () => this.#flow());
    socket.resume();
    for (const bytes of this.#held.splice(0)) this.#send(bytes);
    this.#flow();
  }

  /** Tells how many bytes were on their way and may not have arrived. */
  disconnect(): number {
    const lost = this.#unsentBytes;
    this.#socket = undefined;
    this.#unsentBytes = 0;
    this.#flow();
    return lost;
  }

  #onData = (data: Buffer | string): void => {
    const bytes = Buffer.from(data);
    const leaveAt = this.#stdin.isTTY ? findLeaveKey(bytes) : -1;
    this.#send(leaveAt < 0 ? bytes : bytes.subarray(0, leaveAt));
    if (leaveAt >= 0) this.#events.leave();
  };

  #onEnd = (): void => this.#events.end();

  #send(bytes: Buffer): void {
    if (this.#spy || bytes.length === 0) return;
    const socket = this.#socket;
    if (socket === undefined) {
      if (!this.#stdin.isTTY) this.#held.push(bytes);
      return;
    }
    this.#unsentBytes += bytes.length;
    socket.write(bytes, (error) => {
      if (!error && this.#socket === socket) this.#unsentBytes -= bytes.length;
    });
    this.#flow();
  }

  /** Reads on, or lets a pipe wait. */
  #flow(): void {
    if (!this.#started) return;
    const canSend = this.#socket !== undefined && !this.#socket.writableNeedDrain;
    if (canSend || this.#stdin.isTTY) this.#stdin.resume();
    else this.#stdin.pause();
  }
}
