/**
 * What a byte is to the sequence in progress: part of it, its last one, a control character that acts although the
 * sequence goes on (as terminals do it), or the first byte behind it.
 */
export type EscapeVerdict = 'inside' | 'last' | 'control' | 'behind';

type State = 'escape' | 'intermediate' | 'csi' | 'osc-start' | 'palette' | 'osc' | 'dcs' | 'string';

/** A sequence that goes on for longer than this is noise: what follows is shown again. */
const maxCsiBytes = 4096;
const maxStringBytes = 1_048_576;

/** Recognises one escape sequence at a time, however it is cut into chunks. Keeps no payload. */
export class EscapeParser {
  #state: State | undefined;
  #bytes = 0;
  #endsAtLineFeed = false;
  /** Continuation bytes a UTF-8 character in the payload still needs: 0x9c may be one of them instead of ST. */
  #continuations = 0;
  #parameters = '';
  #paletteDigits = 0;
  #command: { readonly final: string; readonly parameters: string } | undefined;

  get active(): boolean {
    return this.#state !== undefined;
  }

  /** The control sequence (`CSI … final`) that the last `last` completed. */
  get command(): { readonly final: string; readonly parameters: string } | undefined {
    return this.#command;
  }

  /** Takes ESC or an 8-bit introducer; false when the byte is neither. */
  start(byte: number): boolean {
    const state = introducers.get(byte);
    if (state === undefined) return false;
    this.#enter(state, byte !== 0x1b);
    return true;
  }

  abort(): void {
    this.#state = undefined;
  }

  feed(byte: number): EscapeVerdict {
    this.#bytes++;
    if (byte === 0x1b) {
      this.#enter('escape', false);
      return 'inside';
    }
    if (byte === 0x18 || byte === 0x1a) return this.#leave('last');
    switch (this.#state) {
      case 'csi':
        return this.#feedCsi(byte);
      case 'escape':
      case 'intermediate':
        return this.#feedEscape(byte);
      default:
        return this.#feedString(byte);
    }
  }

  #feedEscape(byte: number): EscapeVerdict {
    if (byte < 0x20) return 'control';
    if (byte >= 0x80) return this.#leave('behind');
    if (byte === 0x7f) return 'inside';
    if (byte < 0x30) {
      this.#state = 'intermediate';
      return this.#bytes > maxCsiBytes ? this.#leave('behind') : 'inside';
    }
    const next = this.#state === 'escape' ? introducers.get(byte + 0x40) : undefined;
    if (next === undefined) return this.#leave('last');
    this.#enter(next, false);
    return 'inside';
  }

  #feedCsi(byte: number): EscapeVerdict {
    if (byte < 0x20) return 'control';
    if (byte >= 0x80 || this.#bytes > maxCsiBytes) return this.#leave('behind');
    if (byte === 0x7f) return 'inside';
    if (byte < 0x40) {
      if (this.#parameters.length < 16) this.#parameters += String.fromCharCode(byte);
      return 'inside';
    }
    this.#command = { final: String.fromCharCode(byte), parameters: this.#parameters };
    return this.#leave('last');
  }

  #feedString(byte: number): EscapeVerdict {
    if (byte === 0x0a && this.#endsAtLineFeed) return this.#leave('behind');
    if (this.#bytes > maxStringBytes) return this.#leave('behind');
    if (this.#state === 'osc-start') {
      // The Linux console's palette commands have no terminator: ESC ] R, and ESC ] P with seven digits.
      if (byte === 0x52) return this.#leave('last');
      this.#state = byte === 0x50 ? 'palette' : 'osc';
      this.#paletteDigits = 0;
    } else if (this.#state === 'palette') {
      if (!isHexDigit(byte)) this.#state = 'osc';
      else if (++this.#paletteDigits === 7) return this.#leave('last');
    }
    if (byte === 0x07 && this.#state === 'osc') return this.#leave('last');
    return this.#isTerminator(byte) ? this.#leave('last') : 'inside';
  }

  #isTerminator(byte: number): boolean {
    if (byte >= 0x80 && byte < 0xc0) {
      if (this.#continuations === 0) return byte === 0x9c;
      this.#continuations--;
      return false;
    }
    this.#continuations = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0;
    return false;
  }

  #enter(state: State, eightBit: boolean): void {
    this.#state = state;
    this.#bytes = 0;
    // Sixel pictures (DCS) contain line feeds; in anything else, or behind a stray 8-bit byte, one means noise.
    this.#endsAtLineFeed = eightBit || state !== 'dcs';
    this.#continuations = 0;
    this.#parameters = '';
    this.#command = undefined;
  }

  #leave(verdict: EscapeVerdict): EscapeVerdict {
    this.#state = undefined;
    return verdict;
  }
}

/** ESC and the 8-bit introducers; their 7-bit forms are ESC and the byte less 0x40. */
const introducers: ReadonlyMap<number, State> = new Map<number, State>([
  [0x1b, 'escape'],
  [0x90, 'dcs'],
  [0x98, 'string'],
  [0x9b, 'csi'],
  [0x9d, 'osc-start'],
  [0x9e, 'string'],
  [0x9f, 'string'],
]);

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
