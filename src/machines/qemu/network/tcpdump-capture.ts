import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { MachineError } from '../../../machine/errors.ts';
import type { Host } from '../../../machine/host.ts';
import type { CaptureSource, RunningCapture } from './capture-source.ts';

const patienceMs = 5000;
const pollMs = 10;
const headerBytes = 24;

/** The host's view of a tap interface. */
export class TcpdumpCapture implements CaptureSource {
  readonly #interface: string;
  readonly #guard: Host['guardProcessGroup'];

  constructor(tap: string, guard: Host['guardProcessGroup']) {
    this.#interface = tap;
    this.#guard = guard;
  }

  async start(path: string): Promise<RunningCapture> {
    const child = spawn('tcpdump', ['-i', this.#interface, '-U', '--immediate-mode', '-n', '-s', '65535', '-w', path], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2000);
    });
    if (child.pid === undefined) {
      await once(child, 'error');
      throw new MachineError('UNAVAILABLE', 'There is no tcpdump.', 'Install it, or use "capture":"qemu".');
    }
    const forget = this.#guard(child.pid);
    let ended = false;
    const over = once(child, 'close').then(() => {
      ended = true;
      forget();
    });
    const end = performance.now() + patienceMs;
    // It writes the file's header when it listens.
    while (!ended && (!existsSync(path) || statSync(path).size < headerBytes)) {
      if (performance.now() > end) child.kill('SIGKILL');
      await setTimeout(pollMs);
    }
    if (ended) {
      throw new MachineError(
        'UNAVAILABLE',
        `tcpdump does not capture: ${said.trim().slice(0, 300)}`,
        'It needs the right to; or use "capture":"qemu".',
      );
    }
    const stop = async () => {
      child.kill('SIGINT');
      await over;
    };
    return { stop, needsRestamp: false, wallMs: (stampMs) => stampMs };
  }
}
