import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpProgram } from '../support/http-program.ts';
import { httpClient, type McpClient } from '../support/mcp-client.ts';
import { descriptorsOf } from '../support/raw-http.ts';
import { Sandbox } from '../support/sandbox.ts';
import { openPing } from '../watchdog/http-ping.ts';

export interface SoakReport {
  readonly seconds: number;
  readonly calls: number;
  readonly machinesStarted: number;
  /** Bytes that the console printed, and those of them that never arrived; lines that an agent has read. */
  readonly printedBytes: number;
  readonly linesRead: number;
  readonly lostBytes: number;
  readonly residentMb: { readonly afterWarmUp: number; readonly last: number; readonly most: number };
  readonly descriptors: { readonly afterWarmUp: number; readonly last: number };
  readonly pingMs: { readonly median: number; readonly p99: number; readonly most: number };
  readonly processorShare: number;
  readonly problems: readonly string[];
}

const sampleMs = 5000;
const warmUp = 0.2;

/** A guest that prints numbered lines all the time, as fast as one line every few milliseconds. */
class Printer implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => {
    this.#sockets.add(socket);
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    socket.resume();
  });
  printed = 0;
  lines = 0;
  readonly #timer = setInterval(() => this.#print(), 5);

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  #print(): void {
    const [socket] = this.#sockets;
    if (!socket || socket.writableNeedDrain) return;
    const text = `line ${String(this.lines++).padStart(9, '0')} of a guest that never stops\r\n`;
    this.printed += text.length;
    socket.write(text);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export async function soak(milliseconds: number, say: (line: string) => void): Promise<SoakReport> {
  await using sandbox = await Sandbox.open();
  await using printer = new Printer();
  const port = await printer.listen();
  const limits = ['--max-rate', '1000000', '--idle-timeout', '0'];
  await using server = await HttpProgram.start(sandbox, '--toolset', 'all', '--yes', '--allow-commands', ...limits);
  const pid = server.child.pid ?? 0;
  const problems: string[] = [];
  const counts = { calls: 0, started: 0 };
  const end = performance.now() + milliseconds;
  const isOver = () => performance.now() > end;
  const clients: McpClient[] = [];

  /** An agent of its own, which does the same things over and over. */
  const agent = async (
    work: (call: (tool: string, args: Record<string, unknown>) => Promise<string>) => Promise<unknown>,
  ) => {
    const client = await httpClient(server, 'modern');
    clients.push(client);
    const call = async (tool: string, args: Record<string, unknown>) => {
      const { text, isError } = await client.call(tool, args, { timeout: 90_000 });
      counts.calls++;
      if (tool === 'machine_start') counts.started++;
      if (isError) throw new Error(`${tool}: ${text.slice(0, 300)}`);
      return text;
    };
    while (!isOver() && problems.length < 20) {
      await work(call).catch((error: Error) => problems.push(error.message));
      await sleep(10);
    }
  };

  const machine = (
    kind: string,
    options: Record<string, unknown>,
    uses: readonly (readonly [string, Record<string, unknown>])[],
  ) =>
    agent(async (call) => {
      const name = `${kind}-${counts.started}-x`;
      await call('machine_start', { kind, name, options });
      for (let round = 0; round < 20 && !isOver(); round++) {
        for (const [tool, args] of uses) await call(tool, { machine: name, ...args });
      }
      await call('machine_stop', { machine: name });
    });

  const starter = await httpClient(server, 'modern');
  clients.push(starter);
  await starter.call('machine_start', { kind: 'console', name: 'line', options: { port } });
  const reader = new LineReader();
  const read = (waitMs: number) =>
    starter.call('console_read', {
      machine: 'line',
      reader: 'soak',
      from: 'cursor',
      view: 'text',
      quiet_ms: 0,
      timeout_ms: waitMs,
      max_chars: 20_000,
    });
  const measured = measure(server, pid, isOver, say);
  await Promise.all([
    machine('c64', { roms: 'own', boot: false }, [
      ['run', { frames: 25 }],
      ['screen_read', { mode: 'both' }],
      ['step', { count: 50 }],
      ['snapshot_save', { name: 'a' }],
      ['snapshot_restore', { name: 'a' }],
      ['memory_search', { pattern: '00 01' }],
    ]),
    machine('dos', { run_to_prompt: false }, [
      ['run', { timeout_ms: 100 }],
      ['screen_read', {}],
      ['step', { count: 100 }],
      ['state_read', {}],
      ['memory_read', { address: '0', length: 256 }],
    ]),
    machine('qemu', { arch: 'x86_64', memory: 16 }, [
      ['run', { timeout_ms: 200 }],
      ['screen_read', { mode: 'text' }],
      ['pause', {}],
      ['step', { count: 3 }],
      ['state_read', {}],
    ]),
    machine('console', { command: ['cat'] }, [
      ['console_send', { text: 'hello', expect: 'hello', timeout_ms: 20_000 }],
      ['console_read', { view: 'screen' }],
    ]),
    agent(async () => {
      reader.take((await read(500)).text);
      await sleep(20);
    }),
  ]);
  printer.stop();
  for (let quiet = 0; quiet < 5; ) {
    const before = reader.lines;
    reader.take((await read(500)).text);
    quiet = reader.lines === before ? quiet + 1 : 0;
  }
  const costs = await measured;
  const listed = await starter.call('machine_list', { format: 'json' });
  const lostBytes = printer.printed - endOf(listed.text);
  for (const client of clients) await client.close().catch(() => {});
  if (server.log.includes('BUG')) problems.push(server.log.slice(0, 500));
  if (lostBytes !== 0) problems.push(`${lostBytes} bytes were lost`);
  if (reader.lines === 0) problems.push('no line was read');
  if (reader.doubled > 0) problems.push(`${reader.doubled} lines came twice or out of order`);
  return {
    seconds: Math.round(milliseconds / 1000),
    calls: counts.calls,
    machinesStarted: counts.started,
    printedBytes: printer.printed,
    linesRead: reader.lines,
    lostBytes,
    ...costs,
    problems,
  };
}

