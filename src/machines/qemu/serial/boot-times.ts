import type { BootCapability, BootLine, BootLog } from '../../../machine/boot.ts';

export const maxLines = 4096;
const maxLineBytes = 240;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];

type Moment = Pick<BootLine, 'guestMs' | 'hostMs' | 'instructions'>;

interface OpenLine extends Moment {
  readonly bytes: number[];
  /** It was kept as it stood when somebody wrote. */
  isAnswered?: boolean;
}

/** Notes the time of each line on the consoles of a guest, from its start on. */
export class BootTimes implements BootCapability {
  readonly #now: () => Moment;
  #began: Moment | undefined;
  #lines: BootLine[] = [];
  /** How many there are of each console: one that talks on and on takes no place from the others. */
  readonly #counts = new Map<string, number>();
  readonly #open = new Map<string, OpenLine>();
  #starts = 0;

  constructor(now: () => Moment) {
    this.#now = now;
  }

  get starts(): number {
    return this.#starts;
  }

  /** Another start: what came before belongs to none, and time counts from when it next runs. */
  begin(): void {
    this.#starts++;
    this.#lines = [];
    this.#open.clear();
    this.#counts.clear();
    this.#began = undefined;
  }

  /** It runs. */
  ran(): void {
    this.#began ??= this.#now();
  }

  take(console: string, bytes: Uint8Array): void {
    if (this.#isFull(console)) return;
    let open = this.#open.get(console);
    for (const byte of bytes) {
      if (byte === lineFeed) {
        if (open) this.#keep(console, open);
        open = undefined;
        if (this.#isFull(console)) break;
      } else if (byte !== carriageReturn) {
        open ??= { bytes: [], ...this.#sinceStart() };
        if (open.bytes.length < maxLineBytes) open.bytes.push(byte);
      }
    }
    if (open) this.#open.set(console, open);
    else this.#open.delete(console);
  }

  /** Somebody writes: a prompt that waits is kept as it stands, for its echo will be on the same line. */
  answered(console: string): void {
    const open = this.#open.get(console);
    if (!open || open.isAnswered || this.#isFull(console)) return;
    open.isAnswered = true;
    this.#keep(console, open);
  }

  read(): BootLog {
    const open = Array.from(this.#open, ([console, line]) => asLine(console, line));
    const lines = [...this.#lines, ...open].sort((a, b) => a.hostMs - b.hostMs);
    return { lines, isCut: [...this.#counts.keys()].some((console) => this.#isFull(console)) };
  }

  #keep(console: string, line: OpenLine): void {
    this.#lines.push(asLine(console, line));
    this.#counts.set(console, (this.#counts.get(console) ?? 0) + 1);
  }

  #isFull(console: string): boolean {
    return (this.#counts.get(console) ?? 0) >= maxLines;
  }

  #sinceStart(): Moment {
    const now = this.#now();
    const began = this.#began ?? now;
    const times = { guestMs: now.guestMs - began.guestMs, hostMs: now.hostMs - began.hostMs };
    return now.instructions === undefined
      ? times
      : { ...times, instructions: now.instructions - (began.instructions ?? 0) };
  }
}

function asLine(console: string, { bytes, isAnswered, ...moment }: OpenLine): BootLine {
  return { console, ...moment, bytes: Uint8Array.from(bytes) };
}
