import type { ConnectOptions } from '../unix-socket.ts';
import { GdbError } from './gdb-error.ts';
import { GdbTransport, refusal } from './gdb-transport.ts';
import type { TargetHost } from './host-calls.ts';
import { hexToBytes, textToHex } from './packet.ts';
import { isStopReply, parseStopReply, type StopReply } from './stop-reply.ts';
import { readTargetDescription, type TargetDescription } from './target-description.ts';

const defaultTimeoutMs = 10_000;
/** QEMU refuses 2,049 bytes. */
const memoryChunkBytes = 2048;
const maxDescriptionBytes = 4 * 1024 * 1024;
const maxThreads = 4096;
const maxClusters = 64;

/** Software and hardware breakpoints, then watchpoints on writes, reads and both. */
const pointTypes = { software: 0, hardware: 1, write: 2, read: 3, access: 4 } as const;
export type PointType = keyof typeof pointTypes;

/** The remote protocol of GDB, as QEMU's stub speaks it. Everything but `interrupt` wants a target that is stopped. */
export class GdbClient {
  readonly description: TargetDescription;
  readonly #transport: GdbTransport;
  readonly #chunkBytes: number;
  readonly #processes: readonly number[];

  /** Connecting stops a running target. */
  static async connect(path: string, options: ConnectOptions): Promise<GdbClient> {
    const transport = await GdbTransport.connect(path, options);
    const cancel = () => transport.close(new GdbError('closed', 'the attempt to connect was cancelled'));
    options.signal?.addEventListener('abort', cancel, { once: true });
    const { timeoutMs } = options;
    try {
      const offer = 'qSupported:multiprocess+;swbreak+;hwbreak+;vContSupported+;xmlRegisters=i386';
      const features = new Set((await transport.request(offer, { timeoutMs })).split(';'));
      if (features.has('QStartNoAckMode+') && (await transport.request('QStartNoAckMode', { timeoutMs })) === 'OK') {
        transport.stopAcknowledging();
      }
      // Single registers are only answered for after the description was read once.
      const read = (name: string) => readDocument(transport, name, timeoutMs);
      const description = features.has('qXfer:features:read+')
        ? await readTargetDescription(read)
        : { architecture: '', registers: [], flags: new Map() };
      return new GdbClient(transport, features, description, await attachAll(transport, timeoutMs));
    } catch (error) {
      transport.close(new GdbError('closed', 'the debugger connection did not become ready'));
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', cancel);
    }
  }

  private constructor(
    transport: GdbTransport,
    features: ReadonlySet<string>,
    description: TargetDescription,
    processes: readonly number[],
  ) {
    this.#processes = processes;
    this.#transport = transport;
    this.description = description;
    const size = [...features].find((feature) => feature.startsWith('PacketSize='))?.slice(11) ?? '';
    const packetBytes = /^[0-9a-f]{1,6}$/i.test(size) ? Number.parseInt(size, 16) : 0x1000;
    this.#chunkBytes = Math.max(16, Math.min(memoryChunkBytes, packetBytes >> 1));
  }

  get closed(): boolean {
    return this.#transport.closed !== undefined;
  }

  /** Between a resume and its stop. */
  get running(): boolean {
    return this.#transport.running;
  }

  onClose(listener: (reason: GdbError) => void): void {
    this.#transport.onClose(listener);
  }

