import { statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { PcapFile } from '../../../formats/pcap/pcap-file.ts';
import { summarisePacket } from '../../../formats/pcap/summarise-packet.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';
import type { Capture, CaptureRequest, NetworkCapability, PacketPage } from '../../../machine/network.ts';
import type { RuntimePaths } from '../launch/runtime-paths.ts';
import type { OpenedFiles, OpenedPath } from '../opened-files.ts';
import type { CaptureSource, RunningCapture } from './capture-source.ts';
import { openCapture } from './open-capture.ts';

interface Entry {
  readonly id: string;
  readonly interface: string;
  readonly path: string;
  readonly grantedPath: string;
  readonly file: PcapFile;
  running: RunningCapture | undefined;
  /** The end that is under way, for all who ask for it. */
  ending: Promise<void> | undefined;
}

type NetworkHost = Pick<Host, 'report'>;

const maxAtOnce = 16;

/** The network cards and the captures of what goes through them. */
export class QemuNetwork implements NetworkCapability {
  readonly interfaces: readonly string[];
  readonly #sources: ReadonlyMap<string, CaptureSource>;
  readonly #paths: RuntimePaths;
  readonly #host: NetworkHost;
  readonly #files: OpenedFiles;
  readonly #entries = new Map<string, Entry>();

  constructor(sources: ReadonlyMap<string, CaptureSource>, paths: RuntimePaths, files: OpenedFiles, host: NetworkHost) {
    this.interfaces = [...sources.keys()];
    this.#sources = sources;
    this.#paths = paths;
    this.#files = files;
    this.#host = host;
  }

  get captures(): readonly Capture[] {
    return [...this.#entries.values()].map((entry) => this.#describe(entry));
  }

  async startCapture(request: CaptureRequest): Promise<Capture> {
    const name = request.interface ?? this.interfaces[0] ?? '';
    const source = this.#sources.get(name);
    if (!source) {
      throw new MachineError('NOT_FOUND', `There is no interface ${name}.`, `There is: ${this.interfaces.join(', ')}.`);
    }
    if ([...this.#entries.values()].filter(({ running }) => running).length >= maxAtOnce) {
      throw new MachineError(
        'LIMIT_REACHED',
        `${maxAtOnce} captures are already running.`,
        advice`Stop one with ${call('network_capture_stop')}.`,
      );
    }
    const { path, grantedPath } = await this.#newFile(request.path);
    const running = await source.start(grantedPath).catch(async (error: unknown) => {
      await (request.path === undefined ? rm(path, { force: true }) : this.#files.removeFile(path));
      throw error;
    });
    const file = new PcapFile((flags) => openCapture(grantedPath, flags), running.wallMs);
    const id = `capture-${this.#entries.size + 1}`;
    const entry: Entry = { id, interface: name, path, grantedPath, file, running, ending: undefined };
    this.#entries.set(entry.id, entry);
    running.onEnd?.((reason) => this.#ended(entry, reason));
    return this.#describe(entry);
  }

  async stopCapture(id: string): Promise<Capture> {
    const entry = this.#find(id);
    await this.#stop(entry);
    return this.#describe(entry);
  }

  /** The guest's time ends or jumps: what was captured so far stays, with the right times. */
  async stopAll(): Promise<void> {
    for (const entry of this.#entries.values()) {
      // Who asked for the end that is under way is told of its failure.
      await entry.ending?.catch(() => {});
      await this.#stop(entry, true);
    }
  }

  async packets(id: string, from: number, limit: number): Promise<PacketPage> {
    const { packets, total } = await this.#find(id).file.packets(from, limit);
    const lines = packets.map(
      ({ stampMs, length, bytes }, index) => `${from + index} ${timeOfDay(stampMs)} ${summarisePacket(bytes, length)}`,
    );
    return { lines, next: from + lines.length, total };
  }

  #stop(entry: Entry, evenIfRefused = false): Promise<void> {
    const { running } = entry;
    if (running) entry.ending ??= this.#end(entry, running, evenIfRefused);
    return entry.ending ?? Promise.resolve();
  }

  async #end(entry: Entry, running: RunningCapture, evenIfRefused: boolean): Promise<void> {
    try {
      await running.stop().catch((error: unknown) => {
        if (!evenIfRefused) throw error;
      });
      entry.running = undefined;
      await entry.file.settle();
    } finally {
      entry.ending = undefined;
    }
  }

  #ended(entry: Entry, reason: string): void {
    entry.running = undefined;
    const { id, path } = entry;
    this.#host.report({ type: 'capture_ended', text: `${id} ended on its own: ${reason}`, data: { id, path, reason } });
  }

  /** For this user alone: passwords of the guest go over the wire. Whoever captures finds it there and keeps it so. */
  async #newFile(asked: string | undefined): Promise<OpenedPath> {
    if (asked !== undefined) return this.#files.newFile(asked);
    const path = this.#paths.scratch('.pcap');
    await writeFile(path, '', { mode: 0o600, flag: 'wx' });
    return { path, grantedPath: path };
  }

  #describe({ id, interface: name, path, grantedPath, running }: Entry): Capture {
    const bytes = statSync(grantedPath, { throwIfNoEntry: false })?.size ?? 0;
    return { id, interface: name, path, active: running !== undefined, bytes };
  }

  #find(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry) return entry;
    const ids = [...this.#entries.keys()].join(', ');
    throw new MachineError(
      'NOT_FOUND',
      `There is no capture ${id}.`,
      ids ? `There are: ${ids}.` : advice`Start one with ${call('network_capture_start')}.`,
    );
  }
}

/** Universal time, to the microsecond. */
function timeOfDay(ms: number): string {
  const micros = Math.round(ms * 1000);
  return `${new Date(micros / 1000).toISOString().slice(11, 23)}${String(micros % 1000).padStart(3, '0')}`;
}
