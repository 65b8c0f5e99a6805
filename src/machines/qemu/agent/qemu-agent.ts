import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { GuestAgentError, GuestAgentLink } from '../../../links/qga/guest-agent-link.ts';
import type { WritePolicy } from '../../../machine/console.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type {
  AgentAbout,
  FilePart,
  GuestAgentCapability,
  GuestInterface,
  GuestProgram,
  ProgramEnd,
} from '../../../machine/guest-agent.ts';
import type { QemuSession } from '../qemu-session.ts';

export const agentChardev = 'agent';

const connectMs = 5000;
const answerMs = 10_000;
/** Writing out all file systems takes as long as the guest's disks do. */
const freezeMs = 40_000;
const firstLookMs = 20;
const lookAtMostEveryMs = 500;
/** Little enough for a slow guest to answer in time, and as base64 within a line that is taken from a guest. */
const partBytes = 128 * 1024;

const info = z.object({
  version: z.string(),
  supported_commands: z.array(z.object({ name: z.string(), enabled: z.boolean() })).max(1000),
});
const interfaces = z
  .array(
    z.object({
      name: z.string(),
      'hardware-address': z.string().optional(),
      'ip-addresses': z.array(z.object({ 'ip-address': z.string(), prefix: z.number() })).default([]),
    }),
  )
  .max(10_000);
const system = z.object({ 'pretty-name': z.string().optional(), 'kernel-release': z.string().optional() });
const hostname = z.object({ 'host-name': z.string() });
const started = z.object({ pid: z.number().int() });
const programStatus = z.object({
  exited: z.boolean(),
  exitcode: z.number().int().optional(),
  signal: z.number().int().optional(),
  'out-data': z.base64().default(''),
  'err-data': z.base64().default(''),
  'out-truncated': z.boolean().default(false),
  'err-truncated': z.boolean().default(false),
});
const handleNumber = z.number().int();
const readPart = z.object({ count: z.number().int().min(0), 'buf-b64': z.base64(), eof: z.boolean() });
const written = z.object({ count: z.number().int().min(0) });
const seeked = z.object({ position: z.number().int() });

/** qemu-ga in the guest. What it says is the guest's word, and nobody else's. */
export class QemuAgent implements GuestAgentCapability {
  readonly writePolicy: WritePolicy;
  readonly #session: QemuSession;
  readonly #path: string;
  #link: Promise<GuestAgentLink> | undefined;

  constructor(session: QemuSession, path: string, writePolicy: WritePolicy) {
    this.writePolicy = writePolicy;
    this.#session = session;
    this.#path = path;
  }

  /** With its QEMU; the next one has another. */
  close(): void {
    void this.#link?.then((link) => link.close()).catch(() => undefined);
    this.#link = undefined;
  }

  async about(): Promise<AgentAbout> {
    const { version, supported_commands: all } = await this.#ask('guest-info', {}, info);
    const commands = all.filter(({ enabled }) => enabled).map(({ name }) => name);
    const has = (name: string) => commands.includes(name);
    const os = has('guest-get-osinfo') ? await this.#ask('guest-get-osinfo', {}, system) : undefined;
    const host = has('guest-get-host-name') ? await this.#ask('guest-get-host-name', {}, hostname) : undefined;
    const frozen = has('guest-fsfreeze-status') ? await this.#ask('guest-fsfreeze-status', {}, z.string()) : undefined;
    const named = [os?.['pretty-name'], os?.['kernel-release']].filter((each) => each !== undefined).join(', ');
    return {
      version,
      system: named === '' ? undefined : named,
      hostname: host?.['host-name'],
      fileSystems: frozen,
      commands,
    };
  }

  async interfaces(): Promise<readonly GuestInterface[]> {
    const found = await this.#ask('guest-network-get-interfaces', {}, interfaces);
    return found.map(({ name, 'hardware-address': mac, 'ip-addresses': addresses }) => ({
      name,
      mac,
      addresses: addresses.map((each) => `${each['ip-address']}/${each.prefix}`),
    }));
  }

  async execute({ path, args, input }: GuestProgram, timeoutMs: number, signal: AbortSignal): Promise<ProgramEnd> {
    const end = performance.now() + timeoutMs;
    const asked = {
      path,
      arg: args,
      'capture-output': true,
      ...(input && { 'input-data': Buffer.from(input).toString('base64') }),
    };
    const { pid } = await this.#ask('guest-exec', asked, started);
    for (let wait = firstLookMs; ; wait = Math.min(wait * 2, lookAtMostEveryMs)) {
      const status = await this.#ask('guest-exec-status', { pid }, programStatus);
      if (status.exited) {
        return {
          exitCode: status.exitcode,
          signal: status.signal,
          output: Buffer.from(status['out-data'], 'base64'),
          errors: Buffer.from(status['err-data'], 'base64'),
          isCut: status['out-truncated'] || status['err-truncated'],
        };
      }
      signal.throwIfAborted();
      if (performance.now() > end) {
        throw new MachineError(
          'UNAVAILABLE',
          `${path} still runs in the guest (process ${pid}) after ${timeoutMs} ms.`,
          'It keeps running. Give "timeout_ms", or let it write into a file and run it in the background.',
          { pid },
        );
      }
      await setTimeout(wait, undefined, { signal });
    }
  }

