/** Why a connection closed that was closed from this side. */
export const closedHere = { text: 'closed from this side', final: false } as const;

const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: nothing is listening there',
  ECONNRESET: 'the other side reset the connection',
  EPIPE: 'the other side no longer accepts data',
  ETIMEDOUT: 'the other side does not answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'no host has that name',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is not a directory',
  ENOTSOCK: 'the file is not a socket',
  EPROTOTYPE: 'the socket is not a stream socket',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EBUSY: 'another program has it open',
  EIO: 'the device is gone or failed',
  ENXIO: 'the device is gone',
  ENODEV: 'the device is gone',
  EMFILE: 'this process has too many files open',
  ENFILE: 'this computer has too many files open',
};

/** The error code of Node or of the operating system, if there is one. */
export function errorCode(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return undefined;
}

/** What to do when no descriptor was left; nothing for any other error. */
export function outOfDescriptorsFix(error: unknown): string | undefined {
  const code = errorCode(error);
  if (code !== 'EMFILE' && code !== 'ENFILE') return undefined;
  return 'Stop machines that are not needed, or start the server with a higher limit (ulimit -n).';
}

/** What went wrong, for people, with the code that a search engine knows. */
export function describeError(error: unknown): string {
  // Node tries all addresses of a host and then throws one error, without a message, around the errors of each.
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  const code = errorCode(error);
  const meaning = code && meanings[code];
  if (meaning) return `${meaning} (${code})`;
  return error instanceof Error ? error.message || error.name : String(error);
}
