import { MachineError } from '../../../machine/errors.ts';
import type { QemuSession } from '../qemu-session.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { CaptureSource, RunningCapture } from './capture-source.ts';

const maxFrameBytes = 65_536;
const attempts = 5;

/**
 * QEMU's own capture, which needs no rights. It stamps packets with the second at which it was started plus the guest's
 * whole uptime; so the uptime at each packet is known, and from it the real time.
 */
export class FilterDump implements CaptureSource {
  readonly #session: QemuSession;
  readonly #clock: VirtualClock;
  readonly #netdev: string;
  #ids = 0;

  constructor(session: QemuSession, clock: VirtualClock, netdev: string) {
    this.#session = session;
    this.#clock = clock;
    this.#netdev = netdev;
  }

  async start(path: string): Promise<RunningCapture> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const id = `capture-${this.#netdev}-${++this.#ids}`;
      const before = Math.floor(Date.now() / 1000);
      await this.#session.execute('object-add', {
        'qom-type': 'filter-dump',
        id,
        netdev: this.#netdev,
        file: path,
        maxlen: maxFrameBytes,
      });
      const stop = async () => {
        await this.#session.execute('object-del', { id });
      };
      // Within this second, or it would not be known which one QEMU took.
      if (Math.floor(Date.now() / 1000) === before) {
        return { stop, wallMs: (stampMs) => this.#clock.wallMs(stampMs - before * 1000) };
      }
      await stop();
    }
    throw new MachineError('UNAVAILABLE', 'QEMU takes too long to start a capture.', 'Try again.');
  }
}
