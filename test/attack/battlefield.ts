import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Guest } from '../support/guest.ts';
import { HttpProgram } from '../support/http-program.ts';
import { type Answer, httpClient, type McpClient } from '../support/mcp-client.ts';
import { Sandbox } from '../support/sandbox.ts';
import { writeHostileFiles } from './hostile-files.ts';

export const secret = 'the-secret-that-nobody-may-see-4711';
const tokens = { own: 'token-of-the-owner-0123456789', observe: 'token-of-a-watcher-0123456789' };

/** A server as people run it, folders that agents may read or write, and one beside them that they may not. */
export class Battlefield implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly server: HttpProgram;
  readonly guest: Guest;
  readonly owner: McpClient;
  readonly watcher: McpClient;
  /** At which debuggers attach to the C64. */
  readonly ports = { gdb: 0, dap: 0 };

  static async open(): Promise<Battlefield> {
    const sandbox = await Sandbox.open();
    const at = (...names: string[]) => join(sandbox.dir, ...names);
    for (const folder of ['read', 'write', 'write/sub', 'outside', 'outside/deep']) mkdirSync(at(folder));
    for (const file of ['outside/secret.txt', 'outside/deep/secret.prg', 'outside/disk.img']) {
      writeFileSync(at(file), `${secret}\n`.repeat(20));
    }
    writeFileSync(at('read/file.txt'), 'may be read\n');
    writeHostileFiles(at('read'));
    writeFileSync(at('write/kept.txt'), 'may be written, and is not\n');
    symlinkSync(at('outside'), at('write/link'));
    symlinkSync(at('outside/secret.txt'), at('write/secret-link'));
    symlinkSync('../outside/deep', at('read/relative-link'));
    symlinkSync('loop', at('write/loop'));
    const rows = Object.entries(tokens).map(([role, token]) => ({ name: role, role, token }));
    writeFileSync(at('frontpanel.config.json'), JSON.stringify({ tokens: rows }), { mode: 0o600 });
    const folders = ['--allow-read', at('read'), '--allow-path', at('write')];
    const server = await HttpProgram.start(
      sandbox,
      '--toolset',
      'all',
      '--yes',
      '--max-rate',
      '100000',
      '--allow-debuggers',
      ...folders,
    );
    const as = (role: keyof typeof tokens) =>
      httpClient({ url: server.url, token: tokens[role] } as HttpProgram, 'legacy');
    const field = new Battlefield(sandbox, server, await Guest.listen(), await as('own'), await as('observe'));
    await field.ask('machine_start', { kind: 'c64', name: 'c64', options: { roms: 'own', boot: false } });
    const expanded = { roms: 'own', boot: false, reu: '128K' };
    await field.ask('machine_start', { kind: 'c64', name: 'reu', options: expanded });
    await field.ask('machine_start', { kind: 'dos', name: 'dos', options: { run_to_prompt: false } });
    await field.ask('machine_start', {
      kind: 'qemu',
      name: 'qemu',
      options: { arch: 'x86_64', memory: 16, paused: true },
    });
    await field.ask('machine_start', { kind: 'console', name: 'line', options: { port: field.guest.port } });
    for (const protocol of ['gdb', 'dap'] as const) {
      const told = await field.ask('debug_port', { machine: 'c64', protocol });
      field.ports[protocol] = Number(/127\.0\.0\.1:(\d+)/.exec(told)?.[1]);
    }
    return field;
  }

  private constructor(sandbox: Sandbox, server: HttpProgram, guest: Guest, owner: McpClient, watcher: McpClient) {
    this.sandbox = sandbox;
    this.server = server;
    this.guest = guest;
    this.owner = owner;
    this.watcher = watcher;
  }

  get token(): string {
    return tokens.own;
  }

  at(...names: readonly string[]): string {
    return join(this.sandbox.dir, ...names);
  }

  call(tool: string, args: Record<string, unknown>, client = this.owner): Promise<Answer> {
    return client.call(tool, args, { timeout: 90_000 });
  }

  async ask(tool: string, args: Record<string, unknown>): Promise<string> {
    const { text, isError } = await this.call(tool, args);
    if (isError) throw new Error(`${tool}: ${text}`);
    return text;
  }

  /** Everything that lies in the folders and beside them, as one value. */
  fingerprint(): string {
    const hash = createHash('sha256');
    const look = (path: string) => {
      for (const name of readdirSync(path).sort()) {
        const file = join(path, name);
        const found = lstatSync(file);
        hash.update(`${file} ${found.mode} `);
        if (found.isSymbolicLink()) hash.update(readlinkSync(file));
        else if (found.isDirectory()) look(file);
        else hash.update(readFileSync(file));
      }
    };
    for (const folder of ['read', 'write', 'outside']) look(this.at(folder));
    return hash.digest('hex');
  }

  /** Bytes on a connection of their own, and what comes back until it ends or nothing comes for a while. */
  exchange(bytes: string | Uint8Array, quietMs = 400): Promise<string> {
    const { hostname, port } = new URL(this.server.url);
    return new Promise((resolve) => {
      let received = '';
      const socket = connect({ host: hostname, port: Number(port) });
      const over = () => {
        socket.destroy();
        resolve(received);
      };
      socket.setTimeout(quietMs, over);
      socket.on('error', over).on('close', over);
      socket.setEncoding('latin1').on('data', (text) => {
        received += text;
      });
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    });
  }

  /** Why the server is not as it was; undefined where it is. */
  async damage(): Promise<string | undefined> {
    const { child, log } = this.server;
    if (child.exitCode !== null || child.signalCode !== null) return `the server ended: ${log.slice(-500)}`;
    if (log.includes('BUG')) return `a bug was logged: ${log.slice(log.indexOf('BUG'), log.indexOf('BUG') + 500)}`;
    const { isError, text } = await this.call('machine_list', {}).catch((error: Error) => ({
      isError: true,
      text: error.message,
    }));
    return isError ? `machine_list: ${text}` : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of [this.owner, this.watcher]) await client.close().catch(() => {});
    await this.server[Symbol.asyncDispose]();
    await this.guest[Symbol.asyncDispose]();
    await this.sandbox[Symbol.asyncDispose]();
  }
}
