import { chmodSync, lstatSync, type Stats, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { describeError, errorCode, outOfDescriptorsFix } from '../links/serial/reasons.ts';
import { maxSocketPathBytes } from '../links/serial/socket-path.ts';
import { MachineError } from '../machine/errors.ts';

const maxClients = 64;
const probeMs = 1000;

/**
 * Listens on a unix socket that only this user can open (0600). Replaces the socket of a server that is gone, and
 * nothing else that may lie at that place. Closing the server removes the socket.
 */
export async function listenPrivately(path: string, accepted: (socket: Socket) => void): Promise<Server> {
  checkLength(path);
  await removeStaleSocket(path);
  const server = createServer({ allowHalfOpen: true }, accepted);
  server.maxConnections = maxClients;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      // Somebody else was quicker.
      if (errorCode(cause) === 'EADDRINUSE') return reject(inUse(path));
      const message = `Cannot listen on ${path}: ${describeError(cause)}.`;
      const fix = outOfDescriptorsFix(cause) ?? 'Check the runtime directory of the server.';
      reject(new MachineError('UNAVAILABLE', message, fix, {}, { cause }));
    });
    // Node binds the path within the call: the socket never has another mode.
    const umask = narrowMask();
    try {
      server.listen(path, resolve);
      if (umask === undefined && server.listening) chmodSync(path, 0o600);
    } finally {
      if (umask !== undefined) process.umask(umask);
    }
  });
  // A failed accept (out of descriptors) concerns that client only.
  server.on('error', () => {});
  return server;
}

/** The mask of before; undefined in a worker, which cannot change it. There the directory, which is private, keeps others out. */
function narrowMask(): number | undefined {
  try {
    return process.umask(0o177);
  } catch (error) {
    if (errorCode(error) === 'ERR_WORKER_UNSUPPORTED_OPERATION') return undefined;
    throw error;
  }
}

/** Whether somebody answers on the unix socket. Unsure is yes: then it stays. */
export function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (alive: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(alive);
    };
    const timer = setTimeout(() => settle(true), probeMs);
    socket.once('connect', () => settle(true));
    socket.on('error', (error) => settle(!['ECONNREFUSED', 'ENOENT'].includes(errorCode(error) ?? '')));
  });
}

export function lstatOrNothing(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

async function removeStaleSocket(path: string): Promise<void> {
  const found = lstatOrNothing(path);
  if (!found) return;
  if (!found.isSocket() || found.uid !== process.getuid?.()) {
    const fix = 'Remove it by hand, or start the machine under another name.';
    throw new MachineError('NAME_TAKEN', `${path} exists and is not one of our sockets.`, fix, { path });
  }
  if (await isAlive(path)) throw inUse(path);
  // Another server may have taken the place meanwhile.
  const now = lstatOrNothing(path);
  if (now && (now.ino !== found.ino || now.ctimeMs !== found.ctimeMs)) throw inUse(path);
  if (now) unlinkSync(path);
}

function inUse(path: string): MachineError {
  const fix = 'Start the machine under another name, or stop the server that has it.';
  return new MachineError('NAME_TAKEN', `${path} is in use by another server.`, fix, { path });
}

function checkLength(path: string): void {
  const length = Buffer.byteLength(path);
  if (length <= maxSocketPathBytes) return;
  const message = `The socket path ${path} is ${length} bytes long; the system allows ${maxSocketPathBytes}.`;
  throw new MachineError('INVALID_ARGUMENT', message, 'Use a shorter name or a shorter runtime directory.', { path });
}
