import { TextDecoder } from 'node:util';
import { lowerHex } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';
import type { HostFile } from '../../machine/files.ts';
import { fileError } from './file-failure.ts';
import { type RecordingFiles, removeRecording } from './recording-files.ts';
import { type IndexEntry, type IndexHeader, indexPathOf, parseEntry, parseHeader } from './recording-index.ts';

const pieceBytes = 64 * 1024;

/** Turns a recording into asciicast v2, which players and web pages show. Reads and writes piece by piece. */
export async function exportAsciicast(
  files: RecordingFiles,
  from: string,
  to: string,
): Promise<{ path: string; events: number; seconds: number }> {
  const data = await files.open(from, 'read');
  try {
    const index = await files.open(indexPathOf(from), 'read');
    try {
      const cast = new Asciicast(data, index);
      const path = await writeNew(files, to, cast.lines());
      return { path, events: cast.events, seconds: cast.seconds };
    } finally {
      index.close();
    }
  } finally {
    data.close();
  }
}

async function writeNew(files: RecordingFiles, to: string, lines: AsyncIterable<string>): Promise<string> {
  const target = await files.create(to);
  try {
    let waiting = '';
    for await (const line of lines) {
      waiting += line;
      if (waiting.length < pieceBytes) continue;
      await target.write(Buffer.from(waiting));
      waiting = '';
    }
    await target.write(Buffer.from(waiting));
    target.close();
    return target.path;
  } catch (error) {
    target.close();
    await removeRecording(files, target.path);
    throw fileError(error, to);
  }
}

async function* linesOf(file: HostFile): AsyncGenerator<string> {
  const decoder = newDecoder();
  let begun = '';
  for (let at = 0; at < file.size; ) {
    const bytes = await file.read(at, Math.min(pieceBytes, file.size - at));
    if (bytes.length === 0) break;
    at += bytes.length;
    const lines = (begun + decoder.decode(bytes, { stream: true })).split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
  const last = begun + decoder.decode();
  if (last !== '') yield last;
}

class Asciicast {
  readonly #data: HostFile;
  readonly #index: HostFile;
  /** Keeps the beginning of a character that the next batch completes. */
  #decoder = newDecoder();
  events = 0;
  seconds = 0;

  constructor(data: HostFile, index: HostFile) {
    this.#data = data;
    this.#index = index;
  }

  async *lines(): AsyncGenerator<string> {
    let header: IndexHeader | undefined;
    for await (const line of linesOf(this.#index)) {
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
    for (let at = 0; at < bytes; ) {
      const piece = await this.#data.read(file + at, Math.min(pieceBytes, bytes - at));
      if (piece.length === 0) return;
      at += piece.length;
      const text = this.#decoder.decode(piece, { stream: true });
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

/** JSON with every control character escaped, also those that JSON itself allows. */
function json(value: unknown): string {
  return JSON.stringify(value).replace(/[\x7f-\x9f\u2028\u2029]/g, (char) => {
    return `\\u${lowerHex(char.charCodeAt(0), 4)}`;
  });
}