/** Numbered lines come in their order, whatever was left out of an answer for its size. */
class LineReader {
  #last = -1;
  lines = 0;
  doubled = 0;

  take(text: string): void {
    for (const [, digits = ''] of text.matchAll(/line (\d{9}) of/g)) {
      const number = Number(digits);
      if (number <= this.#last) this.doubled++;
      this.#last = number;
      this.lines++;
    }
  }
}

/** How many bytes of the line the server has taken in. */
function endOf(listed: string): number {
  const { machines } = JSON.parse(listed) as { machines: readonly unknown[] };
  const line = machines.map((each) => JSON.stringify(each)).find((text) => /"(machine|handle|name)":"line"/.test(text));
  return Number(/"end":(\d+)/.exec(line ?? '')?.[1] ?? 0);
}

async function measure(
  server: HttpProgram,
  pid: number,
  isOver: () => boolean,
  say: (line: string) => void,
): Promise<Pick<SoakReport, 'residentMb' | 'descriptors' | 'pingMs' | 'processorShare'>> {
  const ping = await openPing(server);
  const began = performance.now();
  const ticks = processorMs(pid);
  const pings: number[] = [];
  const samples: { readonly mb: number; readonly descriptors: number }[] = [];
  let next = began + sampleMs;
  while (!isOver()) {
    const asked = performance.now();
    await ping();
    pings.push(performance.now() - asked);
    if (performance.now() > next) {
      next += sampleMs;
      const sample = { mb: residentMb(pid), descriptors: descriptorsOf(pid) };
      samples.push(sample);
      if (samples.length % 12 === 0)
        say(`${samples.length / 12} min: ${sample.mb.toFixed(0)} MB, ${sample.descriptors} descriptors`);
    }
    await sleep(50);
  }
  const warm = samples[Math.floor(samples.length * warmUp)] ?? samples[0];
  const last = samples.at(-1);
  const sorted = pings.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return {
    residentMb: {
      afterWarmUp: Math.round(warm?.mb ?? 0),
      last: Math.round(last?.mb ?? 0),
      most: Math.round(Math.max(...samples.map(({ mb }) => mb))),
    },
    descriptors: { afterWarmUp: warm?.descriptors ?? 0, last: last?.descriptors ?? 0 },
    pingMs: { median: at(0.5), p99: at(0.99), most: Math.round(sorted.at(-1) ?? 0) },
    processorShare: Math.round(((processorMs(pid) - ticks) / (performance.now() - began)) * 100) / 100,
  };
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;
}

/** Of a process, from its start; the kernel counts hundredths of a second. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
