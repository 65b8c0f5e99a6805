import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url).pathname;

/** The command line without its parser: `node … attach.mjs SOCKET [--spy] [--filtered]`. */
const program = `
import { attach } from './attach.ts';
const [socket, ...flags] = process.argv.slice(2);
process.exitCode = await attach(undefined, {
  socket, spy: flags.includes('--spy'), filtered: flags.includes('--filtered'), quietMs: 300,
  stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: process.env,
});
`;

/** A console's two sockets, as the server has them. */
class TestConsole {
  readonly out: string;
  readonly in: string;
  readonly #servers: Server[] = [];
  readonly #typists = new Set<Socket>();
  readonly watchers = new Set<Socket>();
  readonly #received: Buffer[] = [];
  holdInput = false;

  constructor(path: string) {
    this.out = `${path}.out`;
    this.in = `${path}.in`;
  }

  get received(): Buffer {
    return Buffer.concat(this.#received);
  }

  async open(): Promise<void> {
    await this.#listen(this.out, (socket) => this.#keep(this.watchers, socket));
    await this.#listen(this.in, (socket) => {
      this.#keep(this.#typists, socket);
      if (this.holdInput) socket.pause();
      socket.on('data', (data) => this.#received.push(data));
    });
  }

  get typists(): number {
    return this.#typists.size;
  }

  readInput(): void {
    this.holdInput = false;
    for (const socket of this.#typists) socket.resume();
  }

  print(data: string | Uint8Array): void {
    for (const socket of this.watchers) socket.write(data);
  }

  /** Says the last words and goes away. */
  async close(): Promise<void> {
    const closed = this.#servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve)));
    for (const socket of [...this.watchers, ...this.#typists]) socket.end();
    for (const socket of this.#typists) socket.resume();
    await Promise.all(closed);
    await until(() => this.watchers.size === 0 && this.typists === 0);
  }

  async #listen(path: string, connected: (socket: Socket) => void): Promise<void> {
    const server = createServer(connected).listen(path);
    this.#servers.push(server);
    await once(server, 'listening');
  }

  #keep(set: Set<Socket>, socket: Socket): void {
    set.add(socket);
    if (set === this.watchers) socket.resume();
    socket.on('error', () => {});
    socket.on('close', () => set.delete(socket));
  }
}

let programs: string;
let directory: string;
let line: TestConsole;
let command: string[];

// Made once: on a busy computer to load it from its sources takes longer than a test.
beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), 'frontpanel-attach-'));
  const outfile = join(programs, 'attach.mjs');
  const stdin = { contents: program, resolveDir: import.meta.dirname };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  command = [process.execPath, outfile];
});
afterAll(() => rm(programs, { recursive: true }));

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'frontpanel-attach-'));
  line = new TestConsole(join(directory, 'vm-1'));
  await line.open();
});

afterEach(async () => {
  await line.close();
  await rm(directory, { recursive: true });
});

function until(condition: () => boolean | Promise<boolean>): Promise<unknown> {
  return vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: 40_000, interval: 20 });
}

