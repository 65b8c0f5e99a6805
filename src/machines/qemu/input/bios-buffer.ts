import type { QemuSession } from '../qemu-session.ts';

/** Where the BIOS of a PC keeps what was typed and nobody has read: two places in a ring, and where that begins and ends. */
const placesAt = 0x41a;
const boundsAt = 0x480;
const [usualStart, usualEnd] = [0x1e, 0x3e];
const areaBytes = 0x100;
/** Of CR0 and EFLAGS: protected mode, and real-mode programs inside it. */
const protection = 1n;
const virtual86 = 1n << 17n;

interface BiosKeys {
  /** Typed and not read yet. */
  readonly waiting: number;
  /** How many more it takes; what comes then is thrown away with a beep. */
  readonly room: number;
}

/** The fifteen keys that a BIOS holds for programs which ask it for them. */
export class BiosBuffer {
  readonly #session: QemuSession;

  constructor(session: QemuSession) {
    this.#session = session;
  }

  /** Whether the processor does what programs of the BIOS do; for a moment it may be elsewhere, as in the BIOS itself. */
  async isInUse(): Promise<boolean> {
    const text = await this.#session.hmp('info registers');
    const control = /\bCR0=([0-9a-f]+)/i.exec(text)?.[1];
    const flags = /\bE?[RF]?FL=([0-9a-f]+)/i.exec(text)?.[1];
    if (control === undefined) return false;
    return (BigInt(`0x${control}`) & protection) === 0n || (BigInt(`0x${flags ?? '0'}`) & virtual86) !== 0n;
  }

  /** Undefined where nothing looks like such a buffer. */
  async look(): Promise<BiosKeys | undefined> {
    const [head = 0, tail = 0] = await this.#words(placesAt);
    const [start = 0, end = 0] = await this.#words(boundsAt);
    const [from, to] = isRing(start, end) ? [start, end] : [usualStart, usualEnd];
    const size = (to - from) / 2;
    const isPlace = (place: number) => place >= from && place < to && place % 2 === 0;
    if (!isPlace(head) || !isPlace(tail)) return undefined;
    const waiting = ((tail - head) / 2 + size) % size;
    return { waiting, room: size - 1 - waiting };
  }

  async #words(address: number): Promise<number[]> {
    const text = await this.#session.hmp(`xp /2xh 0x${address.toString(16)}`);
    return [...text.matchAll(/\b0x([0-9a-f]{4})\b/gi)].map(([, digits = '0']) => Number.parseInt(digits, 16));
  }
}

function isRing(start: number, end: number): boolean {
  return start >= usualStart && end > start && end <= areaBytes && start % 2 === 0 && end % 2 === 0;
}
