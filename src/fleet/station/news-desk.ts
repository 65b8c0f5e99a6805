import type { Change, ToolHost } from '../../api/tool-host.ts';
import type { Holder } from '../wire/names.ts';
import type { FleetMachine } from '../wire/shapes.ts';
import { subjects } from '../wire/subjects.ts';
import type { Wire } from '../wire/wire.ts';

/** Changes within so long are told together. */
const gatherMs = 50;

/** Names of the sockets of a machine's consoles. */
export type SocketNames = (machine: string) => readonly string[];

/** Tells gateways what has changed on this station's machines, under numbers without a hole. */
export class NewsDesk {
  readonly #line: Wire;
  readonly #host: ToolHost;
  readonly #who: Holder;
  readonly #sockets: SocketNames;
  readonly #stops: (() => void)[];
  readonly #isAtOnce: boolean;
  #known = new Set<string>();
  #changes: Change[] = [];
  #timer: NodeJS.Timeout | undefined;
  #seq = 0;

  constructor(line: Wire, host: ToolHost, who: Holder, sockets: SocketNames, isAtOnce = false) {
    this.#isAtOnce = isAtOnce;
    this.#line = line;
    this.#host = host;
    this.#who = who;
    this.#sockets = sockets;
    this.#stops = [
      host.onChange((change) => {
        this.#changes.push(change);
        if (this.#isAtOnce) this.#tell();
        else this.#soon();
      }),
      // At once: gateways know of a machine before whoever started it is answered.
      host.onListChange(() => this.#tell()),
    ];
  }

  /** The number of what was told last. */
  get seq(): number {
    return this.#seq;
  }

  /** Everything there is now. */
  all(): Readonly<Record<string, unknown>> {
    return { ...this.#who, seq: this.#seq, machines: this.machines(), gone: [], changes: [] };
  }

  machines(only?: ReadonlySet<string>): readonly FleetMachine[] {
    const entries = this.#host.resources.flatMap((family) =>
      family.list().map((entry) => ({ entry, owner: family.owner?.(entry.uri) })),
    );
    return this.#host
      .machines()
      .filter(({ handle }) => only?.has(handle) ?? true)
      .map((summary) => ({
        ...summary,
        resources: entries.flatMap(({ entry, owner }) => (owner === summary.handle ? [entry] : [])),
        sockets: this.#sockets(summary.handle),
      }));
  }

  /** How a machine is now, although nobody was told of a change yet. */
  tellNow(machine: string): void {
    this.#publish(new Set([machine]), [], []);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => this.#tell(), gatherMs);
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changes = this.#changes;
    this.#changes = [];
    const present = new Set(this.#host.machines().map(({ handle }) => handle));
    const gone = [...this.#known].filter((handle) => !present.has(handle));
    const touched = new Set([
      ...changes.map(({ machine }) => machine),
      ...[...present].filter((handle) => !this.#known.has(handle)),
    ]);
    this.#known = present;
    this.#publish(touched, gone, changes);
  }

  #publish(touched: ReadonlySet<string>, gone: readonly string[], changes: readonly Change[]): void {
    const news = { ...this.#who, seq: ++this.#seq, machines: this.machines(touched), gone, changes };
    this.#line.publish(subjects.news(this.#who.host), news);
  }
}
