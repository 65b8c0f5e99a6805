const [startOfBlock, startOfKilobyte, endOfFile, acknowledgement, refusal, cancel] = [1, 2, 4, 6, 0x15, 0x18];
const letterRequests = [0x43, 0x47];
const requests = [refusal, ...letterRequests];
/** A receiver that prints nothing more for so long waits for a block. */
const restMs = 200;
/** So many requests in a row are no word. */
const surelyAsking = 3;
const maxTextBytes = 4096;

export interface BlockTurnsOptions {
  /** YMODEM: the receiver asks for the first block of a file after it has acknowledged the one with its name. */
  readonly asksForEachFile: boolean;
  pass(bytes: Uint8Array): void;
}

/**
 * Whose turn it is while X- or YMODEM blocks are sent. What the receiver prints before it asks for the first block may
 * contain the letters it asks with: taken for a request, a `C` in a path makes the sender speak CRC to a receiver that
 * knows checksums. And a receiver that has waited too long asks again for a block that is on its way: answered twice, it
 * would acknowledge twice, and the second would count for a block it never saw.
 */
export class BlockTurns {
  readonly #options: BlockTurnsOptions;
  #turn: 'opening' | 'ours' | 'theirs' | 'asking' = 'opening';
  #text = Buffer.alloc(0);
  #sinceRest = Buffer.alloc(0);
  #rest: NodeJS.Timeout | undefined;
  #isFileBeginning = true;
  #isFileEnding = false;

  constructor(options: BlockTurnsOptions) {
    this.#options = options;
  }

  hear(bytes: Uint8Array): void {
    if (this.#turn === 'opening') {
      this.#hearOpening(Buffer.from(bytes));
      return;
    }
    const passed = Array.from(bytes).filter((byte) => this.#isForProgram(byte));
    if (passed.length > 0) this.#options.pass(Uint8Array.from(passed));
  }

  /** The program's bytes leave: the receiver can answer them from now on. */
  said(bytes: Uint8Array): void {
    this.stop();
    this.#turn = 'theirs';
    if (bytes[0] === endOfFile) this.#isFileEnding = true;
    else if (bytes[0] === startOfBlock || bytes[0] === startOfKilobyte) this.#isFileEnding = false;
  }

  stop(): void {
    clearTimeout(this.#rest);
  }

  #isForProgram(byte: number): boolean {
    if (byte === cancel) return true;
    if (byte === acknowledgement && this.#turn === 'theirs') {
      this.#acknowledged();
      return true;
    }
    const isAnswer = requests.includes(byte) && this.#turn !== 'ours';
    if (isAnswer) this.#turn = 'ours';
    return isAnswer;
  }

  #acknowledged(): void {
    const isBetweenFiles = this.#isFileBeginning || this.#isFileEnding;
    this.#turn = this.#options.asksForEachFile && isBetweenFiles ? 'asking' : 'ours';
    this.#isFileBeginning = this.#isFileEnding;
  }

  #hearOpening(bytes: Buffer): void {
    clearTimeout(this.#rest);
    this.#text = Buffer.concat([this.#text, bytes]).subarray(-maxTextBytes);
    this.#sinceRest = Buffer.concat([this.#sinceRest, bytes]).subarray(-maxTextBytes);
    const [last, isRepeated] = [bytes.at(-1), isRun(this.#text.subarray(-surelyAsking))];
    if (last === refusal || (last === cancel && this.#text.at(-2) === cancel) || isRepeated) this.#open();
    else this.#rest = setTimeout(() => this.#lookAtRest(), restMs);
  }

  #lookAtRest(): void {
    const isOnlyRequests = this.#sinceRest.every((byte) => letterRequests.includes(byte));
    const last = this.#text.at(-1) ?? 0;
    if (letterRequests.includes(last) && (isOnlyRequests || !isInWord(this.#text))) this.#open();
    this.#sinceRest = Buffer.alloc(0);
  }

  /** However often it was asked, the first block is wanted once. */
  #open(): void {
    const last = this.#text.at(-1) ?? refusal;
    this.#turn = 'ours';
    this.#options.pass(last === cancel ? Uint8Array.of(cancel, cancel) : Uint8Array.of(last));
  }
}

function isRun(bytes: Uint8Array): boolean {
  const [first = 0] = bytes;
  return bytes.length === surelyAsking && letterRequests.includes(first) && bytes.every((byte) => byte === first);
}

/** Whether the letter at the end belongs to a word or to a path. */
function isInWord(text: Buffer): boolean {
  return /[\w/\\~+-][CG]+$/.test(text.toString('latin1'));
}
