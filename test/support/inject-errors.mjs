/**
 * Loaded before the program: remembers every socket, server, process and thread it makes. On SIGUSR2 each of them fails,
 * and INJECTED names those whose failure nobody would have caught.
 */
import diagnostics from 'node:diagnostics_channel';
import { renameSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import net from 'node:net';
import workers from 'node:worker_threads';

const made = [];
const remember = (kind, emitter) => made.push({ kind, emitter, where: new Error().stack });

diagnostics.subscribe('net.client.socket', ({ socket }) => remember('connected socket', socket));
diagnostics.subscribe('net.server.socket', ({ socket }) => remember('accepted socket', socket));
diagnostics.subscribe('child_process', ({ process: child }) => {
  remember('process', child);
  setImmediate(() => {
    for (const name of ['stdin', 'stdout', 'stderr']) if (child[name]) remember(`${name} of a process`, child[name]);
  });
});
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  remember('connected socket', this);
  return connect.apply(this, args);
};
const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (...args) {
  remember('server', this);
  return listen.apply(this, args);
};
const { Worker } = workers;
workers.Worker = class extends Worker {
  constructor(...args) {
    super(...args);
    remember('thread', this);
  }
};
module.syncBuiltinESMExports();

process.on('SIGUSR2', () => {
  const uncaught = [];
  const kinds = {};
  for (const { kind, emitter, where } of made.splice(0)) {
    if (emitter.destroyed) continue;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    try {
      emitter.emit('error', Object.assign(new Error('injected'), { code: 'EIO' }));
    } catch {
      uncaught.push(`${kind}\n${where}`);
    }
    if (kind.endsWith('socket')) emitter.destroy();
  }
  writeFileSync(`${process.env.INJECTED}.new`, JSON.stringify({ kinds, uncaught }));
  renameSync(`${process.env.INJECTED}.new`, process.env.INJECTED);
});
