import { deflateRawSync } from 'node:zlib';
import type { PageEvent, PageSound } from './channel.ts';
import { encodeBand, encodeEvent, encodeSound, type PictureBand } from './frames.ts';

/**
 * What may be under way and not acknowledged before no more pictures are sent: whatever is told meanwhile waits for so
 * much at most, and for one more frame. On a line of 200 KB a second that is a third of one.
 */
const windowBytes = 32 * 1024;
/** Behind by more than this the viewer is not there any more, whatever it says. */
const mostWaitingBytes = 32 * 1024 * 1024;
/** So many that were never acknowledged: whoever is there does not speak our language. */
const mostUnderWay = 10_000;
/** Events from this length on are worth compressing. */
const longEvent = 1024;

export interface OutletSocket {
  readonly bufferedAmount: number;
  send(data: string | Uint8Array): void;
  terminate(): void;
}

/** The way to one viewer: events at once, all that is large no faster than the viewer takes it. */
export class Outlet {
  readonly #socket: OutletSocket;
  readonly #underWay = new Map<number, number>();
  #seq = 0;
  #bytesUnderWay = 0;
  #wake: (() => void)[] = [];

  constructor(socket: OutletSocket) {
    this.#socket = socket;
  }

  /** False while the viewer does not keep up. */
  get isReady(): boolean {
    return this.#bytesUnderWay <= windowBytes && this.#socket.bufferedAmount <= windowBytes;
  }

  tell(event: PageEvent): void {
    const text = JSON.stringify(event);
    if (this.#socket.bufferedAmount > mostWaitingBytes) this.#socket.terminate();
    else if (text.length < longEvent) this.#socket.send(text);
    else this.#send((seq) => encodeEvent(seq, deflateRawSync(text, { level: 3 })));
  }

  band(band: PictureBand): void {
    this.#send((seq) => encodeBand(seq, band));
  }

  sound(sound: PageSound): void {
    this.#send((seq) => encodeSound(seq, sound));
  }

  acknowledged(seq: number): void {
    this.#bytesUnderWay -= this.#underWay.get(seq) ?? 0;
    this.#underWay.delete(seq);
    if (!this.isReady) return;
    for (const wake of this.#wake.splice(0)) wake();
  }

  /** When there is room for more. Never, for somebody who takes nothing: whoever waits is waiting for nobody. */
  async room(): Promise<void> {
    while (!this.isReady) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  #send(encode: (seq: number) => Uint8Array): void {
    this.#seq = (this.#seq + 1) >>> 0;
    const bytes = encode(this.#seq);
    this.#underWay.set(this.#seq, bytes.length);
    if (this.#underWay.size > mostUnderWay) this.#socket.terminate();
    this.#bytesUnderWay += bytes.length;
    this.#socket.send(bytes);
  }
}
