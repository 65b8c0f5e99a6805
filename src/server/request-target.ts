import type { IncomingMessage } from 'node:http';

/** What a request asks for. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Undefined: the target is no path, such as `*` or that of a proxy's tunnel. Nothing in here throws, whatever was sent. */
export function targetOf({ url = '' }: IncomingMessage): RequestTarget | undefined {
  // The absolute form, which proxies send.
  const own = /^https?:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0;
  const target = own > 0 && url[own] !== '/' ? `/${url.slice(own)}` : url.slice(own);
  if (!target.startsWith('/')) return undefined;
  const [path = '/', ...query] = target.split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
}
