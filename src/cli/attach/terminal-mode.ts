import { spawnSync } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export type TerminalInput = Readable & {
  isTTY?: boolean;
  isRaw?: boolean;
  fd?: number;
  setRawMode?(raw: boolean): unknown;
};
export type TerminalOutput = Writable & { isTTY?: boolean };

/**
 * Undoes what a guest may have done to the person's terminal. The cursor is saved before the alternate screen is left
 * because terminals that are not on it move the cursor to the saved place instead; the same goes for the margins.
 */
const resetModes = [
  '\x1b7\x1b[?1049l', // alternate screen
  '\x1b7\x1b[r\x1b8', // margins
  '\x1b[!p\x1b[?7h', // soft reset, which may turn wrapping off
  '\x1b[m\x1b(B\x0f', // colours, character set
  '\x1b[?25h', // cursor visible
  '\x1b[?1l\x1b>', // cursor keys and keypad
  '\x1b[4l', // insert mode
  '\x1b[?9l\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l', // mouse, focus
  '\x1b[?2004l', // bracketed paste
  '\x1b[>4m\x1b[=0u', // modifyOtherKeys, kitty keyboard
].join('');

/** Raw mode on a person's terminal, given back on every way out. Does nothing where there is no terminal. */
export class TerminalMode {
  readonly #stdin: TerminalInput;
  readonly #stdout: TerminalOutput;
  #wasRaw = false;
  #active = false;

  constructor(stdin: TerminalInput, stdout: TerminalOutput) {
    this.#stdin = stdin;
    this.#stdout = stdout;
  }

  get isRaw(): boolean {
    return this.#active && this.#stdin.isTTY === true;
  }

  enter(): void {
    this.#active = true;
    this.#wasRaw = this.#stdin.isRaw ?? false;
    this.#setRaw(true);
    process.on('exit', this.restore);
    process.on('SIGCONT', this.#enterAgain);
  }

  restore = (): void => {
    if (!this.#active) return;
    this.#active = false;
    process.off('exit', this.restore);
    process.off('SIGCONT', this.#enterAgain);
    if (this.#stdout.isTTY && this.#stdout.writable) this.#stdout.write(resetModes);
    this.#setRaw(this.#wasRaw);
  };

  /** The shell took the terminal while we were stopped; a mode that is already set would not be set again. */
  #enterAgain = (): void => {
    this.#setRaw(false);
    this.#setRaw(true);
  };

  #setRaw(raw: boolean): void {
    if (!this.#stdin.isTTY) return;
    try {
      this.#stdin.setRawMode?.(raw);
      // Node's raw mode still turns LF into CR LF on output. What it restores later is the whole mode from before.
      if (raw) spawnSync('stty', ['raw', '-echo'], { stdio: [this.#stdin.fd ?? 'inherit', 'ignore', 'ignore'] });
    } catch {
      // The terminal is gone: nothing is left to restore.
    }
  }
}
