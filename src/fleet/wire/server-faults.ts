import { MachineError } from '../../machine/errors.ts';
import { factsOf } from './streams.ts';

/** What is said of errors of the connection and of the server's streams. */
const serverErrors: ReadonlyMap<string, string> = new Map([
  ...[
    ['AuthorizationError', 'the NATS server refused the credentials'],
    ['UserAuthenticationExpiredError', 'the credentials have expired'],
    ['PermissionViolationError', 'the NATS server does not allow it with these credentials'],
    ['JetStreamNotEnabled', 'the NATS server has no JetStream'],
    ['StreamNotFoundError', 'the NATS server has lost its streams'],
    ['TimeoutError', 'the NATS server does not answer in time'],
    ['NoResponders', 'the streams of the NATS server do not answer'],
  ].map(([name = '', text = '']) => [name, text] as const),
  ...['ClosedConnectionError', 'ConnectionError', 'DrainingConnectionError', 'ProtocolError', 'RequestError'].map(
    (name) => [name, 'there is no connection to the NATS server'] as const,
  ),
  ...['JetStreamApiError', 'JetStreamError', 'JetStreamStatusError'].map(
    (name) => [name, 'the NATS server could not do it'] as const,
  ),
]);

/** Limits of the account, of the server's memory and of its disk. */
const fullCodes: ReadonlySet<unknown> = new Set([10002, 10023, 10028, 10047]);
const fullTexts = /insufficient|resource limits|no space left|disk quota|maximum (bytes|messages)/i;

/** The server is away, or does not do what it is asked: no fault of ours. */
export function isOfServer(error: unknown): boolean {
  return error instanceof Error && serverErrors.has(error.name);
}

/** In words of our own: the server's tell of its folders and streams, which is nothing for agents. */
export function whyOfServer(error: unknown): string {
  return (error instanceof Error && serverErrors.get(error.name)) || 'the NATS server could not do it';
}

export function isFull(error: unknown): boolean {
  const { code, message } = factsOf(error);
  return fullCodes.has(code) || (isOfServer(error) && fullTexts.test(message));
}

export function storeIsFull(cause: unknown): MachineError {
  return new MachineError(
    'LIMIT_REACHED',
    'The NATS server of the fleet has no room left in its store. Nothing was written.',
    'Save to a path of the host instead. The operator can make room with frontpanel store delete NAME, give the server a larger disk, or raise max_file_store in its configuration.',
    { full: 'nats' },
    { cause },
  );
}
