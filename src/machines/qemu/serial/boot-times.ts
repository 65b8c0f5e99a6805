import type { BootCapability, BootLine, BootLog } from '../../../machine/boot.ts';

export const maxLines = 4096;
const maxLineBytes = 240;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];

interface OpenLine {
  readonly bytes: number[];
  readonly guestMs: number;
  readonly hostMs: number;
}

/** Notes the time of each line on the consoles of a guest, from its start on. */
export class BootTimes implements BootCapability {
  readonly #now: () => { readonly guestMs: number; readonly hostMs: number };
  #began: { readonly guestMs: number; readonly hostMs: number } | undefined;
  #lines: BootLine[] = [];
  #isCut = false;
  readonly #open = new Map<string, OpenLine>();

  constructor(now: () => { readonly guestMs: number; readonly hostMs: number }) {
    this.#now = now;
  }

  /** Another start: what came before belongs to none, and time counts from when it next runs. */
  begin(): void {
    this.#lines = [];
    this.#open.clear();
    this.#isCut = false;
    this.#began = undefined;
  }

  /** It runs. */
  ran(): void {
    this.#began ??= this.#now();
  }

  take(console: string, bytes: Uint8Array): void {
    if (this.#isCut) return;
    let open = this.#open.get(console);
    for (const byte of bytes) {
      if (byte === lineFeed) {
        if (open) this.#lines.push({ console, ...open, bytes: Uint8Array.from(open.bytes) });
        open = undefined;
        this.#isCut = this.#lines.length >= maxLines;
        if (this.#isCut) break;
      } else if (byte !== carriageReturn) {
        open ??= { bytes: [], ...this.#sinceStart() };
        if (open.bytes.length < maxLineBytes) open.bytes.push(byte);
      }
    }
    if (open) this.#open.set(console, open);
    else this.#open.delete(console);
  }

  read(): BootLog {
    const open = Array.from(this.#open, ([console, line]) => ({
      console,
      ...line,
      bytes: Uint8Array.from(line.bytes),
    }));
    const lines = [...this.#lines, ...open].sort((a, b) => a.hostMs - b.hostMs);
    return { lines, isCut: this.#isCut };
  }

  #sinceStart() {
    const now = this.#now();
    const began = this.#began ?? now;
    return { guestMs: now.guestMs - began.guestMs, hostMs: now.hostMs - began.hostMs };
  }
}
