import type { ByteLink } from '../byte-link.ts';
import { onceListening } from './listeners.ts';
import { SocketConnection } from './socket-connection.ts';
import { checkSocketPath } from './socket-path.ts';

/** A unix socket somebody else listens on. */
export function unixLink({ path }: { readonly path: string }): ByteLink {
  checkSocketPath(path);
  return {
    target: `unix ${path}`,
    onReturn: (returned) => onceListening(`unix ${path}`, returned),
    open: (signal) =>
      SocketConnection.connect(
        { path },
        {
          timeoutMs: 10_000,
          signal,
          breakAdvice: 'a raw unix socket cannot carry a BREAK; use the telnet protocol if the other side speaks it',
        },
      ),
  };
}
