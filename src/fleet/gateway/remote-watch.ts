import { z } from 'zod';
import type { PersonAction, Viewer, Watch, WatchedPicture, WatchedTerminal } from '../../api/watch.ts';
import { DamagedMessage, type Message } from '../wire/message.ts';
import { type PicturePlace, takePicture } from '../wire/picture-slots.ts';
import { HeldThere } from './held-there.ts';
import type { RemoteChannel } from './remote-channel.ts';

const lookMs = 50;
/** As many as the page can be told of. */
const side = z.number().int().min(0).max(0xffff);
const pictureShape = z.object({ width: side, height: side, palette: z.number().int().min(0).max(768) });

type WatchChannel = Pick<RemoteChannel, 'send' | 'close' | 'memory' | 'isClosed'>;

/** A person's watch of a machine on another host. A viewer who does not keep up misses pictures there, and keeps one here. */
export class RemoteWatch implements Watch {
  readonly #viewer: Viewer;
  readonly #channel: WatchChannel;
  readonly #whyAway: () => string | undefined;
  readonly #acts = new Map<number, (error?: string) => void>();
  readonly #held = new HeldThere();
  readonly #timer: NodeJS.Timeout;
  /** What arrived while the viewer was busy. */
  #unsaid = 0;
  /** What was on its way when they became busy: it may be the last for long. */
  #late: WatchedPicture | undefined;
  #told = '';
  /** Where pictures come that are not sent. */
  #memory = '';
  #lastAct = 0;

  /** `whyAway` says why nothing can be done there now. */
  constructor(
    viewer: Viewer,
    open: (take: (message: Message) => void) => WatchChannel,
    whyAway: () => string | undefined = () => undefined,
  ) {
    this.#viewer = viewer;
    this.#whyAway = whyAway;
    this.#channel = open((message) => this.#take(message));
    this.#timer = setInterval(() => this.#look(), lookMs);
  }

  get isOver(): boolean {
    return this.#channel.isClosed;
  }

  listen(isListening: boolean): void {
    this.#channel.send({ t: 'listen', isListening });
  }

  refresh(): void {
    this.#channel.send({ t: 'refresh' });
  }

  act(action: PersonAction): Promise<void> {
    const why = this.#whyAway();
    if (why === undefined) return this.#send(action);
    // What waited for the host would be carried out when nobody wants it any more; what was let go is to come up.
    const release = this.#held.lettingGo(action);
    const released = release && this.#send(release.action);
    if (released && release.isAll) return released;
    released?.catch(() => {});
    return Promise.reject(new Error(why));
  }

  #send(action: PersonAction): Promise<void> {
    this.#held.sent(action);
    return new Promise((resolve, reject) => {
      const id = ++this.#lastAct;
      this.#acts.set(id, (error) => (error === undefined ? resolve() : reject(new Error(error))));
      this.#channel.send({ t: 'act', id, action });
    });
  }

  close(): void {
    clearInterval(this.#timer);
    if (this.#memory !== '') this.#channel.memory?.forget(this.#memory);
    this.#channel.close();
    this.#endActs();
  }

  #take({ head, body }: Message): void {
    switch (head.t) {
      case 'picture':
        this.#show(head, body);
        this.#arrived(Number(head.bytes));
        return;
      case 'sound': {
        const sound = { sampleRate: Number(head.sampleRate), samples: samplesOf(body) };
        if (this.#viewer.isReady()) this.#viewer.sound(sound);
        this.#arrived(Number(head.bytes));
        return;
      }
      case 'terminal':
        this.#viewer.terminal(String(head.console), head.terminal as WatchedTerminal);
        return;
      case 'input':
        this.#viewer.input(head.input as Parameters<Viewer['input']>[0]);
        return;
      case 'typing':
        this.#viewer.typing(Number(head.typed), Number(head.total), head.isOver === true);
        return;
      case 'trouble':
        this.#viewer.trouble(String(head.text));
        return;
      case 'acted': {
        this.#acts.get(Number(head.id))?.(head.error === undefined ? undefined : String(head.error));
        this.#acts.delete(Number(head.id));
      }
    }
  }

  #show(head: Message['head'], body: Uint8Array): void {
    const { memory } = this.#channel;
    const place = head.place as PicturePlace | undefined;
    if (place && memory && this.#memory !== place.memory) {
      if (this.#memory !== '') memory.forget(this.#memory);
      this.#memory = place.memory;
    }
    const bytes = place && memory ? takePicture(memory, place, Number(head.bytes)) : body;
    if (!bytes) return;
    this.#late = pictureOf(head, bytes);
    this.#showLate();
  }

  #showLate(): void {
    if (!this.#late || !this.#viewer.isReady()) return;
    const picture = this.#late;
    this.#late = undefined;
    this.#viewer.picture(picture);
  }

  #arrived(bytes: number): void {
    this.#unsaid += bytes;
    if (this.#viewer.isReady()) this.#say();
  }

  #say(): void {
    this.#channel.send({ t: 'arrived', bytes: this.#unsaid });
    this.#unsaid = 0;
  }

  #look(): void {
    if (this.#channel.isClosed) {
      this.#endActs();
      return;
    }
    this.#showLate();
    const [isReady, isLooking] = [this.#viewer.isReady(), this.#viewer.isLooking()];
    if (isReady && this.#unsaid > 0) this.#say();
    const now = JSON.stringify([isReady, isLooking]);
    if (now === this.#told) return;
    this.#told = now;
    this.#channel.send({ t: 'viewer', isReady, isLooking });
  }

  #endActs(): void {
    for (const end of this.#acts.values()) end('The host of this machine cannot be reached.');
    this.#acts.clear();
  }
}

/** The bytes lie in the memory of their whole message, where samples need not begin at an even place. */
function samplesOf(body: Uint8Array): Int16Array {
  const samples = new Int16Array(body.length >> 1);
  new Uint8Array(samples.buffer).set(body.subarray(0, samples.byteLength));
  return samples;
}

/** Whoever shows it makes room for what it says: that has to be what there is. */
export function pictureOf(head: Readonly<Record<string, unknown>>, body: Uint8Array): WatchedPicture {
  const { width, height, palette } = pictureShape.parse(head);
  const picture = { width, height, palette: body.slice(0, palette), pixels: body.slice(palette) };
  const depth = palette === 0 ? 3 : 1;
  if (picture.pixels.length === width * height * depth) return picture;
  throw new DamagedMessage('a picture does not have the size that it says');
}
