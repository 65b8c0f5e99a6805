import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { advice, call, MachineError } from '../../machine/errors.ts';

const maxComplaintChars = 2000;
const acknowledgement = 0x06;
/** ACK, NAK and CAN: an answer to a block, or to the end of a file. */
const answers = [acknowledgement, 0x15, 0x18];
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
  /** Where we send block by block, as X- and YMODEM do: how soon after an answer the next may follow. */
  readonly blockReplyMs: number | undefined;
  /** So many bytes of the protocol have left. */
  sent?(bytes: number): void;
}

/** One run of a modem program, whose standard input and output is the line. */
export class ModemProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  /** What arrived before the program was given the line. */
  #early: Uint8Array[] = [];
  #wire: ModemWire | undefined;
  #complaint = '';
  #hasHeard = false;
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
    this.#hasHeard = true;
    if (this.#farewell) {
      if (!answers.some((answer) => copy.includes(answer))) {
        this.#afterFarewell.push(copy);
        return;
      }
      this.#endFarewell();
    }
    if (!this.#wire) this.#early.push(copy);
    else if (!this.#child.stdin.write(copy)) this.#wire.hold();
  }

  /** Runs to its end; rejects if that is no good one, or when the signal aborts. */
  async run(wire: ModemWire, signal: AbortSignal): Promise<void> {
    this.#wire = wire;
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
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
    this.#child.stdin.destroy();
  }

  /** Whatever came before the answer was on its way to the program all the same. */
  #endFarewell(): void {
    clearTimeout(this.#farewell);
    this.#farewell = undefined;
    for (const bytes of this.#afterFarewell.splice(0)) this.#child.stdin.write(bytes);
  }

  async #speak(wire: ModemWire): Promise<void> {
    let sent = 0;
    for await (const bytes of this.#child.stdout) {
      if (this.#hasHeard && wire.blockReplyMs !== undefined) await sleep(wire.blockReplyMs);
      this.#hasHeard = false;
      if (wire.blockReplyMs !== undefined && isFarewell(bytes)) {
        this.#farewell = setTimeout(() => this.#child.stdin.write(Uint8Array.of(acknowledgement)), farewellMs);
      }
      await wire.say(bytes);
      sent += bytes.length;
      wire.sent?.(sent);
    }
  }

  #reason(code: number | null, signal: NodeJS.Signals | null): string {
    const complaint = this.#complaint
      .trim()
      .split(/[\r\n]+/)
      .at(-1);
    const how = signal ? `it was ended by ${signal}` : `it ended with code ${code}`;
    return complaint ? `${how}: ${complaint}` : how;
  }
}

/** The end of a file, or the block without a name by which YMODEM says that no file follows. */
function isFarewell(bytes: Uint8Array): boolean {
  if (bytes.length === 1) return bytes[0] === endOfFile;
  const [start, number, complement, name] = bytes;
  return (start === 0x01 || start === 0x02) && number === 0 && complement === 0xff && name === 0;
}