  /** Who answers what the target asks of its host, by semihosting; without anybody it is refused. */
  serveCalls(host: TargetHost): void {
    this.#transport.takeCalls({
      answer: (call, ask) => host.answer(call, (address, length) => this.#readMemory(address, length, ask)),
      resumed: () => host.resumed(),
      ended: (code) => host.ended(code),
    });
  }

  close(): void {
    this.#transport.close(new GdbError('closed', 'the debugger connection was closed here'));
  }

  /** Ends the connection; the stub takes its breakpoints away and lets the target run. */
  async detach(): Promise<void> {
    for (const process of this.#processes) await this.#ask(`D;${process.toString(16)}`).catch(() => undefined);
    this.close();
  }

  /** Every thread goes on until something stops one. */
  continue(): Promise<StopReply> {
    return this.#transport.resume('vCont;c');
  }

  /** One instruction of one thread; all others are stopped. */
  step(thread: string): Promise<StopReply> {
    return this.#transport.resume(`vCont;s:${thread}`);
  }

  interrupt(): void {
    this.#transport.interrupt();
  }

  /** For a stop that was seen elsewhere and not reported here. */
  abandonRun(reply: StopReply): void {
    this.#transport.abandonRun(reply);
  }

  async lastStop(): Promise<StopReply> {
    const answer = await this.#transport.request('?', { timeoutMs: defaultTimeoutMs, stopIsAnswer: true });
    return parseStopReply(answer);
  }

  async threads(): Promise<string[]> {
    const ids: string[] = [];
    let answer = await this.#ask('qfThreadInfo');
    for (let asked = 1; answer.startsWith('m') && ids.length < maxThreads && asked < maxThreads; asked++) {
      for (const id of answer.slice(1).split(',')) if (/^p?[0-9a-f.]{1,32}$/i.test(id)) ids.push(id);
      answer = await this.#ask('qsThreadInfo');
    }
    return ids.slice(0, maxThreads);
  }

  /** In the stub's words: `CPU#0 [running]`, `[halted ]` while it sleeps. */
  async threadState(thread: string): Promise<string> {
    const answer = await this.#ask(`qThreadExtraInfo,${thread}`);
    return Buffer.from(hexToBytes(answer) ?? []).toString('latin1');
  }

  /** The thread whose registers and address space are meant from now on. */
  async selectThread(thread: string): Promise<void> {
    await this.#expectOk(`Hg${thread}`, `selecting thread ${thread}`);
  }

  /** The general registers, each in the target's byte order, one after the other by number. */
  async readAll(): Promise<Uint8Array> {
    return bytesOf(await this.#ask('g'), 'reading the registers');
  }

  async readRegister(number: number): Promise<Uint8Array> {
    return bytesOf(await this.#ask(`p${number.toString(16)}`), `reading register ${number}`);
  }

  async writeRegister(number: number, bytes: Uint8Array): Promise<void> {
    const value = Buffer.from(bytes).toString('hex');
    await this.#expectOk(`P${number.toString(16)}=${value}`, `writing register ${number}`);
  }

  async writeAll(bytes: Uint8Array): Promise<void> {
    await this.#expectOk(`G${Buffer.from(bytes).toString('hex')}`, 'writing the registers');
  }

  readMemory(address: bigint, length: number): Promise<Uint8Array> {
    return this.#readMemory(address, length, (payload) => this.#ask(payload));
  }

  async #readMemory(address: bigint, length: number, ask: (payload: string) => Promise<string>): Promise<Uint8Array> {
    const all = new Uint8Array(length);
    for (let at = 0; at < length; at += this.#chunkBytes) {
      const size = Math.min(this.#chunkBytes, length - at);
      const from = (address + BigInt(at)).toString(16);
      const bytes = bytesOf(await ask(`m${from},${size.toString(16)}`), `reading memory at 0x${from}`);
      if (bytes.length !== size) throw new GdbError('refused', `reading memory at 0x${from}: it ends there`);
      all.set(bytes, at);
    }
    return all;
  }

  async writeMemory(address: bigint, bytes: Uint8Array): Promise<void> {
    // Half of what can be read at once: the packet also holds the address.
    const chunk = this.#chunkBytes >> 1;
    for (let at = 0; at < bytes.length; at += chunk) {
      const part = Buffer.from(bytes.subarray(at, at + chunk));
      const to = (address + BigInt(at)).toString(16);
      await this.#expectOk(`M${to},${part.length.toString(16)}:${part.toString('hex')}`, `writing memory at 0x${to}`);
    }
  }

  /** Whether addresses are physical from now on; false when this QEMU cannot. */
  async physicalAddresses(on: boolean): Promise<boolean> {
    return (await this.#ask(`Qqemu.PhyMemMode:${on ? 1 : 0}`)) === 'OK';
  }

  async insert(type: PointType, address: bigint, length: number): Promise<void> {
    await this.#expectOk(`Z${point(type, address, length)}`, `a ${type} point at 0x${address.toString(16)}`);
  }

  async remove(type: PointType, address: bigint, length: number): Promise<void> {
    await this.#expectOk(`z${point(type, address, length)}`, `removing a point at 0x${address.toString(16)}`);
  }

  /** A command of the human monitor. */
  async monitor(command: string, timeoutMs = defaultTimeoutMs): Promise<string> {
    let text = '';
    const output = (payload: string) => {
      if (!payload.startsWith('O') || payload === 'OK') return false;
      text += Buffer.from(hexToBytes(payload.slice(1)) ?? []).toString('utf8');
      return text.length < maxDescriptionBytes;
    };
    const answer = await this.#transport.request(`qRcmd,${textToHex(command)}`, { timeoutMs, output });
    if (answer !== 'OK') throw refusal(answer, `monitor ${command}`);
    return text;
  }

  #ask(payload: string): Promise<string> {
    return this.#transport.request(payload, { timeoutMs: defaultTimeoutMs });
  }

  async #expectOk(payload: string, what: string): Promise<void> {
    const answer = await this.#ask(payload);
    if (answer !== 'OK') throw refusal(answer, what);
  }
}

/**
 * Each cluster of processors is a process of its own, and only the first is attached by connecting: the others would
 * be stopped when the target is told to run.
 */
async function attachAll(transport: GdbTransport, timeoutMs: number): Promise<number[]> {
  const processes = [1];
  while (processes.length < maxClusters) {
    const next = processes.length + 1;
    const answer = await transport.request(`vAttach;${next.toString(16)}`, { timeoutMs, stopIsAnswer: true });
    if (!isStopReply(answer)) break;
    processes.push(next);
  }
  return processes;
}

async function readDocument(transport: GdbTransport, name: string, timeoutMs: number): Promise<string> {
  let text = '';
  while (text.length < maxDescriptionBytes) {
    const request = `qXfer:features:read:${name}:${text.length.toString(16)},800`;
    const answer = await transport.request(request, { timeoutMs });
    if (!/^[ml]/.test(answer)) throw refusal(answer, `the target description ${name}`);
    text += answer.slice(1);
    if (answer.startsWith('l') || answer.length === 1) break;
  }
  return text;
}

function point(type: PointType, address: bigint, length: number): string {
  return `${pointTypes[type]},${address.toString(16)},${length.toString(16)}`;
}

const errorForm = /^E[0-9a-f]{2}$/i;

function bytesOf(answer: string, what: string): Uint8Array {
  // Values the target does not know are written as x.
  const bytes = errorForm.test(answer)
    ? undefined
    : hexToBytes(answer.includes('x') ? answer.replaceAll('x', '0') : answer);
  if (!bytes || bytes.length === 0) throw refusal(answer, what);
  return bytes;
}
