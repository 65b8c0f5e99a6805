import { controlBreak, waiting } from '../signals.ts';
import type { CharacterPort, Console, Key } from '../wiring.ts';
import { type AnsiState, ansiWrite, newAnsiState } from './ansi.ts';
import type { ConsoleHooks } from './console-hooks.ts';
import { type EditState, editByte, startEdit } from './line-editor.ts';

const controlC = 3;
const controlP = 16;
const controlZ = 26;
/** What DOS takes of a line typed at a read. */
const lineLimit = 126;

export interface ConsoleState {
  column: number;
  /** Bytes of keys already taken from the keyboard. */
  typed: number[];
  edit: EditState | undefined;
  /** Of the last line read by handle: what the next read gets, and what F3 brings back. */
  line: number[];
  lastLine: number[];
  /** Bytes of an unfinished read in raw mode. */
  raw: number[];
  printerEcho: boolean;
  breakPending: boolean;
  ansi: AnsiState;
  /** What a hooked INT 16h said of the next key, for the rest of the call. */
  status: { readonly key: Key | undefined } | undefined;
  /** A flush has begun and hooked interrupts have more keys. */
  flushing: boolean;
}

/** A device other than the console that lines are typed at. */
export interface LineSource {
  /** Throws where it must be waited for; undefined at the end. */
  next(): number | undefined;
  echo(byte: number): void;
  /** The byte given last has had its effect. */
  taken(): void;
}

/** The CON device: escape sequences and columns on the way out, bytes and edited lines on the way in. */
export class ConsoleDevice {
  readonly #console: Console;
  readonly #hooks: ConsoleHooks;
  readonly #printer: () => CharacterPort | undefined;
  #state = newState();

  constructor(console: Console, hooks: ConsoleHooks, printer: () => CharacterPort | undefined) {
    this.#console = console;
    this.#hooks = hooks;
    this.#printer = printer;
  }

