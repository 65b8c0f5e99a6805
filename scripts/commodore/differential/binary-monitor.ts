import { setTimeout as delay } from 'node:timers/promises';
import { BinmonClient } from '../../../src/links/vice/binmon-client.ts';
import { commands, events, itemsIn, operations, text, u16, u32 } from '../../../src/links/vice/wire.ts';

const answerMs = 60_000;

export interface MonitorPicture {
  readonly width: number;
  readonly height: number;
  /** Where in it VICE says that the text begins. */
  readonly textX: number;
  readonly textY: number;
  /** Palette indexes; VICE 3.7 leaves out the last four. */
  readonly pixels: Uint8Array;
}

/** The side of VICE's binary monitor that runs in lock step need. Everything but `run` finds the machine stopped. */
export class BinaryMonitor {
  readonly #client: BinmonClient;
  #stopped: ((isJammed: boolean) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;
  #registers = new Map<string, number>();

  private constructor(client: BinmonClient) {
    this.#client = client;
    client.onEvent((type) => {
      if (type !== events.stopped && type !== events.jam) return;
      const stopped = this.#stopped;
      this.#stopped = undefined;
      stopped?.(type === events.jam);
    });
    client.onClose((reason) => this.#failed?.(new Error(reason)));
  }

  /** Tries until VICE listens. */
  static async open(port: number, signal: AbortSignal): Promise<BinaryMonitor> {
    for (;;) {
      signal.throwIfAborted();
      try {
        const monitor = new BinaryMonitor(await BinmonClient.open('127.0.0.1', port, signal));
        await monitor.#readRegisterNames();
        return monitor;
      } catch {
        await delay(50, undefined, { signal });
      }
    }
  }

  close(): void {
    this.#client.close();
  }

  // ---- memory, registers, picture

  async memory(start: number, end: number, bank = 0): Promise<Uint8Array> {
    const body = [0, ...u16(start), ...u16(end), 0, ...u16(bank)];
    return (await this.#ask(commands.memoryGet, body)).subarray(2);
  }

  async setMemory(start: number, bytes: Uint8Array): Promise<void> {
    const head = [0, ...u16(start), ...u16(start + bytes.length - 1), 0, ...u16(0)];
    await this.#ask(commands.memorySet, Buffer.concat([Buffer.from(head), bytes]));
  }

  async registers(): Promise<ReadonlyMap<string, number>> {
    const names = new Map([...this.#registers].map(([name, id]) => [id, name]));
    const values = new Map<string, number>();
    for (const item of itemsIn(await this.#ask(commands.registersGet, [0]))) {
      values.set(names.get(item[0] ?? 0) ?? '', item.readUInt16LE(1));
    }
    return values;
  }

  async #readRegisterNames(): Promise<void> {
    for (const item of itemsIn(await this.#ask(commands.registersAvailable, [0]))) {
      this.#registers.set(item.toString('latin1', 3, 3 + (item[2] ?? 0)), item[0] ?? 0);
    }
  }

  /** What was drawn last, whole if the machine is at the start of a frame. */
  async picture(): Promise<MonitorPicture> {
    const body = await this.#ask(commands.displayGet, [1, 0]);
    const [width, height] = [body.readUInt16LE(4), body.readUInt16LE(6)];
    const start = 8 + body.readUInt32LE(0);
    const [textX, textY] = [body.readUInt16LE(8), body.readUInt16LE(10)];
    return { width, height, textX, textY, pixels: body.subarray(start, start + width * height) };
  }

  // ---- control

  /** Stops before instructions in this range for which the condition holds; the answer is its number. */
  async checkpoint(start: number, end: number, condition?: string): Promise<number> {
    const body = [...u16(start), ...u16(end), 1, 1, operations.exec, 0];
    const number = (await this.#ask(commands.checkpointSet, body)).readUInt32LE(0);
    if (condition !== undefined) await this.#ask(commands.conditionSet, [...u32(number), ...text(condition)]);
    return number;
  }

  async toggle(checkpoint: number, isEnabled: boolean): Promise<void> {
    await this.#ask(commands.checkpointToggle, [...u32(checkpoint), isEnabled ? 1 : 0]);
  }

  /** Runs to the next stop; false if the processor jammed. */
  async run(): Promise<boolean> {
    const stop = this.#nextStop();
    await this.#ask(commands.exit);
    return await stop;
  }

  /** Switches it off and on, and runs to the next stop. */
  async powerCycle(): Promise<void> {
    const stop = this.#nextStop();
    await this.#ask(commands.reset, [1]);
    await stop;
  }

  #ask(type: number, body?: Uint8Array | readonly number[]): Promise<Buffer> {
    return this.#client.ask(type, body, answerMs);
  }

  #nextStop(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('VICE did not stop in time')), answerMs);
      this.#failed = reject;
      this.#stopped = (isJammed) => {
        clearTimeout(timer);
        resolve(!isJammed);
      };
    });
  }
}
