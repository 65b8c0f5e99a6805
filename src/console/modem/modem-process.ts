import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { advice, call, MachineError } from '../../machine/errors.ts';
import { BlockTurns } from './block-turns.ts';

const maxComplaintChars = 2000;
const acknowledgement = 0x06;
const [refusal, request] = [0x15, 0x43];
/** ACK, NAK and CAN: an answer to a block, or to the end of a file. */
const answers = [acknowledgement, refusal, 0x18];
const slowestReplyMs = 2000;
const endOfFile = 0x04;
/**
 * How long the answer to the end of a file may take. It is often lost: the receiver sends it, throws away what its
 * terminal still holds, and is gone. The end said again would reach a shell, for which it is the end as well.
 */
const farewellMs = 3000;

export interface ModemWire {
  /** The program does not keep up with what arrives, or does again. */
  hold(): void;
  release(): void;
  say(bytes: Uint8Array): Promise<void>;
  /** Where we send block by block, as X- and YMODEM do. */
  readonly blocks: SentBlocks | undefined;
  /** So many bytes of the protocol have left. */
  sent?(bytes: number): void;
}

export interface SentBlocks {
  /** How soon after an answer the next may follow at first. */
  readonly replyMs: number;
  readonly asksForEachFile: boolean;
}

/** One run of a modem program, whose standard input and output is the line. */
export class ModemProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  /** What arrived before the program was given the line. */
  #early: Uint8Array[] = [];
  #wire: ModemWire | undefined;
  #complaint = '';
  #hasHeard = false;
  #hasSent = false;
  #isUnderstood = false;
  #replyMs = 0;
  #turns: BlockTurns | undefined;
  #farewell: NodeJS.Timeout | undefined;
  /** What came instead of an answer. */
  #afterFarewell: Uint8Array[] = [];
  #failure: Error | undefined;

  /** The first of the programs that is installed. */
  static async start(programs: readonly string[], args: readonly string[], cwd: string): Promise<ModemProcess> {
    for (const program of programs) {
      const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, LC_ALL: 'C' }, stdio: 'pipe' });
      const modem = new ModemProcess(child);
      if (child.pid !== undefined) return modem;
      await once(child, 'close').catch(() => {});
    }
    throw new MachineError('UNAVAILABLE', `Neither ${programs.join(' nor ')} is installed on this computer.`, [
      advice`The user can install the package lrzsz.`,
      advice`Without it, ${call('file_put')} and ${call('file_get')} move files over the shell.`,
    ]);
  }

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    child.on('error', (error) => {
      this.#failure ??= error;
    });
    // The end of the program is what counts; a pipe that broke before is told by it.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    child.stderr.on('data', (data) => {
      this.#complaint = `${this.#complaint}${data}`.slice(-maxComplaintChars);
    });
  }

  /** Bytes from the line. */
  hear(bytes: Uint8Array): void {
    const copy = Buffer.from(bytes);
    if (this.#farewell) {
      if (!answers.some((answer) => copy.includes(answer))) {
        this.#afterFarewell.push(copy);
        return;
      }
      this.#endFarewell();
    }
    if (!this.#wire) this.#early.push(copy);
    else if (this.#turns) this.#turns.hear(copy);
    else this.#give(copy);
  }

  /** Runs to its end; rejects if that is no good one, or when the signal aborts. */
  async run(wire: ModemWire, signal: AbortSignal): Promise<void> {
    this.#wire = wire;
    this.#replyMs = wire.blocks?.replyMs ?? 0;
    if (wire.blocks) {
      this.#turns = new BlockTurns({ ...wire.blocks, pass: (bytes) => this.#give(bytes) });
    }
    this.#child.stdin.on('drain', () => wire.release());
    for (const bytes of this.#early.splice(0)) this.hear(bytes);
    const closed = once(this.#child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    const spoken = this.#speak(wire).catch((error: Error) => {
      this.#failure ??= error;
      this.kill();
    });
    const aborted = new Promise<never>((_, reject) => {
      const abort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('cancelled'));
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
    });
    const [code, killedBy] = await Promise.race([closed, aborted]);
    await Promise.race([spoken, aborted]);
    if (this.#failure) throw this.#failure;
    if (code !== 0) throw new Error(this.#reason(code, killedBy));
  }

  /** What came over the line after the file and was no part of it: the prompt of a shell, for example. */
  get remainder(): Uint8Array {
    return Buffer.concat(this.#afterFarewell);
  }

  kill(): void {
    clearTimeout(this.#farewell);
    this.#turns?.stop();
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
    this.#child.stdin.destroy();
  }

  #give(bytes: Uint8Array): void {
    this.#hasHeard = true;
    this.#learn(bytes);
    if (!this.#child.stdin.write(bytes)) this.#wire?.hold();
  }

  /** Whatever came before the answer was on its way to the program all the same. */
  #endFarewell(): void {
    clearTimeout(this.#farewell);
    this.#farewell = undefined;
    for (const bytes of this.#afterFarewell.splice(0)) this.#turns?.hear(bytes);
  }

  /** Whoever wants a block again may have thrown the first one away: a busy computer needs longer to be ready for it. */
  #learn(heard: Uint8Array): void {
    if (!this.#hasSent) return;
    const wantsAgain = heard.includes(refusal) || (!this.#isUnderstood && heard.includes(request));
    this.#isUnderstood ||= heard.includes(acknowledgement);
    if (wantsAgain) this.#replyMs = Math.min(this.#replyMs * 2, slowestReplyMs);
  }

  async #speak(wire: ModemWire): Promise<void> {
    let sent = 0;
    for await (const bytes of this.#child.stdout) {
      if (this.#hasHeard && wire.blocks) await sleep(this.#replyMs);
      this.#hasHeard = false;
      this.#hasSent = true;
      if (wire.blocks && isFarewell(bytes, wire.blocks)) {
        this.#farewell = setTimeout(() => this.#turns?.hear(Uint8Array.of(acknowledgement)), farewellMs);
      }
      this.#turns?.said(bytes);
      await wire.say(bytes);
      sent += bytes.length;
      wire.sent?.(sent);
    }
  }

  #reason(code: number | null, signal: NodeJS.Signals | null): string {
    const complaint = this.#complaint
      .trim()
      .split(/[\r\n]+/)
      .at(-1)
      ?.replace(/\.$/, '');
    const how = signal ? `it was ended by ${signal}` : `it ended with code ${code}`;
    return complaint ? `${how}: ${complaint}` : how;
  }
}

/** The end of the file, or the block without a name by which YMODEM says that no file follows. */
function isFarewell(bytes: Uint8Array, { asksForEachFile }: SentBlocks): boolean {
  if (!asksForEachFile) return bytes.length === 1 && bytes[0] === endOfFile;
  const [start, number, complement, name] = bytes;
  return (start === 0x01 || start === 0x02) && number === 0 && complement === 0xff && name === 0;
}
