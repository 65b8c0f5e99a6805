import type { ConsolePort } from '../../machine/console.ts';
import { MachineError } from '../../machine/errors.ts';
import { base64 } from '../picture/png.ts';
import { type GuestShell, quoted } from './guest-shell.ts';

/** The line editor of busybox takes 1,023 characters; the marks around a command and the command itself need some. */
const lineChars = 1023 - 120;
/** As base64 it fits into the output that is kept of one command. */
const getBytes = 9000;

export interface Transfer {
  /** Bytes that are there now. */
  readonly at: number;
  readonly total: number;
}

export interface TransferOptions {
  /** Where an earlier call stopped. */
  readonly offset: number;
  /** `performance.now()` at which to stop and say how far it came. */
  readonly until: number;
  progress(message: string): void;
}

/** Types a file into a shell, in pieces that `base64 -d` puts together. */
export async function putByShell(
  shell: GuestShell,
  bytes: Uint8Array,
  path: string,
  { offset, until, progress }: TransferOptions,
): Promise<Transfer> {
  if (offset > 0) await requireSize(shell, path, offset);
  else await shell.run(`printf '' > ${quoted(path)}`, 'creating the file');
  const pieceBytes = Math.floor((lineChars - quoted(path).length) / 4) * 3;
  let at = offset;
  while (at < bytes.length && performance.now() < until) {
    const piece = bytes.subarray(at, at + pieceBytes);
    await shell.run(`echo ${base64(piece)} | base64 -d >> ${quoted(path)}`, `writing at ${at}`);
    at += piece.length;
    progress(`${at} of ${bytes.length} bytes`);
  }
  return { at, total: bytes.length };
}

/** Lets the shell print a file as base64, in pieces. */
export async function getByShell(
  shell: GuestShell,
  path: string,
  total: number,
  { offset, until, progress }: TransferOptions,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let at = offset;
  while (at < total && performance.now() < until) {
    const count = Math.min(getBytes, total - at);
    const text = await shell.run(`tail -c +${at + 1} ${quoted(path)} | head -c ${count} | base64`, `reading at ${at}`);
    const piece = decoded(text);
    if (piece.length !== count) {
      const message = `${count} bytes were asked for at ${at}, and ${piece.length} came.`;
      throw new MachineError('UNAVAILABLE', message, 'Another program may print on this console; try again.');
    }
    pieces.push(piece);
    at += count;
    progress(`${at} of ${total} bytes`);
  }
  return joined(pieces);
}

/** Sends a file through a virtio channel, which carries megabytes a second; the shell only starts the reader. */
export async function putByChannel(
  shell: GuestShell,
  channel: ConsolePort,
  bytes: Uint8Array,
  path: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const device = await deviceOf(shell, channel);
  const reader = `head -c ${bytes.length} < ${device} > ${quoted(path)}`;
  const received = shell.run(reader, `reading ${device} in the guest`, timeoutMs);
  const [sent] = await Promise.all([channel.write(bytes, { mode: 'retry', timeoutMs, signal }), received]);
  if (sent.refused > 0) {
    const message = `The guest took ${bytes.length - sent.refused} of ${bytes.length} bytes from the channel.`;
    throw new MachineError('UNAVAILABLE', message, 'Send it without channel, over the console.');
  }
}

export async function getByChannel(
  shell: GuestShell,
  channel: ConsolePort,
  path: string,
  total: number,
  timeoutMs: number,
): Promise<Uint8Array> {
  const device = await deviceOf(shell, channel);
  const bytes = new Uint8Array(total);
  let filled = 0;
  let offset = channel.output.end;
  const collect = () => {
    const { bytes: piece, lost } = channel.output.read(offset, total - filled);
    if (lost > 0) throw new MachineError('UNAVAILABLE', `${lost} bytes were lost.`, 'Fetch it without channel.');
    bytes.set(piece, filled);
    filled += piece.length;
    offset += piece.length;
  };
  const end = performance.now() + timeoutMs;
  const unlisten = channel.onActivity(collect);
  try {
    await shell.run(`cat ${quoted(path)} > ${device}`, `writing ${device} in the guest`, timeoutMs);
    while (filled < total && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      collect();
    }
  } finally {
    unlisten();
  }
  if (filled === total) return bytes;
  throw new MachineError('UNAVAILABLE', `${filled} of ${total} bytes came.`, 'Fetch it without channel.');
}

export async function sizeOf(shell: GuestShell, path: string): Promise<number> {
  return Number(await shell.run(`wc -c < ${quoted(path)}`, 'looking at the file'));
}

async function requireSize(shell: GuestShell, path: string, offset: number): Promise<void> {
  const there = await sizeOf(shell, path);
  if (there === offset) return;
  const message = `The file in the guest has ${there} bytes, not the ${offset} that an earlier call should have left.`;
  throw new MachineError('INVALID_ARGUMENT', message, `Use "offset":${there}, or 0 to begin again.`);
}

/** The guest knows a channel by its own name, and finds it without the help of udev. */
async function deviceOf(shell: GuestShell, { name }: ConsolePort): Promise<string> {
  const own = name.slice(name.indexOf('.') + 1);
  const found = await shell.run(`grep -lx ${quoted(own)} /sys/class/virtio-ports/*/name`, `looking for channel ${own}`);
  const [, port] = /virtio-ports\/(\w+)\/name/.exec(found) ?? [];
  if (port !== undefined) return `/dev/${port}`;
  throw new MachineError(
    'NOT_FOUND',
    `The guest has no channel ${own}.`,
    'Its driver (virtio_console) must be loaded.',
  );
}

function decoded(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text.replace(/\s/g, '')), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