describe('through pipes', { timeout: 90_000 }, () => {
  let child: ChildProcess;
  let stdout: Buffer[];
  let stderr: string;

  function start(...flags: string[]): void {
    const [node = '', ...args] = command;
    child = spawn(node, [...args, line.out, ...flags], { cwd: root, stdio: 'pipe' });
    child.stdin?.on('error', () => {});
    stdout = [];
    stderr = '';
    child.stdout?.on('data', (data: Buffer) => stdout.push(data));
    child.stderr?.on('data', (data) => {
      stderr += data;
    });
  }

  const shown = () => Buffer.concat(stdout).toString('latin1');

  afterEach(() => {
    child.kill('SIGKILL');
  });

  test('carries every byte both ways and ends after the input ended and the answer came', async () => {
    start();
    await until(() => line.watchers.size === 1 && line.typists === 1);
    const everyByte = Buffer.from(Array.from({ length: 1 << 20 }, (_, index) => (index * 7 + (index >> 8)) & 0xff));
    const fromConsole = Buffer.from(everyByte.toReversed());
    line.print(fromConsole);
    child.stdin?.end(everyByte);
    await until(() => line.received.length === everyByte.length);
    line.print('the answer');
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(line.received.equals(everyByte)).toBe(true);
    expect(Buffer.concat(stdout).equals(Buffer.concat([fromConsole, Buffer.from('the answer')]))).toBe(true);
    expect(stderr).toBe('');
  });

  test('waits for a console that does not read, and for a reader that does not read', async () => {
    line.holdInput = true;
    start();
    await until(() => line.watchers.size === 1 && line.typists === 1);
    child.stdout?.pause();
    const block = Buffer.alloc(8 << 20, 'x');
    const written = new Promise((resolve) => child.stdin?.write(block, resolve));
    line.print(block);
    const [watcher] = line.watchers;
    await until(() => (watcher?.bytesWritten ?? 0) > 1 << 16);
    // Neither side can have been taken in whole: the pipes between us hold far less than 8 MiB.
    expect(watcher?.writableLength).toBeGreaterThan(1 << 20);
    expect(
      await Promise.race([written.then(() => 'taken'), new Promise((wait) => setImmediate(wait, 'waiting'))]),
    ).toBe('waiting');
    line.readInput();
    child.stdout?.resume();
    child.stdin?.end();
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(line.received.length).toBe(block.length);
    expect(Buffer.concat(stdout).length).toBe(block.length);
  });

  test('--spy opens only the output and leaves standard input alone', async () => {
    start('--spy');
    await until(() => line.watchers.size === 1);
    child.stdin?.end('typed');
    line.print('seen');
    await until(() => shown() === 'seen');
    expect(line.typists).toBe(0);
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    expect(code).toBe(143);
    expect(line.received.length).toBe(0);
  });

  test('--filtered keeps colours and drops what writes the clipboard', async () => {
    start('--spy', '--filtered');
    await until(() => line.watchers.size === 1);
    line.print('\x1b]52;c;ZXZpbA=');
    await new Promise((wait) => setTimeout(wait, 20));
    line.print('=\x07\x1b[31mred\x1b[0m');
    await until(() => shown().includes('red\x1b[0m'));
    expect(shown()).toBe('\x1b[31mred\x1b[0m');
  });

  test('connects again when the server comes back; nothing that waits in the pipe is lost', async () => {
    start();
    // Whoever accepts a connection knows before the other side: only what comes through tells that both know.
    child.stdin?.write('hello, ');
    await until(() => line.watchers.size === 1 && line.received.toString() === 'hello, ');
    line.print('last words');
    await line.close();
    await until(() => stderr.includes('Trying to connect again'));
    expect(shown()).toBe('last words');
    child.stdin?.write('kept');
    await line.open();
    await until(() => /Connected to .* again\.\n/.test(stderr) && line.received.toString() === 'hello, kept');
    // A connection stands before it is accepted.
    await until(() => line.watchers.size === 1);
    line.print(' and first ones');
    await until(() => shown() === 'last words and first ones');
    child.stdin?.end();
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
  });

  test('says so when there is nothing to connect to', async () => {
    await line.close();
    start();
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(stderr).toBe(`There is no socket ${line.out}.\n`);
    for (const path of [line.in, line.out]) await writeFile(path, '');
    start();
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    expect(stderr).toBe(`${line.out} is not a socket.\n`);
  });

  test('ends quietly when its reader has seen enough', async () => {
    start('--spy');
    await until(() => line.watchers.size === 1);
    child.stdout?.destroy();
    const flood = setInterval(() => line.print('more\n'), 10);
    const [code] = await once(child, 'close');
    clearInterval(flood);
    expect(code).toBe(0);
  });
});

