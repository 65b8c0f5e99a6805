import type { ConsolePort } from '../../machine/console.ts';
import { MachineError } from '../../machine/errors.ts';
import { pause } from '../console/pause.ts';
import { randomWord } from '../console/random-word.ts';
import { type GuestShell, quoted } from './guest-shell.ts';
import type { GuestSurvey } from './survey-guest.ts';

/** A virtio channel and the device that the guest has for it. */
export interface Channel {
  readonly port: ConsolePort;
  readonly device: string;
}

const blockBytes = 65_536;

// Both ways a line of its own goes before the file, so that nothing an earlier transfer left behind is taken for it.

export async function putByChannel(
  shell: GuestShell,
  { programs }: GuestSurvey,
  channel: Channel,
  bytes: Uint8Array,
  path: string,
): Promise<void> {
  const mark = `@@${randomWord()}`;
  const skip = `while IFS= read -r l && [ "$l" != ${mark} ]; do :; done`;
  // What does not fit onto the disk is read all the same: it must not wait for the next transfer.
  const write = `{ cat > ${quoted(path)}; r=$?; cat > /dev/null; [ $r = 0 ]; }`;
  // The `head` of busybox goes byte by byte.
  const blocks = programs.has('dd') ? Math.floor(bytes.length / blockBytes) : 0;
  const whole = blocks > 0 ? `dd iflag=fullblock bs=${blockBytes} count=${blocks} 2> /dev/null; ` : '';
  const rest = `head -c ${bytes.length - blocks * blockBytes}`;
  const reader = `{ ${skip}; ${whole}${rest}; } < ${channel.device} | ${write}`;
  const enough = new AbortController();
  const sending = send(channel.port, mark, bytes, shell, AbortSignal.any([shell.signal, enough.signal]));
  sending.catch(() => {});
  try {
    await shell.run(reader, `reading ${channel.device} in the guest`);
    const refused = await sending;
    if (refused === 0) return;
    const message = `The guest took ${bytes.length - refused} of ${bytes.length} bytes from the channel.`;
    throw new MachineError('UNAVAILABLE', message, 'Send it with "channel":"none", over the console.');
  } finally {
    enough.abort();
  }
}

async function send(port: ConsolePort, mark: string, bytes: Uint8Array, { until }: GuestShell, signal: AbortSignal) {
  for (const part of [new TextEncoder().encode(`\n${mark}\n`), bytes]) {
    const timeoutMs = Math.max(0, until - performance.now());
    const { refused } = await port.write(part, { mode: 'retry', timeoutMs, signal });
    if (refused > 0) return refused;
  }
  return 0;
}

export async function getByChannel(
  shell: GuestShell,
  { port, device }: Channel,
  path: string,
  total: number,
): Promise<Uint8Array> {
  const mark = `@@${randomWord()}`;
  const arrival = new Arrival(port, `\n${mark}\n`, total);
  const unlisten = port.onActivity(() => arrival.collect());
  try {
    const writer = `{ echo; echo ${mark}; cat ${quoted(path)}; } > ${device}`;
    await shell.run(writer, `writing ${device} in the guest`);
    for (arrival.collect(); !arrival.isOver && !shell.isLate; arrival.collect()) await pause(20, shell.signal);
  } finally {
    unlisten();
  }
  if (arrival.filled === total && arrival.lost === 0) return arrival.bytes;
  const message = `${arrival.filled} of ${total} bytes came through the channel, ${arrival.lost} were lost.`;
  throw new MachineError('UNAVAILABLE', message, 'Fetch it with "channel":"none", over the console.');
}

/** Takes a file out of a channel's ring while it fills. */
class Arrival {
  readonly bytes: Uint8Array;
  filled = 0;
  lost = 0;
  readonly #port: ConsolePort;
  readonly #mark: string;
  readonly #decoder = new TextDecoder('latin1');
  #offset: number;
  /** What came before the mark; undefined after it. */
  #before: string | undefined = '';

  constructor(port: ConsolePort, mark: string, total: number) {
    this.#port = port;
    this.#mark = mark;
    this.#offset = port.output.end;
    this.bytes = new Uint8Array(total);
  }

  get isOver(): boolean {
    return this.lost > 0 || (this.#before === undefined && this.filled === this.bytes.length);
  }

  collect(): void {
    if (this.isOver) return;
    const { bytes, from, lost } = this.#port.output.read(this.#offset, Number.MAX_SAFE_INTEGER);
    this.lost += lost;
    this.#offset = from + bytes.length;
    const body = this.#before === undefined ? bytes : this.#behindMark(this.#before, bytes);
    const wanted = body.subarray(0, this.bytes.length - this.filled);
    this.bytes.set(wanted, this.filled);
    this.filled += wanted.length;
  }

  #behindMark(before: string, bytes: Uint8Array): Uint8Array {
    const text = before + this.#decoder.decode(bytes);
    const at = text.indexOf(this.#mark);
    this.#before = at < 0 ? text.slice(-this.#mark.length) : undefined;
    return at < 0 ? new Uint8Array() : bytes.subarray(at + this.#mark.length - before.length);
  }
}
