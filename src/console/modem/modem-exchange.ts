import { constants } from 'node:fs';
import { mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExchangeOptions, FileExchange, WriteOptions, WriteResult } from '../../machine/console.ts';
import { advice, call, MachineError } from '../../machine/errors.ts';
import { EchoSkip } from './echo-skip.ts';
import { ModemProcess, type ModemWire, type SentBlocks } from './modem-process.ts';

/** How often it is looked how much has come. */
const lookMs = 300;
/** What X-, Y- and ZMODEM programs take for the end of it all. */
const cancelled = Buffer.from(`${'\x18'.repeat(10)}${'\b'.repeat(10)}`);

/**
 * X- and YMODEM programs throw away what is in their buffer right after they have asked for the next block. On a real
 * line it cannot have come by then; on ours it could. Where it did, and is wanted again, the next waits longer.
 */
const blockReplyMs = 5;

export interface ModemLine {
  write(bytes: Uint8Array, options: WriteOptions): Promise<WriteResult>;
  /** Takes what arrives until the answer is called, which gets back what was no part of a file. */
  divert(receive: (bytes: Uint8Array) => void): (remainder: Uint8Array) => void;
  hold(): void;
  release(): void;
  isUp(): boolean;
}

/** Files over a line by the programs `sz` and `rz`, which see nothing of this computer but a folder of their own. */
export class ModemExchange implements FileExchange {
  readonly #line: ModemLine;

  constructor(line: ModemLine) {
    this.#line = line;
  }

  send(file: { readonly name: string; readonly bytes: Uint8Array }, options: ExchangeOptions): Promise<void> {
    return inFolder(async (folder) => {
      const name = plainName(file.name);
      await writeFile(join(folder, name), file.bytes, { mode: 0o600 });
      const progress = (sent: number) =>
        options.progress(`${Math.min(sent, file.bytes.length)} of ${file.bytes.length} bytes`);
      // Every YMODEM program takes blocks of a kilobyte; not every XMODEM program does.
      const blocks = options.protocol === 'ymodem' ? ['--1k'] : [];
      const args = ['--binary', '--quiet', `--${options.protocol}`, ...blocks, '--', name];
      await this.#run(['sz', 'lsz'], args, folder, options, {
        blocks:
          options.protocol === 'zmodem'
            ? undefined
            : { replyMs: blockReplyMs, asksForEachFile: options.protocol === 'ymodem' },
        sent: progress,
      });
    });
  }

  receive(options: ExchangeOptions & { readonly maxBytes: number }): Promise<Uint8Array> {
    return inFolder(async (folder) => {
      const { protocol, maxBytes } = options;
      const how = protocol === 'xmodem' ? ['--with-crc', '--', 'received'] : ['--restricted'];
      const tooLarge = new AbortController();
      const timer = setInterval(() => {
        void sizeOf(folder).then((bytes) => {
          options.progress(`${bytes} bytes`);
          if (bytes > maxBytes) tooLarge.abort(tooMuch(maxBytes));
        });
      }, lookMs);
      try {
        const signal = AbortSignal.any([options.signal, tooLarge.signal]);
        const args = ['--binary', '--quiet', `--${protocol}`, ...how];
        await this.#run(['rz', 'lrz'], args, folder, { ...options, signal }, { blocks: undefined });
      } finally {
        clearInterval(timer);
      }
      return onlyFile(folder, maxBytes);
    });
  }

  async #run(
    programs: readonly string[],
    args: readonly string[],
    folder: string,
    options: ExchangeOptions,
    direction: { readonly blocks: SentBlocks | undefined; sent?(bytes: number): void },
  ): Promise<void> {
    if (!this.#line.isUp()) {
      throw new MachineError('LINK_DOWN', 'The link is down.', 'Wait for the event link_up and retry.');
    }
    const { signal, timeoutMs, start } = options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const ended = AbortSignal.any([signal, deadline]);
    const process = await ModemProcess.start(programs, args, folder);
    const echo = new EchoSkip((bytes) => process.hear(bytes), start);
    if (start.length === 0) echo.stop();
    const restore = this.#line.divert((bytes) => echo.hear(bytes));
    const wire: ModemWire = {
      hold: () => this.#line.hold(),
      release: () => this.#line.release(),
      blocks: direction.blocks,
      say: async (bytes) => {
        const { refused } = await this.#line.write(bytes, { mode: 'retry', timeoutMs, signal: ended });
        if (refused > 0) throw new Error('the line does not take bytes');
      },
      ...(direction.sent && { sent: direction.sent }),
    };
    try {
      if (start.length > 0) await wire.say(start);
      await process.run(wire, ended);
    } catch (error) {
      // The other side would wait for more, and take what is typed next for a part of the file.
      await this.#line.write(cancelled, { mode: 'buffered' });
      throw this.#failure(error, options, deadline.aborted);
    } finally {
      process.kill();
      echo.stop();
      restore(process.remainder);
      this.#line.release();
    }
  }

  #failure(error: unknown, { protocol, signal, timeoutMs }: ExchangeOptions, isLate: boolean): MachineError {
    if (error instanceof MachineError) return error;
    if (signal.reason instanceof MachineError) return signal.reason;
    if (signal.aborted)
      return new MachineError('CANCELLED', 'The transfer was cancelled.', 'Start it again if needed.');
    const reason = isLate
      ? `it was not over within ${timeoutMs / 1000} s`
      : error instanceof Error
        ? error.message
        : String(error);
    return new MachineError(
      'UNAVAILABLE',
      `The ${protocol} transfer failed: ${reason}.`,
      advice`Look with ${call('console_read')} whether the program at the other end is running and uses the same protocol.`,
      {},
      { cause: error },
    );
  }
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'frontpanel-modem-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Names go to the other side, and to a program here: neither may take them for anything else. */
function plainName(name: string): string {
  const last = name.split('/').at(-1) ?? '';
  const plain = last.replace(/[^\w.+ -]/g, '_').slice(0, 100);
  return /^[-.\s]*$/.test(plain) ? 'file' : plain.replace(/^-/, '_');
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function onlyFile(folder: string, maxBytes: number): Promise<Uint8Array> {
  const names = await readdir(folder);
  const [name, another] = names;
  if (name === undefined) throw notOne('No file came.');
  if (another !== undefined) throw notOne(`${names.length} files came, where one was expected.`);
  const file = await open(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw notOne('What came is not a file.');
    if (found.size > maxBytes) throw tooMuch(maxBytes);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function notOne(message: string): MachineError {
  return new MachineError('UNAVAILABLE', message, 'Let the other side send exactly one file.');
}

function tooMuch(maxBytes: number): MachineError {
  return new MachineError('LIMIT_REACHED', `More than ${maxBytes} bytes arrived.`, 'Let the other side send less.');
}
