import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ByteConnection } from '../byte-link.ts';
import { eventually, Listener, never, randomPieces } from './link-testing.ts';
import { rfc2217Link } from './rfc2217.ts';
import { tcpLink } from './tcp-link.ts';

const opened: ByteConnection[] = [];
async function open(port: number, wanted = {}): Promise<ByteConnection> {
  const connection = await rfc2217Link(tcpLink({ host: '127.0.0.1', port }), wanted).open(never());
  opened.push(connection);
  return connection;
}
afterEach(() => {
  for (const connection of opened.splice(0)) connection.destroy();
});

describe('a port of ser2net', () => {
  let directory: string;
  let children: ChildProcess[];
  let port: number;
  let far: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ser2net-'));
    const near = join(directory, 'near');
    far = join(directory, 'far');
    children = [spawn('socat', [`pty,raw,echo=0,link=${near}`, `pty,raw,echo=0,link=${far}`], { stdio: 'ignore' })];
    // ser2net opens the device for each connection, and ends one for which it cannot.
    await eventually(() => existsSync(near) && existsSync(far));
    port = await freePort();
    const accepter = `accepter: telnet(rfc2217),tcp,127.0.0.1,${port}`;
    const connector = `connector: serialdev,${near},9600n81,local`;
    await writeFile(join(directory, 'c.yaml'), `%YAML 1.1\n---\nconnection: &one\n  ${accepter}\n  ${connector}\n`);
    children.push(spawn('ser2net', ['-n', '-d', '-c', join(directory, 'c.yaml')], { stdio: 'ignore' }));
    await eventually(() => listens(port));
  });
  afterEach(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(directory, { recursive: true });
  });

  test('keeps its settings unless others are wanted, and tells those in force', async () => {
    const connection = await open(port);
    expect(connection.serial?.settings).toEqual({
      baudRate: 9600,
      dataBits: 8,
      parity: 'none',
      stopBits: 1,
      flowControl: 'none',
    });
    const changed = { baudRate: 115_200, dataBits: 7, parity: 'even', stopBits: 2, flowControl: 'xonxoff' } as const;
    expect(await connection.serial?.configure(changed)).toEqual(changed);
    expect(connection.serial?.settings).toEqual(changed);
    await connection.serial?.purge('both');
  });

  test('is opened with what is wanted, and again after a loss with what was changed since', async () => {
    const link = rfc2217Link(tcpLink({ host: '127.0.0.1', port }), { baudRate: 38_400 });
    const first = await link.open(never());
    expect(first.serial?.settings).toMatchObject({ baudRate: 38_400 });
    await first.serial?.configure({ baudRate: 57_600 });
    const heard = new Listener(first);
    first.destroy();
    await heard.closed();
    const second = await link.open(never());
    opened.push(second);
    expect(second.serial?.settings).toMatchObject({ baudRate: 57_600 });
  });

  test('carries every byte both ways, also those that telnet uses itself', async () => {
    const connection = await open(port);
    const heard = new Listener(connection);
    const device = spawn('socat', [`${far},raw,echo=0`, '-'], { stdio: ['pipe', 'pipe', 'ignore'] });
    children.push(device);
    const arrived: Buffer[] = [];
    device.stdout?.on('data', (bytes) => arrived.push(bytes));
    // What comes before the device is open would be thrown away when it is.
    device.stdin?.write('ready');
    await heard.until(() => heard.text === 'ready');
    const { all, pieces } = randomPieces(200_000);
    // One way after the other: socat waits for a full pseudo terminal and reads from none meanwhile.
    for (const piece of pieces) connection.write(piece);
    await eventually(() => Buffer.concat(arrived).length >= all.length);
    device.stdin?.write(all);
    await heard.until(() => heard.receivedBytes >= 5 + all.length);
    expect(heard.received.subarray(5).equals(all)).toBe(true);
    expect(Buffer.concat(arrived).equals(all)).toBe(true);
  });

  test('a BREAK is held for as long as it should be, and the port goes on', async () => {
    const connection = await open(port);
    const began = performance.now();
    await connection.sendBreak(200);
    expect(performance.now() - began).toBeGreaterThanOrEqual(200);
    expect(await connection.serial?.readLines()).toMatchObject({ cts: expect.any(Boolean), dcd: expect.any(Boolean) });
  });
});

/** The other side of the option, as far as a test wants it. */
class ComPortServer {
  readonly received: number[][] = [];
  socket: Socket | undefined;
  readonly #server: Server;

  static async listen(
    answer: (command: number, value: readonly number[]) => readonly number[] | undefined,
    agree = true,
  ) {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ComPortServer(server, answer, agree);
  }

