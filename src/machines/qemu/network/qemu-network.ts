import { existsSync, statSync } from 'node:fs';
import { MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';
import type { Capture, CaptureRequest, NetworkCapability, PacketPage } from '../../../machine/network.ts';
import type { RuntimePaths } from '../launch/runtime-paths.ts';
import type { CaptureSource, RunningCapture } from './capture-source.ts';
import { PcapFile } from './pcap-file.ts';
import { summarisePacket } from './summarise-packet.ts';

interface Entry {
  readonly id: string;
  readonly path: string;
  readonly file: PcapFile;
  running: RunningCapture | undefined;
}

const maxAtOnce = 16;

/** The network card and the captures of what goes through it. */
export class QemuNetwork implements NetworkCapability {
  readonly interfaces: readonly string[];
  readonly #source: CaptureSource;
  readonly #paths: RuntimePaths;
  readonly #host: Pick<Host, 'allowedPath'>;
  readonly #entries = new Map<string, Entry>();

  constructor(name: string, source: CaptureSource, paths: RuntimePaths, host: Pick<Host, 'allowedPath'>) {
    this.interfaces = [name];
    this.#source = source;
    this.#paths = paths;
    this.#host = host;
  }

  get captures(): readonly Capture[] {
    return [...this.#entries.values()].map((entry) => this.#describe(entry));
  }

  async startCapture(request: CaptureRequest): Promise<Capture> {
    if (request.interface !== undefined && !this.interfaces.includes(request.interface)) {
      throw new MachineError(
        'NOT_FOUND',
        `There is no interface ${request.interface}.`,
        `There is: ${this.interfaces.join(', ')}.`,
      );
    }
    if ([...this.#entries.values()].filter(({ running }) => running).length >= maxAtOnce) {
      throw new MachineError(
        'LIMIT_REACHED',
        `${maxAtOnce} captures are going on.`,
        'Stop one with network_capture_stop.',
      );
    }
    const path = request.path === undefined ? this.#paths.scratch('.pcap') : await this.#newFile(request.path);
    const running = await this.#source.start(path);
    const entry: Entry = { id: `capture-${this.#entries.size + 1}`, path, file: new PcapFile(path), running };
    this.#entries.set(entry.id, entry);
    return this.#describe(entry);
  }

  async stopCapture(id: string): Promise<Capture> {
    const entry = this.#find(id);
    const { running } = entry;
    if (running) {
      await running.stop();
      await this.#finish(entry, running);
    }
    return this.#describe(entry);
  }

  /** The guest's time ends or jumps: what was captured so far stays, with the right times. */
  async stopAll(): Promise<void> {
    for (const entry of this.#entries.values()) {
      const { running } = entry;
      if (!running) continue;
      await running.stop().catch(() => {});
      await this.#finish(entry, running);
    }
  }

  async packets(id: string, from: number, limit: number): Promise<PacketPage> {
    const { file, running } = this.#find(id);
    const packets = await file.packets(from, limit);
    const lines = packets.map(({ stampMs, length, bytes }, index) => {
      const time = timeOfDay(running ? running.wallMs(stampMs) : stampMs);
      return `${from + index} ${time} ${summarisePacket(bytes, length)}`;
    });
    return { lines, next: from + lines.length, total: await file.count() };
  }

  async #finish(entry: Entry, running: RunningCapture): Promise<void> {
    entry.running = undefined;
    if (running.needsRestamp) await entry.file.restamp((stampMs) => running.wallMs(stampMs));
  }

  async #newFile(asked: string): Promise<string> {
    const path = await this.#host.allowedPath(asked, 'write');
    if (!existsSync(path)) return path;
    throw new MachineError('NAME_TAKEN', `${asked} is there already.`, 'Give the name of a new file, or none.');
  }

  #describe({ id, path, running }: Entry): Capture {
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return { id, interface: this.interfaces[0] ?? '', path, active: running !== undefined, bytes };
  }

  #find(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry) return entry;
    const ids = [...this.#entries.keys()].join(', ');
    throw new MachineError(
      'NOT_FOUND',
      `There is no capture ${id}.`,
      ids ? `There are: ${ids}.` : 'Start one with network_capture_start.',
    );
  }
}

/** Universal time, to the microsecond. */
function timeOfDay(ms: number): string {
  const micros = Math.round(ms * 1000);
  return `${new Date(micros / 1000).toISOString().slice(11, 23)}${String(micros % 1000).padStart(3, '0')}`;
}
