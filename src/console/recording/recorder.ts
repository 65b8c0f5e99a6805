import type { OutputRing, Recording, RecordingStatus } from '../../machine/console.ts';
import { MachineError } from '../../machine/errors.ts';
import type { ReportedEvent } from '../../machine/events.ts';
import { AppendFile, type RecordingFile } from './append-file.ts';
import { exportAsciicast } from './asciicast.ts';
import { fileError } from './file-failure.ts';
import { createRecording, type RecordingFiles, removeRecording } from './recording-files.ts';
import { type IndexHeader, indexPathOf } from './recording-index.ts';
import { type History, RecordingWriter, type WriterEvents } from './recording-writer.ts';

const maxLabelChars = 200;

export interface RecorderOptions {
  readonly name: string;
  readonly ring: OutputRing;
  /** The size a player should have, asked again with each batch. */
  size(): { readonly columns: number; readonly rows: number };
  readonly maxAnnotations: number;
  report(event: ReportedEvent): void;
  readonly files: RecordingFiles;
  /** Creates a file that must not exist yet; below `files` unless told. */
  readonly open?: (path: string) => Promise<OpenedRecording>;
}

type OpenedRecording = RecordingFile & { readonly path?: string };

interface Session {
  readonly path: string;
  readonly writer: RecordingWriter;
  /** Of `performance.now()`. */
  readonly startedAt: number;
  columns: number;
  rows: number;
  marks: number;
  active: boolean;
}

/** Records a port's output: the exact bytes in one file, their times and what happened beside them in another. */
export class Recorder implements Recording {
  readonly #options: RecorderOptions;
  #session: Session | undefined;
  #starting = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get status(): RecordingStatus | undefined {
    return this.#session && statusOf(this.#session);
  }

  async start(path: string, options: { readonly withHistory: boolean }): Promise<RecordingStatus> {
    if (this.#starting || this.#session?.active) {
      const where = this.#session?.active ? ` to ${this.#session.path}` : '';
      throw new MachineError(
        'BUSY',
        `${this.#options.name} is already being recorded${where}.`,
        'Stop that recording first.',
      );
    }
    this.#starting = true;
    try {
      return statusOf(await this.#open(path, options.withHistory));
    } finally {
      this.#starting = false;
    }
  }

  async stop(): Promise<RecordingStatus> {
    const session = this.#activeSession();
    session.active = false;
    session.writer.addLine({ t: elapsed(session), end: true }, true);
    await session.writer.finish();
    return statusOf(session);
  }

  mark(label: string): void {
    const session = this.#activeSession();
    if (label.length === 0 || label.length > maxLabelChars) {
      const message = `A label has 1 to ${maxLabelChars} characters; this one has ${label.length}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'Give a shorter name for this moment.');
    }
    if (session.marks >= this.#options.maxAnnotations) {
      throw new MachineError(
        'LIMIT_REACHED',
        `This recording has ${session.marks} marks, which is the maximum.`,
        'Start the server with a higher --max-annotations, or continue in a new recording.',
        { limit: this.#options.maxAnnotations },
      );
    }
    session.marks += 1;
    session.writer.addLine({ t: elapsed(session), mark: label }, true);
  }

  async exportAsciicast(path: string): Promise<{ path: string; events: number; seconds: number }> {
    const session = this.#session;
    if (!session) throw new MachineError('WRONG_STATE', 'There is no recording to export.', 'Start a recording first.');
    if (session.active) await session.writer.flush();
    return exportAsciicast(this.#options.files, session.path, path);
  }

  /** Called with each chunk of output, at once and in order; copies what it keeps. */
  tap(offset: number, bytes: Uint8Array): void {
    const session = this.#session;
    if (!session?.active) return;
    const t = elapsed(session);
    this.#noteSize(session, t);
    session.writer.add(t, offset, bytes);
  }

  /** Puts a change of the link into the index. */
  link(text: string): void {
    const session = this.#session;
    if (session?.active) session.writer.addLine({ t: elapsed(session), link: text }, false);
  }

  async #open(asked: string, withHistory: boolean): Promise<Session> {
    const { files } = this.#options;
    const open = this.#options.open ?? ((name: string) => createRecording(files, name));
    const { columns, rows } = this.#options.size();
    const header: IndexHeader = {
      version: 1,
      started: new Date().toISOString(),
      columns,
      rows,
      machine: this.#options.name,
    };
    const opened = await open(asked).catch((error: unknown) => {
      throw fileError(error, asked);
    });
    const { path = asked } = opened;
    const data = new AppendFile(opened);
    const index = await openIndex(open, files, path, header).catch(async (error: unknown) => {
      await data.close();
      await removeRecording(files, path);
      throw error;
    });
    // All at once, so that no byte falls between the history and the first tap.
    const history = ringHistory(this.#options.ring, withHistory);
    const writer = new RecordingWriter({ data, index }, history, this.#events(path));
    const session = { path, writer, startedAt: performance.now(), columns, rows, marks: 0, active: true };
    this.#session = session;
    void writer.flush();
    return session;
  }

  #noteSize(session: Session, t: number): void {
    const { columns, rows } = this.#options.size();
    if (columns === session.columns && rows === session.rows) return;
    if (session.writer.addLine({ t, columns, rows }, false)) Object.assign(session, { columns, rows });
  }

  #activeSession(): Session {
    if (this.#session?.active) return this.#session;
    const message = `${this.#options.name} is not being recorded.`;
    throw new MachineError('WRONG_STATE', message, 'Start a recording first.');
  }

  #events(path: string): WriterEvents {
    const report = (type: string, text: string) => this.#options.report({ type, text, data: { path } });
    let told = false;
    return {
      failing: (reason) => report('recording_failing', `${path}: ${reason}; the recording keeps retrying`),
      resumed: () => report('recording_resumed', `${path}: the disk can be written again`),
      lost: (reason) => {
        if (!told) report('recording_incomplete', `${path}: bytes are missing in the recording: ${reason}`);
        told = true;
      },
    };
  }
}

function statusOf(session: Session): RecordingStatus {
  const { path, writer, marks, active } = session;
  const { bytes, missing } = writer;
  return { path, indexPath: indexPathOf(path), bytes, marks, active, ...(missing && { missing }) };
}

/** Milliseconds since the start, to the tenth. */
function elapsed(session: Session): number {
  return Math.round((performance.now() - session.startedAt) * 10) / 10;
}

async function openIndex(
  open: (path: string) => Promise<OpenedRecording>,
  files: RecordingFiles,
  path: string,
  header: IndexHeader,
): Promise<AppendFile> {
  const indexPath = indexPathOf(path);
  const index = new AppendFile(await open(indexPath));
  const { error } = await index.append(Buffer.from(`${JSON.stringify(header)}\n`));
  if (error === undefined) return index;
  await index.close();
  await removeRecording(files, indexPath);
  throw fileError(error, indexPath);
}

function ringHistory(ring: OutputRing, wanted: boolean): History {
  const end = ring.end;
  let at = wanted ? ring.start : end;
  return {
    get remainingBytes() {
      return end - at;
    },
    next(maxBytes) {
      if (at >= end) return undefined;
      const { bytes, from, lost } = ring.read(at, Math.min(maxBytes, end - at));
      const lostHere = Math.min(lost, end - at);
      const kept = bytes.subarray(0, Math.max(end - from, 0));
      at = Math.min(from + kept.length, end);
      return { bytes: kept, offset: Math.min(from, end), lost: lostHere };
    },
  };
}
