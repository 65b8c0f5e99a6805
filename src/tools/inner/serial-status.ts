import { z } from 'zod';
import type { ConsolePort } from '../../machine/console.ts';
import { portNamed } from '../console/port-named.ts';
import { defineTool } from '../tool.ts';

const lookEveryMs = 500;

export const serialStatus = defineTool({
  name: 'serial_status',
  title: 'Look at a serial line',
  description:
    'Its link, what is kept of its output, and the sockets and the window that people have; waits for the link.',
  toolset: 'inner',
  needs: ['console'],
  effect: 'read',
  letsTimePass: true,
  idempotent: true,
  input: z.object({ wait_ms: z.number().int().min(0).max(30_000).default(0) }),
  async run({ console }, { wait_ms }, { signal, progress }) {
    const port = portNamed(console, undefined);
    await firstLink(port, wait_ms, signal, progress);
    const { link, output, humans } = port;
    return {
      text: '',
      data: {
        link: link.state,
        target: link.target,
        lines: output.lines,
        bytes: output.end - output.start,
        socket_in: humans.serialLinks?.in ?? humans.socketIn,
        socket_out: humans.serialLinks?.out ?? humans.socketOut,
        window_pid: humans.window?.pid ?? null,
      },
    };
  },
});

/** Waits until it is connected, or the first attempt has failed. */
async function firstLink(
  port: ConsolePort,
  waitMs: number,
  signal: AbortSignal,
  progress: (message: string) => void,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (port.link.state !== 'up' && port.link.attempts < 2 && performance.now() < deadline && !signal.aborted) {
    progress(`connecting to ${port.link.target}`);
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        unlisten();
        resolve();
      };
      const timer = setTimeout(done, lookEveryMs);
      const unlisten = port.onActivity(done);
    });
  }
}
