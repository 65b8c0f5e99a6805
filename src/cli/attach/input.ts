import { Buffer } from 'node:buffer';
import { CommandKeys, type KeyCommand } from './command-keys.ts';
import { findLeaveKey } from './leave-key.ts';
import type { TerminalInput } from './terminal-mode.ts';

/** Where typed bytes go. */
export interface TypingSink {
  readonly writableNeedDrain: boolean;
  write(bytes: Buffer, sent: (error?: Error | null) => void): void;
  onDrain(listener: () => void): void;
}

export interface InputEvents {
  /** Ctrl-] was typed. */
  leave(): void;
  /** A command was typed after Ctrl-E c. */
  command(command: KeyCommand): void;
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
  readonly #keys: CommandKeys;
  #sink: TypingSink | undefined;
  #held: Buffer[] = [];
  #unsentBytes = 0;
  #started = false;

  constructor(stdin: TerminalInput, spy: boolean, events: InputEvents) {
    this.#stdin = stdin;
    this.#spy = spy;
    this.#events = events;
    this.#keys = new CommandKeys({
      send: (bytes) => this.#send(bytes),
      command: (command) => events.command(command),
    });
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
    this.#keys.end();
    this.#stdin.off('data', this.#onData);
    this.#stdin.off('end', this.#onEnd);
    this.#stdin.pause();
  }

  /** Bytes that no console has taken yet. */
  get waitingBytes(): number {
    return this.#held.reduce((sum, bytes) => sum + bytes.length, this.#unsentBytes);
  }

  connect(sink: TypingSink): void {
    this.#sink = sink;
    sink.onDrain(() => this.#flow());
    for (const bytes of this.#held.splice(0)) this.#send(bytes);
    this.#flow();
  }

  /** Tells how many bytes were on their way and may not have arrived. */
  disconnect(): number {
    const lost = this.#unsentBytes;
    this.#sink = undefined;
    this.#unsentBytes = 0;
    this.#flow();
    return lost;
  }

  #onData = (data: Buffer | string): void => {
    const bytes = Buffer.from(data);
    if (!this.#stdin.isTTY) {
      this.#send(bytes);
      return;
    }
    const leaveAt = findLeaveKey(bytes);
    this.#keys.push(leaveAt < 0 ? bytes : bytes.subarray(0, leaveAt));
    if (leaveAt >= 0) this.#events.leave();
  };

  #onEnd = (): void => this.#events.end();

  #send(bytes: Buffer): void {
    if (this.#spy || bytes.length === 0) return;
    const sink = this.#sink;
    if (sink === undefined) {
      if (!this.#stdin.isTTY) this.#held.push(bytes);
      return;
    }
    this.#unsentBytes += bytes.length;
    sink.write(bytes, (error) => {
      if (!error && this.#sink === sink) this.#unsentBytes -= bytes.length;
    });
    this.#flow();
  }

  /** Reads on, or lets a pipe wait. */
  #flow(): void {
    if (!this.#started) return;
    const canSend = this.#sink !== undefined && !this.#sink.writableNeedDrain;
    if (canSend || this.#stdin.isTTY) this.#stdin.resume();
    else this.#stdin.pause();
  }
}
