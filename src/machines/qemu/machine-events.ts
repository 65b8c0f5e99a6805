import type { QmpEvent } from '../../links/qmp/qmp-message.ts';
import type { ReportedEvent } from '../../machine/events.ts';

/** Running and stopping are reported by the debugger. */
const silent: ReadonlySet<string> = new Set(['STOP', 'RESUME', 'MIGRATION', 'MIGRATION_PASS', 'NIC_RX_FILTER_CHANGED']);
/** Of jobs that this server starts, who started them tells the end. */
const ownJob = /^job\d+$/;
const wayStations: ReadonlySet<unknown> = new Set(['created', 'running', 'waiting', 'aborting', 'null']);

const windowMs = 10_000;
const maxPerWindow = 10;

/** QEMU's events as those of the machine; many of one sort in a short time become a count. */
export class MachineEvents {
  readonly #report: (event: ReportedEvent) => void;
  readonly #windows = new Map<string, { began: number; count: number }>();

  constructor(report: (event: ReportedEvent) => void) {
    this.#report = report;
  }

  event({ name, data, at }: QmpEvent): void {
    if (silent.has(name) || isOwnAffair(name, data)) return;
    const type = name.toLowerCase();
    const window = this.#windows.get(name);
    if (!window || at - window.began > windowMs) {
      this.#count(name);
      this.#windows.set(name, { began: at, count: 1 });
    } else if (++window.count > maxPerWindow) {
      return;
    }
    this.#report({ type, text: describe(name, data), data });
    if (name === 'SHUTDOWN') for (const each of this.#windows.keys()) this.#count(each);
  }

  /** Tells how many were left out. */
  #count(name: string): void {
    const left = (this.#windows.get(name)?.count ?? 0) - maxPerWindow;
    this.#windows.delete(name);
    if (left <= 0) return;
    const text = `${left} more within ${windowMs / 1000} s were left out`;
    this.#report({ type: name.toLowerCase(), text, data: { left_out: left } });
  }
}

function isOwnAffair(name: string, data: Readonly<Record<string, unknown>>): boolean {
  if (name === 'JOB_STATUS_CHANGE') return ownJob.test(String(data.id)) || wayStations.has(data.status);
  if (name.startsWith('BLOCK_JOB_')) return ownJob.test(String(data.device));
  // Another one comes for the device itself.
  return name === 'DEVICE_DELETED' && String(data.path).endsWith('/virtio-backend');
}

function describe(name: string, data: Readonly<Record<string, unknown>>): string {
  switch (name) {
    case 'SHUTDOWN':
      if (data.reason === 'guest-reset') return 'the guest resets the machine';
      return data.guest === true ? `the guest shuts down (${data.reason})` : `QEMU shuts down (${data.reason})`;
    case 'RESET':
      return data.guest === true
        ? `the guest reset the machine (${data.reason})`
        : `the machine was reset (${data.reason})`;
    case 'POWERDOWN':
      return 'the guest was asked to power down';
    case 'GUEST_PANICKED':
      return 'the guest reports that it panicked';
    case 'WATCHDOG':
      return `the watchdog fired: ${data.action}`;
    case 'BLOCK_IO_ERROR':
      return `a ${data.operation} on ${data.device || data['node-name']} failed: ${data.reason}`;
    case 'DEVICE_TRAY_MOVED':
      return `the tray of ${data.id} is ${data['tray-open'] === true ? 'open' : 'closed'}`;
    case 'DEVICE_DELETED':
      return `the device ${data.device ?? data.path} is gone`;
    case 'JOB_STATUS_CHANGE':
      return `the job ${data.id} is ${data.status}`;
    case 'BLOCK_JOB_COMPLETED':
      return `the job ${data.device} has ended${data.error === undefined ? '' : `: ${data.error}`}`;
    case 'VNC_CONNECTED':
    case 'VNC_INITIALIZED':
    case 'VNC_DISCONNECTED':
      return `a person's VNC is ${name.slice(4).toLowerCase()}`;
    default:
      return Object.keys(data).length > 0
        ? JSON.stringify(data).slice(0, 300)
        : name.toLowerCase().replaceAll('_', ' ');
  }
}
