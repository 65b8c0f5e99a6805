/** The part of a file handle that a recording needs. */
export interface RecordingFile {
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file that grows, and knows after a failure exactly how much of it is there. */
export class AppendFile {
  readonly #file: RecordingFile;
  #length = 0;

  constructor(file: RecordingFile) {
    this.#file = file;
  }

  get length(): number {
    return this.#length;
  }

  /** How many of the bytes were written, and what kept the rest from it. */
  async append(bytes: Uint8Array): Promise<{ readonly written: number; readonly error?: unknown }> {
    let written = 0;
    while (written < bytes.length) {
      try {
        // By position, so that whatever a failed attempt left behind is written over by the next.
        const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, this.#length);
        if (bytesWritten === 0) return { written, error: new Error('the disk takes no bytes') };
        written += bytesWritten;
        this.#length += bytesWritten;
      } catch (error) {
        return { written, error };
      }
    }
    return { written };
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
