import { execFile } from 'node:child_process';
import { constants, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BlockLines, type InstructionListener } from '../translated/block-lines.ts';
import { ExceptionLog } from './exception-log.ts';
import { faultAddress, field, isFirmware } from './fault-registers.ts';
import { TraceLines } from './trace-lines.ts';

/** A processor of a PC that could not deliver an exception, nor the one about that, and so reset itself. */
export interface TripleFault {
  /** The linear address of the instruction. */
  readonly address: bigint;
  /** Where the last page fault was; 0 if there was none. */
  readonly cr2: bigint;
  /** `IDT=     00000000 00000000`: base and limit of the table that did not lead anywhere. */
  readonly idt: string;
  /** The registers as QEMU wrote them. */
  readonly registers: string;
}

const keptChars = 64 * 1024;
const faultMark = 'Triple fault\n';
/** The last line of what is parsed. */
const faultEnd = /^EFER=.*\n/m;
const maxFaultChars = 8192;

/** No log of QEMU has these letters; the guest's text is not in it. */
const markForm = /\0(\d+)\0/g;
const syncMs = 2000;
/** Longer lines are no exceptions. */
const maxLineChars = 1024;

/** What QEMU writes about itself and the guest (`-d`): the end of it, and what it says of triple faults. */
export class QemuLog {
  #text = '';
  /** From a fault on, as long as its registers are not complete. */
  #fault: string | undefined;
  #onFault: (fault: TripleFault) => void = () => {};
  #onBytes: (bytes: Uint8Array) => void = () => {};
  /** Translated blocks, while somebody wants them. */
  #blocks: BlockLines | undefined;
  readonly #showsBlocks: boolean;
  #traces: TraceLines | undefined;
  #line = '';
  #fd: number | undefined;
  #marks = 0;
  readonly #waiting = new Map<number, () => void>();
  /** The beginning of a mark. */
  #held = '';
  readonly exceptions = new ExceptionLog();

  /** Where QEMU writes it; undefined where there cannot be such a place. */
  readonly path: string | undefined;
  #pipe: Socket | undefined;

  /** A pipe with a name: a file would grow without end. Whatever QEMU writes goes there, from one process to the next. */
  static async open(path: string, showsBlocks = false): Promise<QemuLog> {
    try {
      await promisify(execFile)('mkfifo', ['-m', '600', path]);
      // Also for writing, so that it does not end with a process.
      const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
      return new QemuLog(path, new Socket({ fd, readable: true, writable: false }), fd, showsBlocks);
    } catch {
      // Without it a machine is what it was before there were logs.
      return new QemuLog();
    }
  }

  constructor(path?: string, pipe?: Socket, fd?: number, showsBlocks = false) {
    this.#showsBlocks = showsBlocks;
    this.path = path;
    this.#pipe = pipe;
    this.#fd = fd;
    pipe?.on('error', () => {});
    pipe?.setEncoding('latin1').on('data', (text: string) => this.#arrived(text));
  }

  /** Resolves when everything that QEMU had written has been read: a mark of ours comes after it. */
  async synced(): Promise<void> {
    if (this.#fd === undefined || !this.#pipe) return;
    const id = ++this.#marks;
    const end = performance.now() + syncMs;
    const read = new Promise<void>((resolve) => this.#waiting.set(id, resolve));
    while (!this.#mark(id)) {
      if (performance.now() > end) break;
      await setImmediate();
    }
    await Promise.race([read, setTimeout(syncMs, undefined, { ref: false })]);
    this.#waiting.delete(id);
  }

  /** False while the pipe is full. */
  #mark(id: number): boolean {
    try {
      writeSync(this.#fd ?? -1, `\0${id}\0`);
      return true;
    } catch {
      return false;
    }
  }

  #arrived(text: string): void {
    const all = this.#held + text;
    // A mark may come in two pieces.
    const open = /\0\d*$/.exec(all.replaceAll(markForm, ''))?.[0] ?? '';
    this.#held = open;
    const whole = open === '' ? all : all.slice(0, -open.length);
    const plain = whole.replaceAll(markForm, '');
    const others = this.#blocks?.take(plain);
    const rest = this.#showsBlocks ? plain : (others ?? plain);
    const shown = this.#traces?.take(rest) ?? rest;
    if (shown !== '') {
      this.#onBytes(Buffer.from(shown, 'latin1'));
      this.take(shown);
    }
    for (const [, id] of whole.matchAll(markForm)) this.#waiting.get(Number(id))?.();
  }

  close(): void {
    this.#pipe?.destroy();
    this.#pipe = undefined;
    this.#fd = undefined;
  }

  /** The end of it. */
  tail(chars: number): string {
    return this.#text.slice(-Math.min(chars, keptChars));
  }

  onTripleFault(listener: (fault: TripleFault) => void): void {
    this.#onFault = listener;
  }

  /** Whoever shows it as it comes. */
  onBytes(listener: (bytes: Uint8Array) => void): void {
    this.#onBytes = listener;
  }

  /** Whoever wants to know each line of these tracepoints, which are on. */
  onTrace(names: readonly string[], listener: (line: string) => void): void {
    this.#traces = new TraceLines(names, listener);
  }

  /** Whoever wants to know each instruction that is translated, `-d in_asm` being on. */
  onInstruction(listener: InstructionListener | undefined): void {
    this.#blocks = listener && new BlockLines(listener);
  }

  take(text: string): void {
    this.#lines(text);
    // A mark may come in two pieces.
    const seam = this.#text.slice(-faultMark.length + 1);
    this.#text = (this.#text + text).slice(-keptChars);
    let rest = this.#fault === undefined ? seam + text : text;
    while (rest !== '') {
      if (this.#fault === undefined) {
        const at = rest.indexOf(faultMark);
        if (at < 0) return;
        this.#fault = '';
        rest = rest.slice(at + faultMark.length);
      }
      const so = this.#fault + rest;
      const end = faultEnd.exec(so);
      if (!end && so.length < maxFaultChars) {
        this.#fault = so;
        return;
      }
      this.#fault = undefined;
      const cut = end ? end.index + end[0].length : so.length;
      this.#tell(so.slice(0, cut));
      rest = so.slice(cut);
    }
  }

  #lines(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = (lines.pop() ?? '').slice(0, maxLineChars);
    for (const line of lines) this.exceptions.line(line);
  }

  #tell(registers: string): void {
    const address = faultAddress(registers);
    if (address === undefined || isFirmware(address)) return;
    const idt = /^IDT=\s*(.*)$/m.exec(registers)?.[1]?.trim() ?? '';
    this.#onFault({ address, cr2: field(registers, /\bCR2=([0-9a-f]+)/) ?? 0n, idt, registers });
  }
}