  /** As it is, except for escape sequences: INT 29h, by its vector only where that is a program's. */
  writeRaw(byte: number): void {
    if (this.#hooks.mayPutOut(byte)) this.putOut(byte, this.#console);
    else this.#hooks.output(byte);
  }

  /** What the kernel's own INT 29h does. */
  putOut(byte: number, console: Console = this.#console): void {
    ansiWrite(this.#state.ansi, console, byte);
  }

  /** With tabs as spaces, and copied to the printer after Ctrl-P. */
  write(byte: number): void {
    if (byte === 9) {
      do this.write(0x20);
      while (this.#state.column & 7);
      return;
    }
    if (byte === 13) this.#state.column = 0;
    else if (byte === 8) this.#state.column = Math.max(0, this.#state.column - 1);
    else if (byte >= 0x20) this.#state.column = (this.#state.column + 1) % this.#console.screen.columns;
    this.writeRaw(byte);
    if (this.#state.printerEcho) this.#printer()?.write(byte);
  }

  /** Whether a byte could be read. Throws where Ctrl-C waits and `check` is asked for. */
  ready(check: boolean): boolean {
    const next = this.#peekByte();
    if (check && (next === controlC || this.#state.breakPending)) this.#break();
    return next !== undefined;
  }

  /** One byte, not shown. */
  read(check: boolean): number {
    const byte = this.#nextByte(check);
    if (byte === undefined) throw waiting;
    return byte;
  }

  tryRead(): number | undefined {
    return this.#nextByte(false);
  }

  /** Somebody has typed a part of a line. */
  get isEditing(): boolean {
    const { edit } = this.#state;
    return edit !== undefined && (edit.text.length > 0 || edit.pending !== 'none');
  }

  /** A line without its end, edited over the template. */
  readLine(limit: number, template: readonly number[], source?: LineSource): number[] {
    this.#state.edit ??= startEdit(limit, [...template], this.#state.column);
    const { edit } = this.#state;
    if (source !== undefined) return this.#readFrom(source, edit);
    for (;;) {
      const byte = this.#nextByte(edit.pending === 'none');
      if (byte === undefined) throw waiting;
      if (byte === controlP && edit.pending === 'none') this.#state.printerEcho = !this.#state.printerEcho;
      else if (editByte(edit, byte, (shown) => this.write(shown))) {
        this.#state.edit = undefined;
        return edit.text;
      }
    }
  }

  /** Up to `count` bytes of a line with CR LF after it; none when the line starts with Ctrl-Z. */
  readCooked(count: number, source?: LineSource): Uint8Array {
    if (this.#state.line.length === 0) {
      const text = this.readLine(lineLimit, this.#state.lastLine, source);
      if (source === undefined) this.write(10);
      else source.echo(10);
      this.#state.lastLine = text;
      const end = text.indexOf(controlZ);
      this.#state.line = end < 0 ? [...text, 13, 10] : text.slice(0, end);
    }
    return Uint8Array.from(this.#state.line.splice(0, count));
  }

  readRaw(count: number): Uint8Array {
    const { raw } = this.#state;
    while (raw.length < count) {
      const byte = this.#nextByte(false);
      if (byte === undefined) throw waiting;
      raw.push(byte);
    }
    return Uint8Array.from(raw.splice(0));
  }

  /** True while a flush waits for interrupts of the guest: it must be called again. */
  get flushing(): boolean {
    return this.#state.flushing;
  }

  flush(): void {
    this.#state.flushing = true;
    do {
      this.#state.typed = [];
      this.#state.line = [];
      this.#state.ansi.answers = [];
    } while (this.#pollKey() !== undefined);
    this.#state.flushing = false;
  }

  /** A hooked INT 16h has said whether there is a key. */
  keyStatus(key: Key | undefined): void {
    this.#state.status = { key };
  }

  /** A hooked INT 16h has given a key. */
  keyTaken(key: Key): void {
    this.#state.status = undefined;
    if (!isBreakMark(key)) this.#state.typed.push(...this.#bytesOf(key));
  }

  /** The call that asked for it is over. */
  forgetStatus(): void {
    if (this.#state.status !== undefined) this.#state.status = undefined;
  }

  /** Ctrl-Break was pressed: the next check finds it. */
  signalBreak(): void {
    this.#state.breakPending = true;
  }

  /** A process ended: what it was about to read is nobody's. */
  forgetUnfinished(): void {
    this.#state.flushing = false;
    this.#state.edit = undefined;
    this.#state.raw = [];
  }

  reset(): void {
    this.#state = newState();
  }

  save(): ConsoleState {
    return structuredClone(this.#state);
  }

  restore(saved: ConsoleState): void {
    this.#state = structuredClone(saved);
  }

  #readFrom(source: LineSource, edit: EditState): number[] {
    for (;;) {
      const byte = source.next();
      const ended = byte === undefined || editByte(edit, byte, (shown) => source.echo(shown));
      source.taken();
      if (!ended) continue;
      this.#state.edit = undefined;
      return edit.text;
    }
  }

  #break(): never {
    this.#state.breakPending = false;
    if (this.#peekByte() === controlC) this.#take();
    this.#state.edit = undefined;
    throw controlBreak;
  }

  #nextByte(check: boolean): number | undefined {
    if (check && (this.#state.breakPending || this.#peekByte() === controlC)) this.#break();
    return this.#take();
  }

  /** Leaves keys in the keyboard's own buffer, where INT 16h may find them. */
  #peekByte(): number | undefined {
    const { typed, ansi } = this.#state;
    const waitingByte = typed[0] ?? ansi.answers[0];
    if (waitingByte !== undefined) return waitingByte;
    const key = this.#peekKey();
    return key && this.#bytesOf(key)[0];
  }

  #take(): number | undefined {
    const { typed, ansi } = this.#state;
    const waitingByte = typed.shift() ?? ansi.answers.shift();
    if (waitingByte !== undefined) return waitingByte;
    const key = this.#pollKey();
    if (key === undefined) return undefined;
    typed.push(...this.#bytesOf(key));
    return typed.shift();
  }

  #peekKey(): Key | undefined {
    if (this.#hooks.keysHooked()) {
      const { key } = this.#state.status ?? this.#hooks.askStatus();
      return key !== undefined && isBreakMark(key) ? this.#hooks.askKey() : key;
    }
    for (;;) {
      const key = this.#console.peek();
      if (key === undefined || !isBreakMark(key)) return key;
      this.#console.poll();
    }
  }

  #pollKey(): Key | undefined {
    const key = this.#peekKey();
    if (key === undefined) return undefined;
    return this.#hooks.keysHooked() ? this.#hooks.askKey() : this.#console.poll();
  }

  #bytesOf(key: Key): readonly number[] {
    const extended = key.ascii === 0 || (key.ascii === 0xe0 && key.scan !== 0);
    const code = extended ? 256 + key.scan : key.ascii;
    const redefined = this.#state.ansi.keys.find(([known]) => known === code)?.[1];
    return redefined ?? (extended ? [0, key.scan] : [key.ascii]);
  }
}

/** The word that the BIOS leaves in the buffer after Ctrl-Break; it is no key. */
function isBreakMark({ ascii, scan }: Key): boolean {
  return ascii === 0 && scan === 0;
}

function newState(): ConsoleState {
  return {
    column: 0,
    typed: [],
    edit: undefined,
    line: [],
    lastLine: [],
    raw: [],
    printerEcho: false,
    breakPending: false,
    ansi: newAnsiState(),
    status: undefined,
    flushing: false,
  };
}
