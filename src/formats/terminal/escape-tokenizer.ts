import { Utf8Progress } from './utf8-progress.ts';

/**
 * What a byte is to the sequence in progress: part of it, its last one, one that calls it off, a control character that
 * acts although the sequence goes on (as terminals do it), or the first byte after it.
 */
export type EscapeVerdict = 'inside' | 'last' | 'cancelled' | 'control' | 'after';

export type EscapeKind = 'escape' | 'csi' | 'string';

/** Where those who read sequences differ. */
export interface EscapeRules {
  /** A sequence that is too long, or a string with a line feed, is noise: what follows is text again. */
  readonly givesUp: boolean;
  /** `ESC ] R`, and `ESC ] P` with seven digits: the Linux console's palette commands have no end mark. */
  readonly linuxPalette: boolean;
  /** `ESC k` begins a title, as in screen and tmux. */
  readonly screenTitles: boolean;
  /** BEL ends every string, and not only an OSC. */
  readonly bellEndsAll: boolean;
}

/** For text that somebody reads: nothing may hide for long. */
export const readerRules: EscapeRules = {
  givesUp: true,
  linuxPalette: true,
  screenTitles: false,
  bellEndsAll: false,
};

/** For what goes to a person's terminal, of whatever make: nothing of a sequence may get through. */
export const terminalRules: EscapeRules = {
  givesUp: false,
  linuxPalette: false,
  screenTitles: true,
  bellEndsAll: true,
};

type State = 'escape' | 'intermediate' | 'csi' | 'osc-start' | 'palette' | 'osc' | 'dcs' | 'string';

const maxSequenceBytes = 4096;
const maxStringBytes = 1_048_576;
/** Of the parameters that `command` tells. */
const maxParameters = 16;

const bel = 0x07;
const lineFeed = 0x0a;
const can = 0x18;
const sub = 0x1a;
const esc = 0x1b;
const del = 0x7f;
const stringTerminator = 0x9c;
const titleLetter = 0x6b;

/** Recognises one escape sequence at a time, however it is cut into chunks. Keeps no payload. */
export class EscapeTokenizer {
  readonly #rules: EscapeRules;
  readonly #utf8 = new Utf8Progress();
  #active = false;
  #state: State = 'escape';
  #bytes = 0;
  #endsAtLineFeed = false;
  #parameters = '';
  #paletteDigits = 0;
  #command: { readonly final: string; readonly parameters: string } | undefined;

  constructor(rules: EscapeRules) {
    this.#rules = rules;
  }

  get active(): boolean {
    return this.#active;
  }

  /** Of the sequence in progress, or of the last one. */
  get kind(): EscapeKind {
    if (this.#state === 'escape' || this.#state === 'intermediate') return 'escape';
    return this.#state === 'csi' ? 'csi' : 'string';
  }

  /** The control sequence (`CSI … final`) that the last `last` completed. */
  get command(): { readonly final: string; readonly parameters: string } | undefined {
    return this.#command;
  }

  /** Takes ESC or an 8-bit introducer; false when the byte is neither. */
  start(byte: number): boolean {
    const state = introducers.get(byte);
    if (state === undefined) return false;
    this.#enter(state, byte !== esc);
    return true;
  }

  abort(): void {
    this.#active = false;
  }

  /** ESC is always `inside`: it ends what was open and begins another. */
  feed(byte: number): EscapeVerdict {
    this.#bytes++;
    if (byte === esc) {
      this.#enter('escape', false);
      return 'inside';
    }
    if (byte === can || byte === sub) return this.#leave('cancelled');
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
    if (byte >= 0x80) return this.#leave('after');
    if (byte === del) return 'inside';
    if (byte < 0x30) {
      this.#state = 'intermediate';
      return this.#isTooLong(maxSequenceBytes) ? this.#leave('after') : 'inside';
    }
    const next = this.#state === 'escape' ? this.#introduced(byte) : undefined;
    if (next === undefined) return this.#leave('last');
    this.#enter(next, false);
    return 'inside';
  }

  /** By the 7-bit form of an introducer: the byte less 0x40, after ESC. */
  #introduced(byte: number): State | undefined {
    if (byte === titleLetter && this.#rules.screenTitles) return 'string';
    return introducers.get(byte + 0x40);
  }

  #feedCsi(byte: number): EscapeVerdict {
    if (byte < 0x20) return 'control';
    if (byte >= 0x80 || this.#isTooLong(maxSequenceBytes)) return this.#leave('after');
    if (byte === del) return 'inside';
    if (byte < 0x40) {
      if (this.#parameters.length < maxParameters) this.#parameters += String.fromCharCode(byte);
      return 'inside';
    }
    this.#command = { final: String.fromCharCode(byte), parameters: this.#parameters };
    return this.#leave('last');
  }

  #feedString(byte: number): EscapeVerdict {
    if (byte === lineFeed && this.#endsAtLineFeed) return this.#leave('after');
    if (this.#isTooLong(maxStringBytes)) return this.#leave('after');
    if (this.#rules.linuxPalette && this.#endsPalette(byte)) return this.#leave('last');
    if (byte === bel && (this.#rules.bellEndsAll || this.#isOsc)) return this.#leave('last');
    return this.#isTerminator(byte) ? this.#leave('last') : 'inside';
  }

  get #isOsc(): boolean {
    return this.#state === 'osc' || this.#state === 'osc-start';
  }

  #endsPalette(byte: number): boolean {
    if (this.#state === 'osc-start') {
      if (byte === 0x52) return true;
      this.#state = byte === 0x50 ? 'palette' : 'osc';
      this.#paletteDigits = 0;
    } else if (this.#state === 'palette') {
      if (!isHexDigit(byte)) this.#state = 'osc';
      else if (++this.#paletteDigits === 7) return true;
    }
    return false;
  }

  /** ST as one byte or as U+009C, and not as a part of another character. */
  #isTerminator(byte: number): boolean {
    if (byte < 0x80) this.#utf8.reset();
    else if (this.#utf8.continues(byte)) return false;
    else if (byte >= 0xc0) this.#utf8.start(byte);
    return byte === stringTerminator;
  }

  #isTooLong(most: number): boolean {
    return this.#rules.givesUp && this.#bytes > most;
  }

  #enter(state: State, eightBit: boolean): void {
    this.#active = true;
    this.#state = state;
    this.#bytes = 0;
    // Sixel pictures (DCS) contain line feeds; in anything else, or after a stray 8-bit byte, one means noise.
    this.#endsAtLineFeed = this.#rules.givesUp && (eightBit || state !== 'dcs');
    this.#utf8.reset();
    this.#parameters = '';
    this.#command = undefined;
  }

  #leave(verdict: EscapeVerdict): EscapeVerdict {
    this.#active = false;
    return verdict;
  }
}

/** ESC and the 8-bit introducers. */
const introducers: ReadonlyMap<number, State> = new Map<number, State>([
  [esc, 'escape'],
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
