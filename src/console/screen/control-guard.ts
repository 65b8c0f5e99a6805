/** How many cells, lines or stops the counts of a control sequence may reach. */
export interface GuardSize {
  readonly columns: number;
  readonly rows: number;
}

const maxStringChars = 64 * 1024;
const maxSequenceChars = 1024;
/** A repeated character may fill a usual screen, not a huge one: 4 bytes must not cost 100,000 cells again and again. */
const maxRepeats = 4096;

type State = 'text' | 'escape' | 'intermediate' | 'csi' | 'csi-ignore' | 'osc' | 'string';

/**
 * Takes from a guest's output what stalls a terminal emulator: counts far beyond the screen and strings without end.
 * All else passes unchanged, in order. What is incomplete waits for the next piece.
 */
export class ControlGuard {
  #state: State = 'text';
  /** The control sequence begun and not yet passed on. */
  #held = '';
  #stringChars = 0;

  reset(): void {
    this.#state = 'text';
    this.#held = '';
    this.#stringChars = 0;
  }

  pass(input: string, size: GuardSize): string {
    let out = '';
    let at = 0;
    while (at < input.length) {
      if (this.#state === 'text') {
        const next = nextIntroducer(input, at);
        out += input.slice(at, next);
        at = next;
        if (at === input.length) break;
      }
      out += this.#take(input[at] ?? '', size);
      at += 1;
    }
    return out;
  }

  #take(char: string, size: GuardSize): string {
    const code = char.charCodeAt(0);
    if (isIntroducer(code)) return this.#begin(char, code);
    if (code === 0x18 || code === 0x1a) return this.#finish(char);
    switch (this.#state) {
      case 'text':
        return char;
      case 'escape':
        return this.#escape(char, code);
      case 'intermediate':
        return code >= 0x30 && code !== 0x7f ? this.#finish(char) : char;
      case 'csi':
        return this.#csi(char, code, size);
      case 'csi-ignore':
        if (code < 0x20) return char;
        return code >= 0x40 && code !== 0x7f ? this.#finish('') : '';
      case 'osc':
        return code === 0x07 || code === 0x9c ? this.#finish(char) : this.#string(char);
      case 'string':
        return code === 0x9c ? this.#finish(char) : this.#string(char);
    }
  }

  /** ESC or a C1 introducer: ends whatever was open, as in the terminal itself. */
  #begin(char: string, code: number): string {
    // An ESC that ends a string has to reach the terminal even when the sequence it begins never ends.
    const abandoned = this.#state === 'osc' || this.#state === 'string';
    if (code === 0x1b) {
      this.#state = 'escape';
      this.#held = abandoned ? '' : char;
      return abandoned ? char : '';
    }
    if (code === 0x9b) {
      this.#state = 'csi';
      this.#held = char;
      return '';
    }
    this.#state = code === 0x9d ? 'osc' : 'string';
    this.#held = '';
    this.#stringChars = 0;
    return char;
  }

  #escape(char: string, code: number): string {
    // A control character inside a sequence acts at once; the sequence goes on.
    if (code < 0x20) return char;
    if (char === '[') {
      this.#state = 'csi';
      this.#held = `\x1b${char}`;
      return '';
    }
    if (code === 0x7f) return '';
    const held = this.#held;
    this.#held = '';
    this.#stringChars = 0;
    this.#state = code <= 0x2f ? 'intermediate' : char === ']' ? 'osc' : 'PX^_'.includes(char) ? 'string' : 'text';
    return held + char;
  }

  #csi(char: string, code: number, size: GuardSize): string {
    if (code < 0x20) return char;
    // Ignored by the terminal, so it would hide the length of a number from us.
    if (code === 0x7f) return '';
    if (code > 0x7f) return this.#finish(this.#held + char);
    if (code >= 0x40) return this.#finish(clamped(this.#held, char, size));
    this.#held += char;
    if (this.#held.length > maxSequenceChars) {
      this.#held = '';
      this.#state = 'csi-ignore';
    }
    return '';
  }

  #string(char: string): string {
    this.#stringChars += 1;
    return this.#stringChars > maxStringChars ? '' : char;
  }

  #finish(out: string): string {
    this.#state = 'text';
    this.#held = '';
    return out;
  }
}

function clamped(held: string, final: string, size: GuardSize): string {
  const limit = countLimit(final, size);
  if (limit === undefined) return held + final;
  return held.replace(/\d+/g, (digits) => (Number(digits) > limit ? String(limit) : digits)) + final;
}

/** The largest count that still makes a difference; nothing for finals whose count the terminal bounds on its own. */
export function countLimit(final: string, size: GuardSize): number | undefined {
  switch (final) {
    case 'L':
    case 'M':
    case 'S':
    case 'T':
      return size.rows;
    case 'I':
    case 'Z':
      return size.columns;
    case 'b':
      return Math.min(size.columns * size.rows, maxRepeats);
    default:
      return undefined;
  }
}

function nextIntroducer(input: string, from: number): number {
  for (let at = from; at < input.length; at += 1) if (isIntroducer(input.charCodeAt(at))) return at;
  return input.length;
}

/** ESC, and the C1 forms of DCS, SOS, CSI, OSC, PM and APC. */
function isIntroducer(code: number): boolean {
  return code === 0x1b || code === 0x90 || code === 0x98 || code === 0x9b || (code >= 0x9d && code <= 0x9f);
}
