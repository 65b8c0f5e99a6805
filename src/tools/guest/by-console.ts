import { MachineError } from '../../machine/errors.ts';
import { randomWord } from '../console/random-word.ts';
import { type GuestShell, quoted } from './guest-shell.ts';
import { sizeOf } from './size-of.ts';
import type { GuestSurvey } from './survey-guest.ts';

/** Terminals in line mode take at least a thousand characters; a multiple of both writings. */
const lineChars = 960;
/** In either writing it fits into the output that is kept of one command. */
const getBytes = 9000;

type Progress = (message: string) => void;

/** Types a file line by line, each when the last one was taken. Ends early when time is up; the answer is how much is there. */
export async function putByConsole(
  shell: GuestShell,
  { programs }: GuestSurvey,
  bytes: Uint8Array,
  path: string,
  offset: number,
  progress: Progress,
): Promise<number> {
  if (offset > 0) await requireSize(shell, path, offset);
  const mark = randomWord();
  const hasBase64 = programs.has('base64');
  const pieceBytes = hasBase64 ? (lineChars / 4) * 3 : lineChars / 4;
  const taker = hasBase64 ? `printf '%s\\n' "$l"` : 'printf "$l"';
  const loop = `n=0; while echo "@@""${mark}+$n" >&2; IFS= read -r l && [ "$l" != . ]; do ${taker}; n=$((n+1)); done`;
  const sink = `${hasBase64 ? ' | base64 -d' : ''} >> ${quoted(path)}`;
  // Without the echo of what is typed it is twice as fast.
  const command = `stty -echo; ${loop}${sink}; r=$?; stty echo; [ $r = 0 ]`;
  function* lines(): Generator<string> {
    for (let at = offset; at < bytes.length; at += pieceBytes) {
      progress(`${at} of ${bytes.length} bytes`);
      const piece = bytes.subarray(at, at + pieceBytes);
      yield hasBase64 ? Buffer.from(piece).toString('base64') : octal(piece);
    }
  }
  const taken = await shell.feed(command, 'typing the file', `@@${mark}+`, lines());
  const at = Math.min(bytes.length, offset + taken * pieceBytes);
  // Not every program notices that a disk is full.
  if (at < bytes.length) await requireSize(shell, path, at);
  return at;
}

/** Lets the shell print a file, in pieces, from an offset to the end or until time is up. */
export async function getByConsole(
  shell: GuestShell,
  { programs }: GuestSurvey,
  path: string,
  total: number,
  offset: number,
  progress: Progress,
): Promise<Uint8Array> {
  const printer = programs.has('base64')
    ? 'base64'
    : programs.has('od')
      ? 'od -An -v -tx1'
      : `hexdump -v -e '16/1 "%02x" "\\n"'`;
  const decode = printer === 'base64' ? fromBase64 : fromHex;
  const bytes = new Uint8Array(Math.max(0, total - offset));
  let filled = 0;
  while (filled < bytes.length && !shell.isLate) {
    const at = offset + filled;
    const count = Math.min(getBytes, total - at);
    const command = `tail -c +${at + 1} ${quoted(path)} | head -c ${count} | ${printer}`;
    const piece = decode(await shell.run(command, `reading at ${at}`));
    if (piece.length !== count) {
      const message = `The guest sent ${piece.length} instead of ${count} bytes at offset ${at}.`;
      throw new MachineError('UNAVAILABLE', message, 'Another program may print on this console; try again.');
    }
    bytes.set(piece, filled);
    filled += count;
    progress(`${offset + filled} of ${total} bytes`);
  }
  return bytes.subarray(0, filled);
}

async function requireSize(shell: GuestShell, path: string, offset: number): Promise<void> {
  const there = await sizeOf(shell, path);
  if (there === offset) return;
  const message = `The file in the guest has ${there} bytes, where ${offset} should be.`;
  const fix = `Check whether its disk is full (df); continue with "offset":${there}, or start over with 0.`;
  throw new MachineError('INVALID_ARGUMENT', message, fix);
}

/** As a format of printf, which every shell has; without zeros in front it would run into a digit after it. */
function octal(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text.replace(/\s/g, '')), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function fromHex(text: string): Uint8Array {
  const pairs = text.replace(/\s/g, '').match(/[0-9a-f]{2}/g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}
