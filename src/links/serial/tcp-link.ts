import { isIPv6 } from 'node:net';
import type { ByteLink } from '../byte-link.ts';
import { onceListening } from './listeners.ts';
import { SocketConnection } from './socket-connection.ts';

export interface TcpLinkOptions {
  /** A name, an IPv4 or an IPv6 address, the latter with or without brackets. */
  readonly host: string;
  readonly port: number;
  readonly connectTimeoutMs?: number;
  /** Asked before each attempt: what to connect to for this host; rejects where that is not allowed. */
  readonly allowed?: (host: string) => Promise<string>;
}

/** Node's 250 ms per address gives up on far hosts. */
const attemptTimeoutMs = 1500;

/** A TCP port somebody else listens on. */
export function tcpLink(options: TcpLinkOptions): ByteLink {
  const { port, connectTimeoutMs = 10_000 } = options;
  const host = options.host.replace(/^\[(.*)\]$/, '$1');
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new RangeError(`${port} is not a TCP port (1-65535)`);
  if (host === '') throw new RangeError('the host is empty');
  return {
    target: `tcp ${isIPv6(host) ? `[${host}]` : host}:${port}`,
    ...(isThisComputer(host) && { onReturn: (returned) => onceListening(`tcp ${port}`, returned) }),
    async open(signal) {
      const to = options.allowed ? await within(connectTimeoutMs, signal, options.allowed(host)) : host;
      return SocketConnection.connect(
        { host: to, port, autoSelectFamilyAttemptTimeout: attemptTimeoutMs },
        {
          timeoutMs: connectTimeoutMs,
          signal,
          breakAdvice: 'a raw TCP connection cannot carry a BREAK; use the telnet protocol if the other side speaks it',
        },
      );
    },
  };
}

function isThisComputer(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Looking up a name can take longer than anybody waits. */
async function within<T>(timeoutMs: number, signal: AbortSignal, answer: Promise<T>): Promise<T> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const late = new Promise<never>((_, reject) => {
    const giveUp = () =>
      reject(new Error(signal.aborted ? 'the attempt to connect was cancelled' : `no address within ${timeoutMs} ms`));
    if (deadline.aborted) giveUp();
    deadline.addEventListener('abort', giveUp, { once: true });
  });
  return Promise.race([answer, late]);
}