describe('on a terminal', { timeout: 30_000 }, () => {
  let socket: string;
  const tmux = async (...args: string[]) => (await run('tmux', ['-u', '-S', socket, ...args])).stdout;
  const screen = () => tmux('capture-pane', '-p', '-J', '-t', 'test');
  const type = (...keys: string[]) => tmux('send-keys', '-t', 'test', ...keys);

  beforeEach(async () => {
    socket = join(directory, 'tmux');
    const shell = ['env', '-i', `PATH=${process.env.PATH}`, 'TERM=screen', 'PS1=> ', 'bash', '--norc', '--noprofile'];
    await tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'test', '-x', '200', '-y', '30', '-c', root, ...shell);
    await until(async () => (await screen()).includes('>'));
  });

  afterEach(async () => {
    await tmux('kill-server');
  });

  async function untilScreen(condition: (text: string) => boolean): Promise<string> {
    let text = '';
    await vi.waitFor(
      async () => {
        text = await screen();
        expect(condition(text), text).toBe(true);
      },
      { timeout: 15_000, interval: 50 },
    );
    return text;
  }

  /** Runs attach between two looks at the terminal's settings, which land in files. */
  async function start(...flags: string[]): Promise<void> {
    const quoted = [...command, line.out, ...flags].map((word) => `'${word}'`).join(' ');
    await writeFile(
      join(directory, 'visit'),
      `stty -a > '${directory}/before'\n${quoted}\necho "code $?" > '${directory}/code'\nstty -a > '${directory}/after'\necho "visit over"\n`,
    );
    await type(`. '${join(directory, 'visit')}'`, 'Enter');
    await untilScreen((text) => text.includes('Ctrl-] leaves.'));
  }

  async function expectRestored(code: number): Promise<void> {
    await untilScreen((text) => text.includes('visit over'));
    const read = (name: string) => readFile(join(directory, name), 'utf8');
    expect(await read('code')).toBe(`code ${code}\n`);
    expect(await read('before')).toContain(' icanon ');
    expect(await read('after')).toBe(await read('before'));
    await type('echo still a $((40+2)) shell', 'Enter');
    await untilScreen((text) => text.includes('still a 42 shell'));
  }

  test('every key goes to the console and Ctrl-] leaves', async () => {
    await start();
    await type('a', 'C-c', 'C-z', 'C-d', 'C-s', 'Enter', 'é');
    await vi.waitFor(() => expect(line.received.toString()).toBe('a\x03\x1a\x04\x13\ré'), { timeout: 10_000 });
    line.print('login: ');
    await untilScreen((text) => text.includes('login: '));
    await type('C-]');
    await expectRestored(0);
    expect(await screen()).toContain('[frontpanel] Left');
    await until(() => line.watchers.size === 0 && line.typists === 0);
  });

  test('line feeds are not made into new lines', async () => {
    await start();
    line.print('\x1b[2J\x1b[Hstep\nstair');
    await untilScreen((text) => text.startsWith('step\n    stair'));
    await type('C-]');
    await expectRestored(0);
  });

  test('what a guest did to the terminal is undone', async () => {
    await start();
    line.print('\x1b[?1049h\x1b[?25l\x1b[?1003h\x1b[?1006h\x1b[?2004h\x1b[?1h\x1b[3;5r\x1b[7mtrapped');
    const format = '#{alternate_on}#{cursor_flag}#{mouse_all_flag}#{keypad_cursor_flag} #{scroll_region_lower}';
    const modes = () => tmux('display-message', '-p', '-t', 'test', format);
    await untilScreen((text) => text.includes('trapped'));
    expect(await modes()).toBe('1011 4\n');
    await type('C-]');
    await expectRestored(0);
    expect(await modes()).toBe('0100 29\n');
  });

  test('--spy ignores typing, but not Ctrl-]', async () => {
    await start('--spy');
    await type('x', 'C-c');
    line.print('watched');
    await untilScreen((text) => text.includes('watched'));
    await type('C-]');
    await expectRestored(0);
    expect(line.received.length).toBe(0);
  });

  test('Ctrl-] leaves while the server is away', async () => {
    await start();
    await line.close();
    await untilScreen((text) => text.includes('Trying to connect again'));
    await type('lost', 'C-]');
    await expectRestored(0);
    expect(line.received.length).toBe(0);
  });

  test('the terminal is restored after a signal', async () => {
    await start();
    await until(() => line.watchers.size === 1);
    const { stdout } = await run('pgrep', ['-f', `${line.out}$`]);
    process.kill(Number(stdout.trim()), 'SIGTERM');
    await expectRestored(143);
  });
});