  private constructor(
    server: Server,
    answer: (command: number, value: readonly number[]) => readonly number[] | undefined,
    agree: boolean,
  ) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.socket = socket;
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        const text = bytes.toString('latin1');
        if (text.includes('\xff\xfb\x2c')) socket.write(Buffer.from([255, agree ? 253 : 254, 44]));
        for (const [, body = ''] of text.matchAll(/\xff\xfa\x2c([\s\S]*?)\xff\xf0/g)) {
          const [command = 0, ...value] = Buffer.from(body.replaceAll('\xff\xff', '\xff'), 'latin1');
          this.received.push([command, ...value]);
          const back = answer(command, value);
          if (back) this.tell(command + 100, ...back);
        }
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  tell(...payload: readonly number[]): void {
    const escaped = payload.flatMap((byte) => (byte === 255 ? [255, 255] : [byte]));
    this.socket?.write(Buffer.from([255, 250, 44, ...escaped, 255, 240]));
  }

  close(): void {
    this.socket?.destroy();
    this.#server.close();
  }
}

describe('another server', () => {
  let server: ComPortServer;
  const obedient = (command: number, value: readonly number[]) =>
    command === 1 && value.every((byte) => byte === 0)
      ? [0, 0, 0x25, 0x80]
      : command < 5 && value[0] === 0
        ? [1]
        : value;
  afterEach(() => server.close());

  test('control lines are set one by one; those of the other side are known and their changes told', async () => {
    server = await ComPortServer.listen(obedient);
    const connection = await open(server.port);
    const notices: string[] = [];
    connection.start({ data: () => {}, drain: () => {}, close: () => {}, notice: (text) => notices.push(text) });
    await connection.serial?.setLines({ dtr: false, rts: true });
    expect(server.received.slice(-2)).toEqual([
      [5, 9],
      [5, 11],
    ]);
    await expect(connection.serial?.readLines()).rejects.toThrow('has not told');
    server.tell(107, 0xb0);
    await eventually(
      () =>
        connection.serial?.readLines().then(
          ({ dcd }) => dcd,
          () => false,
        ) ?? false,
    );
    expect(await connection.serial?.readLines()).toEqual({ cts: true, dsr: true, dcd: true, ri: false });
    server.tell(107, 0x30);
    server.tell(106, 0x18);
    await eventually(() => notices.length === 2);
    expect(notices).toEqual(['control lines: CTS on, DSR on, DCD off, RI off', 'a BREAK was received, framing error']);
  });

  test('bytes wait while the port asks for that, and are counted', async () => {
    server = await ComPortServer.listen(obedient);
    const connection = await open(server.port);
    const heard = new Listener(connection);
    let said = '';
    server.socket?.on('data', (bytes) => {
      said += bytes.toString('latin1');
    });
    server.tell(108);
    server.socket?.write('suspended');
    await heard.until(() => heard.text === 'suspended');
    connection.write(Buffer.from('later'));
    expect(connection.pendingBytes).toBe(5);
    server.tell(109);
    await eventually(() => said.includes('later'));
    expect(connection.pendingBytes).toBe(0);
  });

  test('one that does not know the option is no link, and the reason says so', async () => {
    server = await ComPortServer.listen(obedient, false);
    await expect(open(server.port)).rejects.toThrow('speaks telnet but not RFC 2217');
  });

  test('one that answers with other values than asked for is believed', async () => {
    server = await ComPortServer.listen((command, value) =>
      command === 1 ? [0, 1, 0xc2, 0] : obedient(command, value),
    );
    const connection = await open(server.port, { baudRate: 921_600 });
    expect(connection.serial?.settings.baudRate).toBe(115_200);
  });

  test('one that goes away while it is asked ends the question', async () => {
    server = await ComPortServer.listen(obedient);
    const connection = await open(server.port);
    new Listener(connection);
    const asked = connection.serial?.purge('input');
    server.socket?.destroy();
    server.socket = undefined;
    await expect(asked).rejects.toThrow(/closed|reset/);
    await expect(connection.serial?.purge('input')).rejects.toThrow();
  });

  test('hostile subnegotiations change nothing: unknown, cut, endless', async () => {
    server = await ComPortServer.listen(obedient);
    const connection = await open(server.port);
    const heard = new Listener(connection);
    for (const payload of [[], [101], [101, 1], [199, 255, 255], [107], new Array(5000).fill(255)])
      server.tell(...payload);
    server.socket?.write(Buffer.from([255, 250, 44, ...new Array(70_000).fill(1)]));
    server.socket?.write(Buffer.from('still here'));
    await heard.until(() => heard.text.endsWith('still here'));
    expect(await connection.serial?.configure({ dataBits: 7 })).toMatchObject({ dataBits: 7 });
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Without a connection, whose end would close the device and with it the pseudo terminal. */
async function listens(port: number): Promise<boolean> {
  const table = await readFile('/proc/net/tcp', 'utf8');
  return table.includes(`:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`);
}
