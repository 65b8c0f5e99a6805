import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { clockMs } from '../harness/clock.ts';

/** A QEMU as somebody would use it with nothing but two sockets: no checks, no decoding, one request at a time. */
export class RawQemu implements AsyncDisposable {
  readonly folder: string;
  readonly startMs: number;
  readonly #process: ChildProcess;
  readonly #qmp: Socket;
  readonly #gdb: Socket;
  #ids = 0;

  static async start(program: string, args: readonly string[]): Promise<RawQemu> {
    const folder = mkdtempSync(join(tmpdir(), 'raw-'));
    const began = clockMs();
    const sockets = ['-qmp', `unix:${folder}/q,server=on,wait=off`, '-gdb', `unix:path=${folder}/g,server=on,wait=off`];
    const child = spawn(program, ['-S', '-display', 'none', ...sockets, ...args], { stdio: 'ignore' });
    const qmp = await connected(`${folder}/q`);
    await once(qmp, 'data');
    qmp.write('{"execute":"qmp_capabilities"}\n');
    await once(qmp, 'data');
    const gdb = await connected(`${folder}/g`);
    const raw = new RawQemu(folder, clockMs() - began, child, qmp, gdb);
    // Until this was read once, registers answer with nothing.
    await raw.gdb('qSupported:');
    await raw.gdb('qXfer:features:read:target.xml:0,ffb');
    return raw;
  }

  private constructor(folder: string, startMs: number, child: ChildProcess, qmp: Socket, gdb: Socket) {
    this.folder = folder;
    this.startMs = startMs;
    this.#process = child;
    this.#qmp = qmp;
    this.#gdb = gdb;
  }

  async qmp(command: string, args: Record<string, unknown> = {}): Promise<string> {
    const id = ++this.#ids;
    this.#qmp.write(`${JSON.stringify({ execute: command, arguments: args, id })}\n`);
    let text = '';
    while (!text.includes(`"id": ${id}`)) {
      const [data] = await once(this.#qmp, 'data');
      text += data;
    }
    return text;
  }

  async hmp(line: string): Promise<string> {
    return this.qmp('human-monitor-command', { 'command-line': line });
  }

  /** The answer with its frame around it. */
  async gdb(packet: string): Promise<string> {
    let sum = 0;
    for (let at = 0; at < packet.length; at++) sum = (sum + packet.charCodeAt(at)) & 255;
    this.#gdb.write(`$${packet}#${sum.toString(16).padStart(2, '0')}`);
    let text = '';
    while (!/#[0-9a-f]{2}$/.test(text)) {
      const [data] = await once(this.#gdb, 'data');
      text += data;
    }
    this.#gdb.write('+');
    return text;
  }

  async screenshot(): Promise<Uint8Array> {
    const filename = join(this.folder, 'shot.png');
    await this.qmp('screendump', { filename, format: 'png' });
    return readFileSync(filename);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function connected(path: string): Promise<Socket> {
  for (;;) {
    const socket = connect(path);
    const ok = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    if (ok) return socket;
    await delay(2);
  }
}
