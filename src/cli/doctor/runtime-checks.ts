import { chmod, lstat } from 'node:fs/promises';
import { directoryFault } from '../../host/private-directory.ts';
import { runtimeRoot } from '../../host/runtime-dir.ts';
import { findServers, type SweptServer, sweepDeadServers } from '../../host/server-sweep.ts';
import type { Check, Finding } from './finding.ts';

/** Longest path of a unix socket that all systems take, and the longest machine name. */
const maxSocketPath = 103;
const maxName = 48;

export const checkRuntimeDirectory: Check = async ({ env, fix }) => {
  const check = 'runtime directory';
  const root = await runtimeRoot(env);
  const found = await lstat(root).catch(() => undefined);
  if (found === undefined) {
    return [{ check, status: 'ok', detail: `${root} will be made when it is needed` }, ...pathLength(root)];
  }
  const isOurs = found.isDirectory() && found.uid === process.getuid?.();
  const wasOpen = isOurs && (found.mode & 0o077) !== 0;
  if (wasOpen && fix) await chmod(root, 0o700);
  const fault = await directoryFault(root);
  if (fault === undefined) {
    const detail = wasOpen ? `${root} was open to other users; it is closed now` : root;
    return [{ check, status: 'ok', detail }, ...pathLength(root)];
  }
  const remedy = wasOpen
    ? 'Run frontpanel doctor --fix.'
    : 'Remove it, or set XDG_RUNTIME_DIR to a directory of yours.';
  return [{ check, status: 'fail', detail: `${root} ${fault}`, fix: remedy }];
};

function pathLength(root: string): Finding[] {
  const longest = Buffer.byteLength(`${root}/${process.pid}/.out`) + maxName;
  if (longest <= maxSocketPath) return [];
  const detail = `${root} is a long path: names of consoles can have ${maxName - (longest - maxSocketPath)} characters`;
  return [{ check: 'runtime directory', status: 'warn', detail, fix: 'Set XDG_RUNTIME_DIR to a shorter path.' }];
}

export const checkServers: Check = async ({ env, fix }) => {
  const root = await runtimeRoot(env);
  const servers = await findServers(root);
  const alive = servers.filter((server) => server.alive).map(({ pid }) => pid);
  const dead = servers.filter((server) => !server.alive).map(({ pid }) => pid);
  return [
    { check: 'running servers', status: 'ok', detail: alive.length === 0 ? 'none' : `process ${alive.join(', ')}` },
    ...(await leftovers(root, dead, fix)),
  ];
};

async function leftovers(root: string, dead: readonly number[], fix: boolean): Promise<Finding[]> {
  const check = 'leftovers';
  if (dead.length === 0) return [{ check, status: 'ok', detail: 'none' }];
  if (!fix) {
    const detail = `files of dead servers (process ${dead.join(', ')}) are below ${root}`;
    return [{ check, status: 'warn', detail, fix: 'Run frontpanel doctor --fix.' }];
  }
  return (await sweepDeadServers(root, { kill: true })).map((server) => ({ check, ...sweptText(server) }));
}

function sweptText({ pid, dir, survivors, killed, removed }: SweptServer): Omit<Finding, 'check'> {
  const ended = killed.length === 0 ? '' : `, and killed its process groups ${killed.join(', ')}`;
  if (removed) return { status: 'ok', detail: `removed what process ${pid} left${ended}` };
  const stubborn = survivors.filter((group) => !killed.includes(group)).join(', ');
  return {
    status: 'fail',
    detail: `process groups ${stubborn} of the dead server ${pid} cannot be killed`,
    fix: `Kill them, then remove ${dir}.`,
  };
}
