/** An instruction of a block that QEMU has translated; the address in two halves. */
export type InstructionListener = (high: number, low: number, content: number, bytes: number) => void;

const blockStart = '----------------';
const contentStart = 'IN:';
/** A line of QEMU's disassembler is shorter. */
const maxLineChars = 1024;
const [space, colon, zero, x] = [0x20, 0x3a, 0x30, 0x78];

/**
 * Takes the blocks of `-d in_asm` out of a log. Each is a line of dashes, `IN:`, one line per instruction with its
 * address and, on most processors, its bytes, and an empty line.
 */
export class BlockLines {
  readonly #listener: InstructionListener;
  /** The beginning of a line. */
  #held = '';
  #place: 'outside' | 'begun' | 'inside' = 'outside';
  /** The instruction whose length is not yet known. */
  #open = false;
  #high = 0;
  #low = 0;
  #content = 0;
  #bytes = 0;

  constructor(listener: InstructionListener) {
    this.#listener = listener;
  }

  /** What is not part of a block. */
  take(text: string): string {
    const all = this.#held + text;
    let rest = '';
    let from = 0;
    for (;;) {
      const end = all.indexOf('\n', from);
      if (end < 0) break;
      if (!this.#line(all, from, end)) rest += this.#leave(all.slice(from, end + 1));
      from = end + 1;
    }
    this.#held = all.slice(from);
    if (this.#held.length <= maxLineChars) return rest;
    const long = this.#held;
    this.#held = '';
    return rest + this.#leave(long);
  }

  /** A line that is none of ours ends a block, and the dashes before it were not its beginning. */
  #leave(line: string): string {
    const dashes = this.#place === 'begun' ? `${blockStart}\n` : '';
    this.#tell(undefined);
    this.#place = 'outside';
    return dashes + line;
  }

  #line(all: string, from: number, end: number): boolean {
    if (this.#place === 'outside') {
      if (end - from !== blockStart.length || !all.startsWith(blockStart, from)) return false;
      this.#place = 'begun';
      return true;
    }
    if (this.#place === 'begun') {
      if (!all.startsWith(contentStart, from)) return false;
      this.#place = 'inside';
      return true;
    }
    if (end === from) {
      this.#tell(undefined);
      this.#place = 'outside';
      return true;
    }
    if (all.charCodeAt(from) === zero && all.charCodeAt(from + 1) === x) this.#instruction(all, from + 2, end);
    // Anything else is about the block: `Priv: 3; Virt: 0`.
    return true;
  }

  #instruction(all: string, from: number, end: number): void {
    let at = from;
    let high = 0;
    let low = 0;
    for (; at < end; at++) {
      const digit = hexDigit(all.charCodeAt(at));
      if (digit < 0) break;
      high = ((high << 4) | (low >>> 28)) >>> 0;
      low = ((low << 4) | digit) >>> 0;
    }
    if (at === from || all.charCodeAt(at) !== colon) return;
    do at++;
    while (all.charCodeAt(at) === space);
    const start = at;
    let digits = 0;
    let content = 0x811c9dc5;
    for (; at < end; at++) {
      const code = all.charCodeAt(at);
      if (hexDigit(code) >= 0) {
        digits++;
        content = Math.imul(content ^ code, 0x01000193) >>> 0;
      } else if (code !== space || hexDigit(all.charCodeAt(at + 1)) < 0) break;
    }
    const code = all.charCodeAt(at);
    const isBytes = digits > 0 && digits % 2 === 0 && (at >= end || code === space);
    // The bytes of a long instruction go on in lines of their own, without a text.
    if (isBytes && this.#open && all.slice(at, end).trim() === '') {
      this.#bytes += digits / 2;
      this.#content = Math.imul(this.#content ^ content, 0x01000193) >>> 0;
      return;
    }
    this.#tell({ high, low });
    this.#open = true;
    this.#high = high;
    this.#low = low;
    this.#content = isBytes ? content : hashOf(all, start, end);
    this.#bytes = isBytes ? digits / 2 : 0;
  }

  /** Where QEMU shows no bytes, the next instruction tells how long this one is; of the last nothing is known. */
  #tell(next: { readonly high: number; readonly low: number } | undefined): void {
    if (!this.#open) return;
    this.#open = false;
    const distance = next && next.high === this.#high ? next.low - this.#low : 0;
    const bytes = this.#bytes > 0 ? this.#bytes : distance > 0 && distance < 32 ? distance : 1;
    this.#listener(this.#high, this.#low, this.#content, Math.min(bytes, 255));
  }
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

function hashOf(text: string, from: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
