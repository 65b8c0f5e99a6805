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
    let state: 'running' | 'stopping' | 'ended' = 'running';
    const listeners: ((reason: string) => void)[] = [];
    const over = once(child, 'close').then(() => {
      const asked = state === 'stopping';
      state = 'ended';
      forget();
      if (!asked) for (const listener of listeners) listener(complaint(said));
    });
    const end = performance.now() + patienceMs;
    // It writes the file's header when it listens.
    while (!isOver() && (!existsSync(path) || statSync(path).size < headerBytes)) {
      if (performance.now() > end) child.kill('SIGKILL');
      await setTimeout(pollMs);
    }
    if (isOver()) {
      throw new MachineError(
        'UNAVAILABLE',
        `tcpdump does not capture: ${complaint(said)}`,
        'It needs the right to, and an interface that is up; or use "capture":"qemu".',
      );
    }
    return { stop, onEnd: (listener) => listeners.push(listener) };

    function isOver(): boolean {
      return state === 'ended';
    }

    async function stop(): Promise<void> {
      if (isOver()) return;
      state = 'stopping';
      child.kill('SIGINT');
      const late = new AbortController();
      void setTimeout(patienceMs, undefined, { signal: late.signal }).then(
        () => child.kill('SIGKILL'),
        () => {},
      );
      await over;
      late.abort();
    }
  }
}

/** Its last words, without the counts that it ends with. */
function complaint(said: string): string {
  const lines = said.split('\n').filter((line) => /^tcpdump: (?!listening|data link|verbose)/.test(line));
  return lines.join(' ').slice(0, 300) || said.trim().slice(0, 300) || 'it has ended';
}
