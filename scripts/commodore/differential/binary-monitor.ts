import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const headerBytes = 12;
const noRequest = 0xffff_ffff;
const answerMs = 60_000;

const command = {
  memoryGet: 0x01,
  memorySet: 0x02,
  checkpointSet: 0x12,
  checkpointToggle: 0x15,
  conditionSet: 0x22,
  registersGet: 0x31,
  registersSet: 0x32,
  registersAvailable: 0x83,
  displayGet: 0x84,
  exit: 0xaa,
  quit: 0xbb,
  reset: 0xcc,
} as const;

const event = { jam: 0x61, stopped: 0x62 } as const;

interface Message {
  readonly type: number;
  readonly error: number;
  readonly request: number;
  readonly body: Buffer;
}

export interface MonitorPicture {
  readonly width: number;
  readonly height: number;
  /** Palette indexes; VICE 3.7 leaves out the last four. */
  readonly pixels: Uint8Array;
}

/** The side of VICE's binary monitor (version 2) that runs in lock step need. Everything but `run` finds the machine stopped. */
export class BinaryMonitor {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #received = Buffer.alloc(0);
  #lastRequest = 0;
  #stopped: ((isJammed: boolean) => void) | undefined;
  #failure: Error | undefined;
  #fail: ((error: Error) => void) | undefined;
  #registers = new Map<string, number>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(new Error('VICE closed the connection')));
  }

  /** Tries until VICE listens. */
  static async open(port: number, signal: AbortSignal): Promise<BinaryMonitor> {
    for (;;) {
      signal.throwIfAborted();
      const socket = connect({ port, host: '127.0.0.1' });
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true));
        socket.once('error', () => resolve(false));
      });
      if (isOpen) {
        const monitor = new BinaryMonitor(socket);
        await monitor.#readRegisterNames();
        return monitor;
      }
      socket.destroy();
      await delay(50, undefined, { signal });
    }
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  // ---- memory, registers, picture

  async memory(start: number, end: number): Promise<Uint8Array> {
    const body = Buffer.alloc(8);
    body.writeUInt16LE(start, 1);
    body.writeUInt16LE(end, 3);
    return (await this.#ask(command.memoryGet, body)).subarray(2);
  }

  async setMemory(start: number, bytes: Uint8Array): Promise<void> {
    const body = Buffer.alloc(8);
    body.writeUInt16LE(start, 1);
    body.writeUInt16LE(start + bytes.length - 1, 3);
    await this.#ask(command.memorySet, Buffer.concat([body, bytes]));
  }

  async registers(): Promise<ReadonlyMap<string, number>> {
    const body = await this.#ask(command.registersGet, Buffer.alloc(1));
    const names = new Map([...this.#registers].map(([name, id]) => [id, name]));
    const values = new Map<string, number>();
    for (let at = 2; at < body.length; at += 1 + (body[at] ?? 0)) {
      values.set(names.get(body[at + 1] ?? 0) ?? '', body.readUInt16LE(at + 2));
    }
    return values;
  }

  async #readRegisterNames(): Promise<void> {
    const body = await this.#ask(command.registersAvailable, Buffer.alloc(1));
    for (let at = 2; at < body.length; at += 1 + (body[at] ?? 0)) {
      const length = body[at + 3] ?? 0;
      this.#registers.set(body.toString('latin1', at + 4, at + 4 + length), body[at + 1] ?? 0);
    }
  }

  /** What was drawn last, whole if the machine is at the start of a frame. */
  async picture(): Promise<MonitorPicture> {
    const body = await this.#ask(command.displayGet, Buffer.from([1, 0]));
    const [width, height] = [body.readUInt16LE(4), body.readUInt16LE(6)];
    const start = 8 + body.readUInt32LE(0);
    return { width, height, pixels: body.subarray(start, start + width * height) };
  }

  // ---- control

  /** Stops before instructions in this range for which the condition holds; the answer is its number. */
  async checkpoint(start: number, end: number, condition?: string): Promise<number> {
    const body = Buffer.alloc(8);
    body.writeUInt16LE(start, 0);
    body.writeUInt16LE(end, 2);
    body.set([1, 1, 4, 0], 4);
    const number = (await this.#ask(command.checkpointSet, body)).readUInt32LE(0);
    if (condition !== undefined) {
      const head = Buffer.alloc(5);
      head.writeUInt32LE(number, 0);
      head[4] = condition.length;
      await this.#ask(command.conditionSet, Buffer.concat([head, Buffer.from(condition, 'latin1')]));
    }
    return number;
  }

  async toggle(checkpoint: number, isEnabled: boolean): Promise<void> {
    const body = Buffer.alloc(5);
    body.writeUInt32LE(checkpoint, 0);
    body[4] = isEnabled ? 1 : 0;
    await this.#ask(command.checkpointToggle, body);
  }

  /** Runs to the next stop; false if the processor jammed. */
  async run(): Promise<boolean> {
    const stop = this.#nextStop();
    await this.#ask(command.exit);
    return await stop;
  }

  /** Switches it off and on, and runs to the next stop. */
  async powerCycle(): Promise<void> {
    const stop = this.#nextStop();
    await this.#ask(command.reset, Buffer.from([1]));
    await stop;
  }

  async quit(): Promise<void> {
    await this.#ask(command.quit);
  }

  #nextStop(): Promise<boolean> {
    return this.#withDeadline((resolve) => {
      this.#stopped = (isJammed) => resolve(!isJammed);
    });
  }

  // ---- messages

  async #ask(code: number, body: Buffer = Buffer.alloc(0)): Promise<Buffer> {
    this.#lastRequest += 1;
    const request = this.#lastRequest;
    const head = Buffer.alloc(11);
    head.set([2, 2]);
    head.writeUInt32LE(body.length, 2);
    head.writeUInt32LE(request, 6);
    head[10] = code;
    const answer = await this.#withDeadline<Message>((resolve) => {
      this.#waiting.set(request, resolve);
      this.#socket.write(Buffer.concat([head, body]));
    });
    if (answer.error !== 0)
      throw new Error(`VICE refused command ${code.toString(16)}: error ${answer.error.toString(16)}`);
    return answer.body;
  }

  #withDeadline<T>(start: (resolve: (value: T) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      const timer = setTimeout(() => this.#end(new Error('VICE did not answer in time')), answerMs);
      const before = this.#fail;
      this.#fail = (error) => {
        clearTimeout(timer);
        reject(error);
        before?.(error);
      };
      start((value) => {
        clearTimeout(timer);
        resolve(value);
      });
    });
  }

  #end(error: Error): void {
    this.#failure ??= error;
    this.#fail?.(this.#failure);
  }

  #take(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    while (this.#received.length >= headerBytes) {
      const end = headerBytes + this.#received.readUInt32LE(2);
      if (this.#received.length < end) return;
      const message = {
        type: this.#received[6] ?? 0,
        error: this.#received[7] ?? 0,
        request: this.#received.readUInt32LE(8),
        body: this.#received.subarray(headerBytes, end),
      };
      this.#received = this.#received.subarray(end);
      this.#handle(message);
    }
  }

  #handle(message: Message): void {
    if (message.request !== noRequest) {
      this.#waiting.get(message.request)?.(message);
      this.#waiting.delete(message.request);
    } else if (message.type === event.stopped || message.type === event.jam) {
      const stopped = this.#stopped;
      this.#stopped = undefined;
      stopped?.(message.type === event.jam);
    }
  }
}
