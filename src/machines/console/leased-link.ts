import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { ByteConnection, ByteLink } from '../../links/byte-link.ts';
import type { LineLeases } from '../../machine/host.ts';
import type { ConsoleOptions } from './console-options.ts';
import { plainHost, remotePort } from './places.ts';

const loopback = /^(?:127\.|::1$|0\.0\.0\.0$|::$)/;

/** What has to be had alone: the board that was named, or among several hosts a serial port of another computer. */
export async function leaseOf(options: ConsoleOptions, isFleet: boolean): Promise<string | undefined> {
  const { board, device, rfc2217, host, port } = options;
  if (board !== undefined) return `board ${board}`;
  const remote = device === undefined ? (rfc2217 ? { host, port } : undefined) : remotePort(device);
  if (!remote || !isFleet) return undefined;
  const name = plainHost(remote.host).toLowerCase();
  if (name === 'localhost' || loopback.test(name)) return undefined;
  const found = isIP(name) ? [] : await lookup(name, { all: true }).catch(() => []);
  const [address = name] = found.map((each) => each.address).sort();
  return loopback.test(address) ? undefined : `serial port ${address}:${remote.port}`;
}

/** A line that is only open while nobody else can have it: not a byte goes out after that. */
export function leased(link: ByteLink, what: string, leases: LineLeases): ByteLink {
  let isRefused = false;
  return {
    ...link,
    onReturn(returned) {
      const stops = [link.onReturn?.(returned), isRefused ? leases.onFree?.(what, returned) : undefined];
      return () => {
        for (const stop of stops) stop?.();
      };
    },
    async open(signal) {
      let connection: ByteConnection | undefined;
      let close = (_reason: { readonly text: string; readonly final: boolean }) => {};
      let isOver = false;
      isRefused = true;
      const lease = await leases.take(what, (why) => {
        isOver = true;
        connection?.destroy();
        close({ text: why, final: false });
      });
      isRefused = false;
      const release = () => void lease.release();
      try {
        const opened = await link.open(signal);
        connection = opened;
        if (isOver) opened.destroy();
        return withLease(opened, {
          isHeld: () => lease.isHeld,
          release,
          closing: (told) => {
            close = told;
            if (isOver) told({ text: 'another host has the line', final: false });
          },
        });
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

interface Hold {
  isHeld(): boolean;
  release(): void;
  closing(told: (reason: { readonly text: string; readonly final: boolean }) => void): void;
}

function withLease(inner: ByteConnection, { isHeld, release, closing }: Hold): ByteConnection {
  const { serial } = inner;
  return {
    ...(serial && { serial }),
    start(events) {
      let isClosed = false;
      const close: typeof events.close = (reason) => {
        if (isClosed) return;
        isClosed = true;
        release();
        events.close(reason);
      };
      closing(close);
      inner.start({ ...events, close });
    },
    // A process that was stopped meanwhile may be late to hear that it has lost the line.
    write(bytes) {
      if (isHeld()) inner.write(bytes);
      else inner.destroy();
    },
    get pendingBytes() {
      return inner.pendingBytes;
    },
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    async sendBreak(durationMs) {
      if (!isHeld()) throw new Error('another host may have the line');
      await inner.sendBreak(durationMs);
    },
    async end(drainMs) {
      await inner.end(drainMs);
      release();
    },
    destroy() {
      inner.destroy();
      release();
    },
  };
}
