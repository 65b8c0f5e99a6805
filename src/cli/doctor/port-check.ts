import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hex } from '../../formats/hex.ts';
import { UsageError } from '../usage-error.ts';
import { serveSettings } from './configuration-check.ts';
import type { Check, Finding } from './finding.ts';

/** Tries to listen where `serve` would. */
export const checkPort: Check = async (patient) => {
  const settings = serveSettings(patient);
  return settings instanceof UsageError ? [] : [await examine(settings.options.host, settings.options.port)];
};

async function examine(host: string, port: number): Promise<Finding> {
  const check = `port ${port}`;
  const code = await tryToListen(host, port);
  if (code === undefined) return { check, status: 'ok', detail: `free on ${host}` };
  if (code !== 'EADDRINUSE') {
    const fix = code === 'EACCES' ? 'Choose a port from 1024 on with --port.' : 'Choose another address with --host.';
    return { check, status: 'fail', detail: `cannot listen on ${host}: ${code}`, fix };
  }
  const owner = await listenerOf(port);
  return {
    check,
    status: 'warn',
    detail: `taken on ${host}${owner ? ` by ${owner}` : ''}`,
    fix: `Stop that program, or use frontpanel serve --port ${port + 1}.`,
  };
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Which process listens on a port, where Linux tells: the socket's inode leads to the process that has it open. */
async function listenerOf(port: number): Promise<string | undefined> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  const hexPort = hex(port, 4);
  const listening = '0A';
  const inodes = tables
    .flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
    .filter((columns) => columns[1]?.endsWith(`:${hexPort}`) && columns[3] === listening)
    .map((columns) => `socket:[${columns[9]}]`);
  if (inodes.length === 0) return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const targets = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
    if (!targets.some((target) => inodes.includes(target))) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return `process ${pid} (${command.replaceAll('\0', ' ').trim().slice(0, 80)})`;
  }
  return 'a process of another user';
}
