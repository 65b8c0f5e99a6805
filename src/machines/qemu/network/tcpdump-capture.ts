import { spawn } from 'node:child_process';
import { closeSync, openSync, statSync } from 'node:fs';
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
    // It gets the file and not its name: started as root, it becomes somebody else who could not open it.
    const file = openSync(path, 'w');
    const child = spawn('tcpdump', ['-i', this.#interface, '-U', '--immediate-mode', '-n', '-s', '65535', '-w', '-'], {
      stdio: ['ignore', file, 'pipe'],
      detached: true,
    });
    closeSync(file);
    // A signal that cannot be sent is an event of the child, too; its end is told by `close`.
    const failed = new Promise<void>((resolve) => child.on('error', () => resolve()));
    let said = '';
    child.stderr?.on('error', () => {});
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2000);
    });
    if (child.pid === undefined) {
      await failed;
      throw new MachineError('UNAVAILABLE', 'There is no tcpdump.', 'Install it, or use "capture":"qemu".');
    }
    const forget = this.#guard(child.pid);
    let state: 'running' | 'stopping' | 'ended' = 'running';
    const listeners: ((reason: string) => void)[] = [];
    const over = new Promise<void>((resolve) => child.once('close', () => resolve())).then(() => {
      const asked = state === 'stopping';
      state = 'ended';
      forget();
      if (!asked) for (const listener of listeners) listener(complaint(said));
    });
    const end = performance.now() + patienceMs;
    // It writes the file's header when it listens.
    while (!isOver() && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) < headerBytes) {
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
