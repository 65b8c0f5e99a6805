/** Bytes of RFC 854 and options of RFC 856-858. */
const IAC = 255;
const DONT = 254;
const DO = 253;
const WONT = 252;
const WILL = 251;
const SB = 250;
const BRK = 243;
const SE = 240;
const BINARY = 0;
const ECHO = 1;
const SGA = 3;
const NUL = 0;
const LF = 10;
const CR = 13;

/** What we let the other side do, and what we do when it asks. */
const acceptedFromThem: readonly number[] = [BINARY, ECHO, SGA];
const acceptedFromUs: readonly number[] = [BINARY, SGA];

/** An option beyond those, which we offer: what to do with its subnegotiations, and when it is agreed on or refused. */
export interface TelnetOption {
  readonly code: number;
  settled(agreed: boolean): void;
  /** The payload without the option's code. */
  received(payload: Uint8Array): void;
}

/** A subnegotiation that is longer is no subnegotiation: what follows is taken as data again. */
const maxSubnegotiationBytes = 64 * 1024;
/** What is kept of a subnegotiation: those that we understand are shorter. */
const keptSubnegotiationBytes = 256;
/** A peer that haggles on gets no more answers: no loop, no queue that grows. */
const maxReplies = 1024;

type State = 'data' | 'command' | 'option' | 'subnegotiation' | 'subnegotiation-command';

/** Both directions of one telnet connection, as bytes in and bytes out. */
export class TelnetCodec {
  readonly #reply: (bytes: Uint8Array) => void;
  readonly #theirs = new Map<number, boolean>();
  readonly #ours = new Map<number, boolean>();
  #state: State = 'data';
  #verb = 0;
  #subnegotiationBytes = 0;
  #subnegotiation: number[] = [];
  #afterCr = false;
  #replies = 0;
  /** What we proposed ourselves: the other side's agreement needs no answer. */
  readonly #proposed = new Set<string>();

  readonly #offered: TelnetOption | undefined;

  /** `reply` sends the answers to what the other side proposes. */
  constructor(reply: (bytes: Uint8Array) => void, offered?: TelnetOption) {
    this.#reply = reply;
    this.#offered = offered;
  }

  /** Offers the option, and a line that carries every byte both ways. */
  begin(): void {
    if (!this.#offered) return;
    for (const [verb, option] of [
      [WILL, this.#offered.code],
      [WILL, BINARY],
      [DO, BINARY],
      [WILL, SGA],
      [DO, SGA],
    ] as const) {
      this.#proposed.add(`${verb} ${option}`);
      this.#reply(Uint8Array.of(IAC, verb, option));
    }
  }

  /** A subnegotiation of the offered option. */
  subnegotiation(payload: Uint8Array): Uint8Array {
    const escaped = [...payload].flatMap((byte) => (byte === IAC ? [IAC, IAC] : [byte]));
    return Uint8Array.of(IAC, SB, this.#offered?.code ?? 0, ...escaped, IAC, SE);
  }

  static readonly breakCommand: Uint8Array = Uint8Array.of(IAC, BRK);

  /** The data in what arrived. The answer may be `bytes` itself. */
  decode(bytes: Uint8Array): Uint8Array {
    const plain = this.#state === 'data' && !bytes.includes(IAC);
    if (plain && this.#theirs.get(BINARY)) return bytes;
    if (plain && !this.#afterCr && !bytes.includes(NUL)) {
      this.#afterCr = bytes.at(-1) === CR;
      return bytes;
    }
    const data = new Uint8Array(bytes.length);
    let length = 0;
    for (const byte of bytes) {
      if (this.#isData(byte)) data[length++] = byte;
    }
    return data.subarray(0, length);
  }

  /** The bytes to send for `data`. The answer may be `data` itself. */
  encode(data: Uint8Array): Uint8Array {
    const binary = this.#ours.get(BINARY) === true;
    let extra = 0;
    for (let at = 0; at < data.length; at++) {
      if (data[at] === IAC || (!binary && data[at] === CR && data[at + 1] !== LF)) extra++;
    }
    if (extra === 0) return data;
    const bytes = new Uint8Array(data.length + extra);
    let length = 0;
    for (let at = 0; at < data.length; at++) {
      const byte = data[at] ?? 0;
      bytes[length++] = byte;
      if (byte === IAC) bytes[length++] = IAC;
      else if (!binary && byte === CR && data[at + 1] !== LF) bytes[length++] = NUL;
    }
    return bytes;
  }

  #isData(byte: number): boolean {
    switch (this.#state) {
      case 'data':
        if (byte === IAC) {
          this.#state = 'command';
          return false;
        }
        return this.#isText(byte);
      case 'command':
        return this.#command(byte);
      case 'option':
        this.#state = 'data';
        this.#negotiate(this.#verb, byte);
        return false;
      case 'subnegotiation':
        if (byte === IAC) this.#state = 'subnegotiation-command';
        else this.#gather(byte);
        return false;
      case 'subnegotiation-command':
        if (byte === SE) this.#endSubnegotiation();
        else if (byte === IAC) this.#gather(byte);
        else this.#command(byte);
        return false;
    }
  }

  #gather(byte: number): void {
    this.#subnegotiationBytes++;
    if (this.#offered && this.#subnegotiation.length <= keptSubnegotiationBytes) this.#subnegotiation.push(byte);
    this.#state = this.#subnegotiationBytes < maxSubnegotiationBytes ? 'subnegotiation' : 'data';
  }

  #endSubnegotiation(): void {
    this.#state = 'data';
    const [option, ...payload] = this.#subnegotiation;
    const whole = this.#subnegotiation.length === this.#subnegotiationBytes;
    if (whole && this.#offered && option === this.#offered.code) this.#offered.received(Uint8Array.from(payload));
  }

  /** Without BINARY a lone carriage return travels as CR NUL. */
  #isText(byte: number): boolean {
    const stuffing = byte === NUL && this.#afterCr && !this.#theirs.get(BINARY);
    this.#afterCr = byte === CR;
    return !stuffing;
  }

  #command(byte: number): boolean {
    this.#state = 'data';
    if (byte === IAC) return this.#isText(byte);
    if (byte >= WILL) {
      this.#state = 'option';
      this.#verb = byte;
    } else if (byte === SB) {
      this.#state = 'subnegotiation';
      this.#subnegotiationBytes = 0;
      this.#subnegotiation = [];
    }
    return false;
  }

  /** Answers only what changes something, as RFC 854 asks, so that two sides cannot answer each other for ever. */
  #negotiate(verb: number, option: number): void {
    const theirs = verb === WILL || verb === WONT;
    const enabled = theirs ? this.#theirs : this.#ours;
    const wanted = verb === WILL || verb === DO;
    const isOffered = !theirs && option === this.#offered?.code;
    const accepted = wanted && (isOffered || (theirs ? acceptedFromThem : acceptedFromUs).includes(option));
    const before = enabled.get(option);
    enabled.set(option, accepted);
    if (isOffered) this.#offered?.settled(accepted);
    if (this.#proposed.delete(`${theirs ? DO : WILL} ${option}`)) return;
    // A first refusal of something never proposed changes nothing; a first proposal we refuse needs its answer.
    if (accepted === (before ?? false) && !(wanted && before === undefined)) return;
    if (this.#replies++ >= maxReplies) return;
    const answer = theirs ? (accepted ? DO : DONT) : accepted ? WILL : WONT;
    this.#reply(Uint8Array.of(IAC, answer, option));
  }
}