  async readFile(path: string, offset: number, maxBytes: number, signal: AbortSignal): Promise<FilePart> {
    return this.#withFile(path, 'r', async (handle) => {
      if (offset > 0) await this.#ask('guest-file-seek', { handle, offset, whence: 'set' }, seeked);
      const parts: Buffer[] = [];
      let left = maxBytes;
      let isEnd = false;
      while (left > 0 && !isEnd) {
        signal.throwIfAborted();
        const part = await this.#ask('guest-file-read', { handle, count: Math.min(left, partBytes) }, readPart);
        const bytes = Buffer.from(part['buf-b64'], 'base64').subarray(0, left);
        isEnd = part.eof || bytes.length === 0;
        parts.push(bytes);
        left -= bytes.length;
      }
      return { bytes: Buffer.concat(parts), isEnd };
    });
  }

  async writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    let at = 0;
    const send = async (handle: number) => {
      while (at < bytes.length) {
        signal.throwIfAborted();
        const part = Buffer.from(bytes.subarray(at, at + partBytes));
        const { count } = await this.#ask('guest-file-write', { handle, 'buf-b64': part.toString('base64') }, written);
        if (count === 0 || count > part.length) throw nonsense('guest-file-write');
        at += count;
      }
    };
    try {
      await this.#withFile(path, 'w', send);
    } catch (error) {
      if (!(error instanceof MachineError) || at === 0) throw error;
      const { type, message, advice: ways, data } = error;
      throw new MachineError(type, `${message} It had taken ${at} of ${bytes.length} bytes.`, ways, data);
    }
  }

  async freeze(): Promise<number> {
    return this.#ask('guest-fsfreeze-freeze', {}, z.number().int(), freezeMs);
  }

  async thaw(): Promise<number> {
    return this.#ask('guest-fsfreeze-thaw', {}, z.number().int(), freezeMs);
  }

  async #withFile<T>(path: string, mode: 'r' | 'w', use: (handle: number) => Promise<T>): Promise<T> {
    const handle = await this.#ask('guest-file-open', { path, mode }, handleNumber);
    let result: T;
    try {
      result = await use(handle);
    } catch (error) {
      // Why it failed matters more than that a file stays open in the guest.
      await this.#ask('guest-file-close', { handle }, z.unknown()).catch(() => undefined);
      throw error;
    }
    // What it has in its buffers may fail to be written.
    await this.#ask('guest-file-close', { handle }, z.unknown());
    return result;
  }

  async #ask<Shape extends z.ZodType>(
    command: string,
    args: Readonly<Record<string, unknown>>,
    shape: Shape,
    timeoutMs = answerMs,
  ): Promise<z.output<Shape>> {
    await this.#requireOpen();
    this.#link ??= this.#connect();
    let reply: unknown;
    try {
      reply = await (await this.#link).execute(command, args, timeoutMs);
    } catch (error) {
      throw explained(command, error);
    }
    const result = shape.safeParse(reply);
    if (!result.success) throw nonsense(command);
    return result.data;
  }

  async #connect(): Promise<GuestAgentLink> {
    try {
      return await GuestAgentLink.connect(this.#path, { timeoutMs: connectMs });
    } catch (error) {
      this.#link = undefined;
      throw error;
    }
  }

  /** Whether a program in the guest has opened the channel is known without asking it. */
  async #requireOpen(): Promise<void> {
    const devices = await this.#session.query('query-chardev');
    if (devices.find(({ label }) => label === agentChardev)?.['frontend-open']) return;
    throw new MachineError('UNAVAILABLE', 'No guest agent is running in the guest: nothing has opened its channel.', [
      advice`Wait until the guest has booted, or install and start qemu-ga there (Debian: qemu-guest-agent).`,
      advice`Without it: ${call('console_send')}, ${call('file_put')}.`,
    ]);
  }
}

function explained(command: string, error: unknown): unknown {
  if (!(error instanceof GuestAgentError)) return error;
  const { failure, message } = error;
  if (failure === 'refused')
    return new MachineError('EXECUTION_ERROR', `The guest agent refuses ${command}: ${message}`, 'Read the message.');
  const why = failure === 'timeout' ? 'it did not answer in time' : message;
  return new MachineError(
    'UNAVAILABLE',
    `The guest agent failed at ${command}: ${why}.`,
    'Check that the guest is running and not stuck; a frozen one answers little more than thaw.',
  );
}

function nonsense(command: string): MachineError {
  return new MachineError(
    'UNAVAILABLE',
    `The guest answered ${command} with something else.`,
    'Check which program runs there as the guest agent.',
  );
}
