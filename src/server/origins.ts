import type { IncomingMessage } from 'node:http';

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const methods = 'GET, POST, DELETE';
/** What clients of the protocol send beside what every page may; parameters that tools mirror begin with `mcp-`. */
const mayBeSent = /^(accept|authorization|content-type|last-event-id|mcp-[a-z0-9-]{1,60})$/;
const mayBeRead = 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after';
const preflightSeconds = 600;

/** Which web pages may call the server: those of this computer, its own, and those of the origins that were named. */
export class Origins {
  readonly #named: ReadonlySet<string>;

  constructor(named: readonly string[]) {
    this.#named = new Set(named);
  }

  /** A request without an origin comes from no page. */
  admits({ headers }: IncomingMessage): boolean {
    const { origin } = headers;
    if (origin === undefined || this.#named.has(origin)) return true;
    const page = parse(origin);
    return page !== undefined && (loopback.has(page.hostname) || page.host === headers.host?.toLowerCase());
  }

  /** Browsers let any page open a socket anywhere, so only the server's own page may, and pages that were named. */
  admitsSocket({ headers }: IncomingMessage): boolean {
    const { origin } = headers;
    if (origin === undefined || this.#named.has(origin)) return true;
    return parse(origin)?.host === headers.host?.toLowerCase();
  }

  /** What tells a browser that a page of a named origin may read the answer. */
  grants({ headers }: IncomingMessage): Readonly<Record<string, string>> {
    const { origin } = headers;
    if (this.#named.size === 0) return {};
    if (origin === undefined || !this.#named.has(origin)) return { vary: 'Origin' };
    return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': mayBeRead };
  }

  /** The answer to a browser that asks first; undefined if that is not what it does, or not for such a page. */
  preflight({ method, headers }: IncomingMessage): Readonly<Record<string, string>> | undefined {
    const { origin } = headers;
    if (method !== 'OPTIONS' || origin === undefined || !this.#named.has(origin)) return undefined;
    if (headers['access-control-request-method'] === undefined) return undefined;
    const asked = headers['access-control-request-headers'] ?? '';
    const allowed = asked.split(',').filter((name) => mayBeSent.test(name.trim().toLowerCase()));
    return {
      'access-control-allow-methods': methods,
      'access-control-allow-headers': allowed.map((name) => name.trim().toLowerCase()).join(', '),
      'access-control-max-age': String(preflightSeconds),
      ...(headers['access-control-request-private-network'] === 'true' && {
        'access-control-allow-private-network': 'true',
      }),
    };
  }
}

/** Only what is written as a browser writes an origin. */
function parse(origin: string): URL | undefined {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  return url.origin === origin ? url : undefined;
}
