import type { FileHandle } from 'node:fs/promises';

const fileHeaderBytes = 24;
const recordHeaderBytes = 16;
const stampBytes = 8;
const windowBytes = 256 * 1024;
const microsecondMagic = 0xa1b2c3d4;
const nanosecondMagic = 0xa1b23c4d;
/** No frame is larger; a record that says so is not one. */
const maxFrameBytes = 262_144;

export interface Packet {
  /** Milliseconds since 1970. */
  readonly stampMs: number;
  /** On the wire; fewer may have been kept. */
  readonly length: number;
  readonly bytes: Uint8Array;
}

interface Form {
  readonly littleEndian: boolean;
  readonly perMs: number;
}

/** Opens the file, once for each look into it. */
export type OpenCapture = (flags: string) => Promise<FileHandle>;

/** Reads a pcap file that somebody may still be writing. One call after the other, however many come at once. */
export class PcapFile {
  readonly #open: OpenCapture;
  /** From the times in the file to real ones, while those differ. */
  #realMs: ((stampMs: number) => number) | undefined;
  /** Where each record begins that is complete. */
  readonly #records: number[] = [];
  #form: Form | undefined;
  #end = fileHeaderBytes;
  #last: Promise<unknown> = Promise.resolve();

  constructor(open: OpenCapture, realMs?: (stampMs: number) => number) {
    this.#open = open;
    this.#realMs = realMs;
  }

  /** `total` has those that came since the last look. */
  packets(from: number, limit: number): Promise<{ readonly packets: readonly Packet[]; readonly total: number }> {
    return this.#withFile(async (file) => {
      await this.#index(file);
      const packets: Packet[] = [];
      for (const at of this.#records.slice(from, from + limit)) packets.push(await this.#packet(file, at));
      return { packets, total: this.#records.length };
    });
  }

  /** Writes the real times into the file, for when nobody writes to it any more. */
  settle(): Promise<void> {
    return this.#withFile(async (file) => {
      await this.#index(file);
      const form = this.#form;
      const corrected = this.#realMs;
      this.#realMs = undefined;
      if (!form || !corrected) return;
      const window = Buffer.alloc(windowBytes);
      for (let next = 0; next < this.#records.length; ) {
        const from = this.#records[next] ?? 0;
        const { bytesRead } = await file.read(window, 0, windowBytes, from);
        for (; next < this.#records.length; next++) {
          const at = (this.#records[next] ?? 0) - from;
          if (at + stampBytes > bytesRead) break;
          restamp(window.subarray(at, at + stampBytes), corrected, form);
        }
        await file.write(window, 0, bytesRead, from);
      }
    }, 'r+');
  }

  async #packet(file: FileHandle, at: number): Promise<Packet> {
    const form = this.#form ?? { littleEndian: true, perMs: 1000 };
    const header = Buffer.alloc(recordHeaderBytes);
    await file.read(header, 0, recordHeaderBytes, at);
    const bytes = new Uint8Array(read32(header, 8, form));
    await file.read(bytes, 0, bytes.length, at + recordHeaderBytes);
    const stampMs = stampOf(header, form);
    return { stampMs: this.#realMs?.(stampMs) ?? stampMs, length: read32(header, 12, form), bytes };
  }

  async #index(file: FileHandle): Promise<void> {
    this.#form ??= await readForm(file);
    const form = this.#form;
    if (!form) return;
    const { size } = await file.stat();
    const window = Buffer.alloc(Math.min(windowBytes, Math.max(0, size - this.#end)));
    let from = this.#end;
    let held = 0;
    while (this.#end + recordHeaderBytes <= size) {
      if (this.#end + recordHeaderBytes > from + held) {
        from = this.#end;
        ({ bytesRead: held } = await file.read(window, 0, window.length, from));
        if (held < recordHeaderBytes) return;
      }
      const kept = read32(window, this.#end - from + 8, form);
      const next = this.#end + recordHeaderBytes + kept;
      if (kept > maxFrameBytes || next > size) return;
      this.#records.push(this.#end);
      this.#end = next;
    }
  }

  #withFile<T>(action: (file: FileHandle) => Promise<T>, flags = 'r'): Promise<T> {
    const turn = this.#last.then(() => this.#openFor(action, flags));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #openFor<T>(action: (file: FileHandle) => Promise<T>, flags: string): Promise<T> {
    const file = await this.#open(flags);
    try {
      return await action(file);
    } finally {
      await file.close();
    }
  }
}

async function readForm(file: FileHandle): Promise<Form | undefined> {
  const header = Buffer.alloc(fileHeaderBytes);
  const { bytesRead } = await file.read(header, 0, fileHeaderBytes, 0);
  if (bytesRead < fileHeaderBytes) return undefined;
  for (const littleEndian of [true, false]) {
    const magic = read32(header, 0, { littleEndian });
    if (magic === microsecondMagic) return { littleEndian, perMs: 1000 };
    if (magic === nanosecondMagic) return { littleEndian, perMs: 1_000_000 };
  }
  return undefined;
}

function restamp(stamp: Buffer, corrected: (stampMs: number) => number, form: Form): void {
  const micros = Math.round(corrected(stampOf(stamp, form)) * 1000);
  write32(stamp, 0, Math.floor(micros / 1_000_000), form);
  write32(stamp, 4, (micros % 1_000_000) * (form.perMs / 1000), form);
}

function stampOf(header: Buffer, form: Form): number {
  return read32(header, 0, form) * 1000 + read32(header, 4, form) / form.perMs;
}

function read32(bytes: Buffer, at: number, { littleEndian }: Pick<Form, 'littleEndian'>): number {
  return littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
}

function write32(bytes: Buffer, at: number, value: number, { littleEndian }: Form): void {
  if (littleEndian) bytes.writeUInt32LE(value >>> 0, at);
  else bytes.writeUInt32BE(value >>> 0, at);
}
