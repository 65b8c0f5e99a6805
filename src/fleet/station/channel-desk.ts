import { z } from 'zod';
import type { MomentsWanted, ToolHost } from '../../api/tool-host.ts';
import { Channel } from '../wire/channel.ts';
import type { Message } from '../wire/message.ts';
import type { Wire } from '../wire/wire.ts';
import { openTunnel, type SocketPaths } from './tunnel-end.ts';
import { WatchEnd, watchShape } from './watch-end.ts';

const openShape = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{8,64}$/),
  type: z.string(),
  of: z.unknown(),
});
const machineShape = z.object({ machine: z.string() });
const visitShape = machineShape.extend({ who: z.string() });
const tunnelShape = machineShape.extend({ console: z.string(), end: z.enum(['in', 'out', 'people']) });

/** What is open for one gateway, until it or the machine goes. */
interface Open {
  take(message: Message): void;
  close(): void;
}

type Opener = (
  host: ToolHost,
  of: unknown,
  channel: Channel,
  parts: { readonly paths: SocketPaths; changed(machine: string): void },
) => Open | undefined;

const openers: Readonly<Record<string, Opener>> = {
  watch: (host, of, channel, { changed }) => WatchEnd.open(host, watchShape.parse(of), channel, changed),
  visit(host, of) {
    const { machine, who } = visitShape.parse(of);
    const leave = host.visit(machine, who);
    return leave && { take() {}, close: leave };
  },
  moments(host, of, channel) {
    const { machine, wanted } = machineShape.extend({ wanted: z.unknown() }).parse(of);
    const stop = host.moments(machine, wanted as MomentsWanted, (moment) => channel.send({ t: 'moment', moment }));
    return stop && { take() {}, close: stop };
  },
  follow(host, of, channel) {
    const followed = host.follow(machineShape.parse(of).machine);
    return {
      take: ({ head: { id } }) => void followed.next().then((next) => channel.send({ t: 'next', id, ...next })),
      close() {},
    };
  },
  tunnel(_host, of, channel, { paths }) {
    const { machine, console, end } = tunnelShape.parse(of);
    const path = paths(machine, console)?.[end];
    return path === undefined ? undefined : openTunnel(path, channel);
  },
};

/** Things that last between a gateway and a machine here: people who watch, debuggers that visit, consoles that are attached to. */
export class ChannelDesk {
  readonly #line: Wire;
  readonly #host: ToolHost;
  readonly #hostName: string;
  readonly #paths: SocketPaths;
  readonly #changed: (machine: string) => void;
  readonly #open = new Map<string, { readonly channel: Channel; readonly open: Open }>();

  /** `changed` is told of a machine that is another for people than before, and for nobody else. */
  constructor(line: Wire, host: ToolHost, hostName: string, paths: SocketPaths, changed: (machine: string) => void) {
    this.#changed = changed;
    this.#line = line;
    this.#host = host;
    this.#hostName = hostName;
    this.#paths = paths;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Answers whether there is such a machine. */
  open({ head }: Message, reply: string | undefined): void {
    const { data } = openShape.safeParse(head);
    if (!data || this.#open.has(data.id)) return;
    const { id, type, of } = data;
    let opened: Open | undefined;
    const channel = new Channel(this.#line, this.#hostName, id, 'station', {
      message: (message) => opened?.take(message),
      closed: () => this.#ended(id),
    });
    try {
      const opener = Object.hasOwn(openers, type) ? openers[type] : undefined;
      opened = opener?.(this.#host, of, channel, { paths: this.#paths, changed: this.#changed });
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
    }
    if (opened) this.#open.set(id, { channel, open: opened });
    else channel.close();
    if (reply !== undefined) this.#line.publish(reply, { t: 'opened', isThere: opened !== undefined });
  }

  closeAll(): void {
    for (const [id, { channel }] of this.#open) {
      channel.close();
      this.#ended(id);
    }
  }

  #ended(id: string): void {
    this.#open.get(id)?.open.close();
    this.#open.delete(id);
  }
}
