import { expect, vi } from 'vitest';
import { Guest } from './guest.ts';
import type { Message, RawStdio } from './raw-stdio.ts';

let number = 0;

/** A VM with a serial console, and a server of the serencp dialect that can be asked for it. */
export class SerencpVm implements AsyncDisposable {
  readonly guest: Guest;
  /** Links in /tmp bear the name, so it has to be nobody else's. */
  readonly name = `fptest-${process.pid}-${++number}`;
  readonly uri = `vm://${this.name}/output`;
  readonly #raw: RawStdio;

  static async boot(raw: RawStdio): Promise<SerencpVm> {
    return new SerencpVm(raw, await Guest.listen());
  }

  private constructor(raw: RawStdio, guest: Guest) {
    this.#raw = raw;
    this.guest = guest;
  }

  start(): Promise<Record<string, unknown>> {
    return this.call('start', { port: this.guest.port });
  }

  async call(tool: string, more: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return JSON.parse(await this.#raw.call(tool, { vm_name: this.name, ...more })) as Record<string, unknown>;
  }

  /** Waits until the bridge has this much output. */
  async buffered(bytes: number): Promise<void> {
    await vi.waitFor(async () => expect((await this.call('status')).buffer_bytes).toBe(bytes), {
      timeout: 60_000,
      interval: 5,
    });
  }

  /** The parameters of the update notifications so far. */
  get updates(): NonNullable<Message['params']>[] {
    const updates = this.#raw.messages.filter(({ method }) => method === 'notifications/resources/updated');
    return updates.flatMap(({ params }) => (params?.uri === this.uri ? [params] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.call('stop');
    await this.guest[Symbol.asyncDispose]();
  }
}
