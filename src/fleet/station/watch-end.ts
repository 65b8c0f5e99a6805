import { z } from 'zod';
import type { ToolHost } from '../../api/tool-host.ts';
import type { MachineInput, PersonAction, Viewer, Watch, WatchedTerminal } from '../../api/watch.ts';
import type { Channel } from '../wire/channel.ts';
import type { Message } from '../wire/message.ts';
import { PictureSlots } from '../wire/picture-slots.ts';
import { actorFrom } from '../wire/shapes.ts';

/** What may be on its way to a viewer who has not said that it arrived: less than a second of a picture. */
const mostUnderWay = 400_000;
const lookMs = 500;

export const watchShape = z.object({ machine: z.string(), console: z.string().optional(), actor: z.unknown() });

/** A person's watch where the machine is: pictures and sound go out as fast as the viewer takes them. */
export class WatchEnd {
  readonly #channel: Channel;
  readonly #watch: Watch;
  readonly #timer: NodeJS.Timeout;
  /** How the machine is has changed for people alone. */
  readonly #changed: () => void;
  readonly #lineNow: () => string | undefined;
  #lineTold: string | undefined;
  #underWay = 0;
  #isReady = true;
  #isLooking = true;

  /** Undefined: there is no such machine. */
  static open(
    host: ToolHost,
    wanted: z.output<typeof watchShape>,
    channel: Channel,
    changed: (machine: string) => void,
  ): WatchEnd | undefined {
    let end: WatchEnd | undefined;
    const slots = channel.memory && new PictureSlots(channel.memory, channel.id);
    const viewer: Viewer = {
      isReady: () => end?.isReady ?? true,
      isLooking: () => end?.isLooking ?? true,
      picture: ({ width, height, palette, pixels }) => {
        const bytes = palette.length + pixels.length;
        end?.sent(bytes);
        const place = slots?.put(palette, pixels);
        const head = { t: 'picture', width, height, palette: palette.length, bytes };
        if (place) channel.send({ ...head, place });
        else channel.send(head, Buffer.concat([palette, pixels]));
      },
      sound: ({ sampleRate, samples }) => {
        const body = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
        end?.sent(body.length);
        channel.send({ t: 'sound', sampleRate, bytes: body.length }, body);
      },
      terminal: (console: string, terminal: WatchedTerminal) => channel.send({ t: 'terminal', console, terminal }),
      input: (input: MachineInput) => channel.send({ t: 'input', input }),
      typing: (typed, total, isOver) => channel.send({ t: 'typing', typed, total, isOver }),
      trouble: (text) => channel.send({ t: 'trouble', text }),
    };
    const watch = host.watch(wanted.machine, wanted.console, actorFrom(wanted.actor), viewer);
    const lineNow = () => host.machines().find(({ handle }) => handle === wanted.machine)?.watched.line;
    if (watch) end = new WatchEnd(channel, watch, () => changed(wanted.machine), lineNow);
    return end;
  }

  private constructor(channel: Channel, watch: Watch, changed: () => void, lineNow: () => string | undefined) {
    this.#changed = changed;
    this.#lineNow = lineNow;
    this.#channel = channel;
    this.#watch = watch;
    this.#timer = setInterval(() => {
      if (watch.isOver) channel.close();
      if (channel.isClosed) this.close();
    }, lookMs);
  }

  get isReady(): boolean {
    return this.#isReady && this.#underWay < mostUnderWay;
  }

  get isLooking(): boolean {
    return this.#isLooking;
  }

  sent(bytes: number): void {
    this.#underWay += bytes;
  }

  take({ head }: Message): void {
    switch (head.t) {
      case 'arrived':
        this.#underWay -= Number(head.bytes);
        return;
      case 'viewer':
        this.#isReady = head.isReady === true;
        this.#isLooking = head.isLooking === true;
        return;
      case 'listen':
        this.#watch.listen(head.isListening === true);
        return;
      case 'refresh':
        this.#watch.refresh();
        this.#tellLine();
        return;
      case 'act':
        // The page has checked what a person may do, and the watch checks again who does it.
        void this.#watch.act(head.action as PersonAction).then(
          () => {
            if ((head.action as PersonAction).type === 'control') this.#changed();
            this.#channel.send({ t: 'acted', id: head.id });
          },
          (error: unknown) =>
            this.#channel.send({ t: 'acted', id: head.id, error: error instanceof Error ? error.message : `${error}` }),
        );
        return;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watch.close();
  }

  /** While a machine runs, its line changes without any other news. */
  #tellLine(): void {
    const line = this.#lineNow();
    if (line === this.#lineTold) return;
    this.#lineTold = line;
    this.#changed();
  }
}
