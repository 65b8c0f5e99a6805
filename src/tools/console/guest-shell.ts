import type { ConsolePort } from '../../machine/console.ts';
import { MachineError } from '../../machine/errors.ts';
import { runCommand } from './shell-run.ts';

/** Between two commands on a slow line. */
const commandMs = 20_000;

/** A POSIX shell that waits at its prompt on a console, for tools that need several commands. */
export class GuestShell {
  readonly #port: ConsolePort;
  readonly #signal: AbortSignal;

  constructor(port: ConsolePort, signal: AbortSignal) {
    this.#port = port;
    this.#signal = signal;
  }

  /** The output of a command that must succeed. */
  async run(command: string, what: string, timeoutMs = commandMs): Promise<string> {
    const done = await runCommand(this.#port, command, { timeoutMs, signal: this.#signal });
    if (done.exitCode === 0 && done.lostBytes === 0 && done.droppedChars === 0) return done.output;
    const said = done.output.slice(-300);
    if (done.exitCode === undefined) {
      throw new MachineError(
        'UNAVAILABLE',
        `No answer from the shell while ${what}: ${said || 'it said nothing'}`,
        'Log in first, so that a POSIX shell waits at its prompt on this console (console_read shows what is there).',
      );
    }
    throw new MachineError(
      'UNAVAILABLE',
      `The guest failed while ${what} (exit code ${done.exitCode}): ${said}`,
      'Look at the path and the free space in the guest with console_send {"run":"ls -l; df"}.',
    );
  }

  /** Fails unless the file in the guest is exactly this. */
  async verify(path: string, bytes: Uint8Array): Promise<string> {
    const answer = await this.run(`sha256sum < ${quoted(path)} || cksum < ${quoted(path)}`, 'checking the file');
    const [word = '', length] = answer.trim().split(/\s+/);
    const isSha256 = /^[0-9a-f]{64}$/.test(word);
    const expected = isSha256 ? await sha256(bytes) : String(posixCksum(bytes));
    const same = word === expected && (isSha256 || Number(length) === bytes.length);
    if (same) return isSha256 ? `sha256 ${word}` : `cksum ${word}`;
    throw new MachineError(
      'UNAVAILABLE',
      `What arrived is not what was sent: the guest's checksum is ${word.slice(0, 64)}, ours ${expected}.`,
      'Something else wrote to the file or the line; try again on a quiet console.',
    );
  }
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** As the POSIX command `cksum` counts: the bytes, then their number. */
function posixCksum(bytes: Uint8Array): number {
  let crc = 0;
  const add = (byte: number) => {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  };
  for (const byte of bytes) add(byte);
  for (let length = bytes.length; length > 0; length = Math.floor(length / 256)) add(length & 255);
  return ~crc >>> 0;
}
