/**
 * Loaded into the program before it starts (`node --import`), so that failures can be put where no test can provoke
 * them. The program itself knows nothing of it.
 */
import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';

const failure = () => Object.assign(new Error('injected failure'), { code: 'ECONNRESET', syscall: 'read' });
const standard = () => [process.stdin, process.stdout, process.stderr];
const handles = () => process._getActiveHandles().filter((handle) => !standard().includes(handle));

/** Every place where a timer was set, and whether its callback has failed already. */
const sites = new Map();
let timersFail = false;

function failingOnce(callback) {
  const site = new Error('site').stack?.split('\n').slice(3, 5).join();
  return (...args) => {
    if (timersFail && !sites.has(site)) {
      sites.set(site, true);
      throw failure();
    }
    return callback(...args);
  };
}

for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
  const original = globalThis[name];
  const replacement = (callback, ...rest) =>
    original(typeof callback === 'function' ? failingOnce(callback) : callback, ...rest);
  globalThis[name] = Object.assign(replacement, original);
}

/** What can be made to fail; each says how many of its kind did. */
const kinds = {
  /** All connections: HTTP, WebSocket, unix sockets, links to guests, pipes of child processes. */
  sockets: () => handles().filter((handle) => handle instanceof Socket && handle.destroy(failure())).length,
  /** The error comes, and the socket stays. */
  'socket errors': () =>
    handles().filter((handle) => handle instanceof Socket && handle.emit('error', failure())).length,
  servers: () => handles().filter((handle) => handle instanceof Server && handle.emit('error', failure())).length,
  children: () =>
    handles().filter((handle) => handle instanceof ChildProcess && handle.emit('error', failure())).length,
  stdin: () => Number(process.stdin.destroy(failure()) !== undefined),
  stdout: () => Number(process.stdout.destroy(failure()) !== undefined),
  stderr: () => Number(process.stderr.emit('error', failure())),
  timers: () => {
    timersFail = true;
    return 1;
  },
  'timers that failed': () => sites.size,
  exception: () => {
    queueMicrotask(() => {
      throw failure();
    });
    return 1;
  },
  rejection: () => {
    Promise.reject(failure());
    return 1;
  },
  storm: () => {
    for (let count = 0; count < 50; count++) Promise.reject(failure());
    return 50;
  },
};

process.on('message', (kind) => process.send?.(kinds[kind]()));
process.channel?.unref();
