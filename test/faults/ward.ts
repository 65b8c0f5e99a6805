import { type ChildProcessWithoutNullStreams, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';
import { Guest } from '../support/guest.ts';
import { HttpProgram } from '../support/http-program.ts';
import { type Answer, httpClient, type McpClient } from '../support/mcp-client.ts';
import { program, Sandbox } from '../support/sandbox.ts';
import { openPing } from '../watchdog/http-ping.ts';

const run = promisify(execFile);

export const patience = { timeout: 60_000, interval: 50 };

export interface WardOptions {
  /** Machines beside the two consoles. */
  readonly kinds?: readonly ('c64' | 'dos' | 'qemu')[];
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
}

const starts = {
  c64: { kind: 'c64', name: 'c64', options: { roms: 'own', boot: false } },
  dos: { kind: 'dos', name: 'dos', options: { run_to_prompt: false } },
  qemu: { kind: 'qemu', name: 'qemu', options: { arch: 'x86_64', memory: 16 } },
} as const;

/** A server as people run it, with machines of every kind in use all the time while something fails. */
export class Ward implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly server: HttpProgram;
  readonly guest: Guest;
  readonly client: McpClient;
  readonly #ping: () => Promise<void>;
  readonly #end = new AbortController();
  readonly #work: Promise<void>[] = [];
  /** Calls that were answered, and what went wrong with those that were not. */
  answered = 0;
  readonly unanswered: string[] = [];

  static async open({ kinds = ['c64', 'dos'], args = [], nodeArgs = [] }: WardOptions = {}): Promise<Ward> {
    const sandbox = await Sandbox.open();
    const serve = ['serve', '--port', '0', '--log-level', 'error', '--toolset', 'all', '--allow-commands'];
    const argv = [...nodeArgs, program, ...serve, '--allow-path', sandbox.dir, ...args];
    const options: SpawnOptions = { cwd: sandbox.dir, env: sandbox.env, stdio: 'pipe' };
    const child = spawn(process.execPath, argv, options) as ChildProcessWithoutNullStreams;
    child.stdin.on('error', () => {});
    const server = await HttpProgram.of(child);
    const guest = await Guest.listen();
    const ward = new Ward(sandbox, server, guest, await httpClient(server, 'legacy'), await openPing(server));
    await ward.ask('machine_start', { kind: 'console', name: 'line', options: { port: guest.port } });
    await ward.ask('machine_start', { kind: 'console', name: 'cat', options: { command: ['cat'] } });
    for (const kind of kinds) await ward.ask('machine_start', starts[kind]);
    return ward;
  }

  private constructor(
    sandbox: Sandbox,
    server: HttpProgram,
    guest: Guest,
    client: McpClient,
    ping: () => Promise<void>,
  ) {
    this.sandbox = sandbox;
    this.server = server;
    this.guest = guest;
    this.client = client;
    this.#ping = ping;
  }

  get pid(): number {
    return this.server.child.pid ?? 0;
  }

  call(tool: string, args: Record<string, unknown> = {}): Promise<Answer> {
    return this.client.call(tool, args, { timeout: 90_000 });
  }

  async ask(tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const { text, isError } = await this.call(tool, args);
    if (isError) throw new Error(`${tool}: ${text}`);
    return text;
  }

  /** From now on until the end everything is used; an error is an answer, silence is not. */
  keepBusy(calls: readonly (readonly [tool: string, args: Record<string, unknown>])[] = usualCalls): void {
    const { signal } = this.#end;
    for (const [tool, args] of calls) {
      const work = async () => {
        while (!signal.aborted) {
          await this.call(tool, args).then(
            () => {
              this.answered++;
            },
            (error: Error) => {
              if (!signal.aborted) this.unanswered.push(`${tool} ${JSON.stringify(args)}: ${error.message}`);
            },
          );
          await sleep(100);
        }
      };
      this.#work.push(work());
    }
  }

  /** Alive, answers a ping, nothing reached the net for bugs, and every call so far was answered. */
  async expectSound(): Promise<void> {
    await expect.poll(() => this.#ping().then(() => 'answered', String), patience).toBe('answered');
    expect([this.server.child.exitCode, this.server.child.signalCode]).toEqual([null, null]);
    expect(this.server.log).not.toContain('BUG');
    expect(this.unanswered).toEqual([]);
  }

  /** A line of the guest and a text that a program sends back are read: both kinds of console work. */
  async expectConsoles(mark: string): Promise<void> {
    const [line, cat] = [await this.#endOf('line'), await this.#endOf('cat')];
    await this.guest.print(`${mark}\r\n`);
    await this.ask('console_send', { machine: 'cat', text: mark, quiet_ms: 0 });
    await this.#expectRead(mark, { machine: 'line', from: line });
    // Each thing sent ends in a carriage return: as text the next one would be written over it.
    await this.#expectRead(mark, { machine: 'cat', view: 'raw', from: cat });
  }

  /** Of what it has printed, as the place to read on from. */
  async #endOf(machine: string): Promise<string> {
    const { machines } = JSON.parse(await this.ask('machine_list', { filter: machine, format: 'json' })) as Listed;
    return String(machines.find((each) => each.machine === machine)?.ports?.[0]?.buffer.end);
  }

  async #expectRead(
    mark: string,
    what: Readonly<Record<'machine' | 'from', string> & { view?: string }>,
  ): Promise<void> {
    const read = { ...what, quiet_ms: 0, max_chars: 28_000, reader: `${mark} on ${what.machine}` };
    await expect.poll(() => this.call('console_read', read).then(({ text }) => text), patience).toContain(mark);
  }

  async list(): Promise<string> {
    return this.ask('machine_list');
  }

  /** The processes of this ward whose command line matches. */
  processes(pattern: RegExp): number[] {
    return processesOf(this.sandbox).filter((pid) => pattern.test(commandLine(pid)));
  }

  /** To the process whose command line matches, once it is there. */
  async signal(pattern: RegExp, signal: NodeJS.Signals): Promise<void> {
    const pid = await vi.waitFor(() => {
      const [found] = this.processes(pattern);
      if (found === undefined) throw new Error(`no process is ${pattern}`);
      return found;
    }, patience);
    process.kill(pid, signal);
  }

  /** Answers with the limit that there was. */
  async limitDescriptors(most: number): Promise<number> {
    const of = ['--pid', String(this.pid)];
    const { stdout } = await run('prlimit', [...of, '--nofile', '--output=SOFT', '--noheadings']);
    await run('prlimit', [...of, `--nofile=${most}:`]);
    return Number(stdout);
  }

  async endWork(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#work.splice(0));
  }

  /** The server ends as it should, and leaves no process and no socket. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.endWork();
      await this.client.close().catch(() => {});
      await this.server[Symbol.asyncDispose]();
      await this.guest[Symbol.asyncDispose]();
      await vi.waitFor(() => expect(processesOf(this.sandbox).map(commandLine)).toEqual([]), patience);
      expect(this.sandbox.servers).toEqual([]);
    } finally {
      for (const pid of processesOf(this.sandbox)) process.kill(pid, 'SIGKILL');
      await this.sandbox[Symbol.asyncDispose]();
    }
  }
}

interface Listed {
  readonly machines: readonly {
    readonly machine: string;
    readonly ports?: readonly { readonly buffer: { readonly end: number } }[];
  }[];
}

const usualCalls = [
  ['run', { machine: 'c64', frames: 3, timeout_ms: 500 }],
  ['screen_read', { machine: 'c64', mode: 'text' }],
  ['run', { machine: 'dos', timeout_ms: 30 }],
  ['console_send', { machine: 'cat', text: 'echo', quiet_ms: 0 }],
  ['console_read', { machine: 'line', view: 'screen' }],
  ['machine_list', {}],
] as const;

/** Everything that was started with the environment of this sandbox, or works in its folder. */
function processesOf({ dir }: Sandbox): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && belongsTo(pid, dir));
}

function belongsTo(pid: number, dir: string): boolean {
  try {
    if (/^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return false;
    const place = readlinkSync(`/proc/${pid}/cwd`);
    return (
      place === dir ||
      place.startsWith(`${dir}/`) ||
      readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`HOME=${dir}\0`)
    );
  } catch {
    return false;
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

export const jumpClock = fileURLToPath(new URL('./jump-clock.mjs', import.meta.url));
