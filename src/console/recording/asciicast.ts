import { type FileHandle, open, unlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TextDecoder } from 'node:util';
import { MachineError } from '../../machine/errors.ts';
import { fileError, newFile } from './new-file.ts';
import { type IndexEntry, type IndexHeader, indexPathOf, parseEntry, parseHeader } from './recording-index.ts';

const pieceBytes = 64 * 1024;

/** Turns a recording into asciicast v2, which players and web pages show. Reads and writes piece by piece. */
export async function exportAsciicast(from: string, to: string): Promise<{ events: number; seconds: number }> {
  const data = await openSource(from);
  try {
    const index = await openSource(indexPathOf(from));
    try {
      const cast = new Asciicast(data, index);
      await writeNew(to, cast.lines());
      return { events: cast.events, seconds: cast.seconds };
    } finally {
      await index.close();
    }
  } finally {
    await data.close();
  }
}

async function writeNew(path: string, lines: AsyncIterable<string>): Promise<void> {
  const target = await newFile(path);
  try {
    await pipeline(Readable.from(lines), target.createWriteStream());
  } catch (error) {
    await target.close().catch(() => undefined);
    await unlink(path).catch(() => undefined);
    throw error instanceof MachineError ? error : fileError(error, path);
  }
}

class Asciicast {
  readonly #data: FileHandle;
  readonly #index: FileHandle;
  /** Keeps the beginning of a character that the next batch completes. */
  #decoder = newDecoder();
  events = 0;
  seconds = 0;

  constructor(data: FileHandle, index: FileHandle) {
    this.#data = data;
    this.#index = index;
  }

  async *lines(): AsyncGenerator<string> {
    let header: IndexHeader | undefined;
    for await (const line of this.#index.readLines({ encoding: 'utf8', autoClose: false })) {
      if (header) {
        const entry = parseEntry(line);
        if (entry) yield* this.#entry(entry);
        continue;
      }
      header = parseHeader(line);
      if (!header) break;
      yield headerLine(header);
    }
    if (!header) {
      const fix = 'Export a recording that this server made.';
      throw new MachineError('INVALID_ARGUMENT', 'The time index of the recording has no header.', fix);
    }
    yield* this.#endOfText();
  }

  async *#entry(entry: IndexEntry): AsyncGenerator<string> {
    this.seconds = Math.max(this.seconds, entry.t / 1000);
    if ('bytes' in entry) yield* this.#output(entry.file, entry.bytes);
    else if ('mark' in entry) yield this.#event('m', entry.mark);
    else if ('columns' in entry) yield this.#event('r', `${entry.columns}x${entry.rows}`);
    else if ('missing' in entry) {
      yield* this.#endOfText();
      yield this.#event('m', `${entry.missing} bytes missing: ${entry.reason}`);
    }
  }

  async *#output(file: number, bytes: number): AsyncGenerator<string> {
    const buffer = Buffer.alloc(Math.min(bytes, pieceBytes));
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await this.#data.read(buffer, 0, Math.min(buffer.length, bytes - at), file + at);
      if (bytesRead === 0) return;
      at += bytesRead;
      const text = this.#decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
      if (text) yield this.#event('o', text);
    }
  }

  /** A character that was begun will not be completed. */
  *#endOfText(): Generator<string> {
    const rest = this.#decoder.decode();
    this.#decoder = newDecoder();
    if (rest) yield this.#event('o', rest);
  }

  #event(code: 'o' | 'm' | 'r', data: string): string {
    this.events += 1;
    return `${json([this.seconds, code, data])}\n`;
  }
}

function headerLine({ columns, rows, started, machine }: IndexHeader): string {
  const timestamp = Math.floor(Date.parse(started) / 1000);
  return `${json({ version: 2, width: columns, height: rows, timestamp, title: machine })}\n`;
}

function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}

async function openSource(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw fileError(error, path);
  }
}

/** JSON with every control character escaped, also those that JSON itself allows. */
function json(value: unknown): string {
  return JSON.stringify(value).replace(/[\x7f-\x9f\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
