import { existsSync, realpathSync } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { suggestion } from '../formats/nearest-name.ts';
import { runtimeRoot } from '../host/runtime-dir.ts';
import { findServers } from '../host/server-sweep.ts';

/** A console of a running server, as it lies in the runtime directory. */
export interface FoundConsole {
  readonly name: string;
  readonly serverPid: number;
  readonly in: string;
  readonly out: string;
  /** Where people type under their names; servers of before have none. */
  readonly people?: string;
}

type ConsoleSockets = Pick<FoundConsole, 'in' | 'out' | 'people'>;

/** A console cannot be found by what was said about it; the message lists them. */
export class ConsoleNotFound extends Error {
  override readonly name = 'ConsoleNotFound';
}

/** All consoles of all servers of this user. */
export async function listConsoles(env: NodeJS.ProcessEnv): Promise<FoundConsole[]> {
  const servers = (await findServers(await runtimeRoot(env))).filter((server) => server.alive);
  const found = await Promise.all(
    servers.map(async ({ pid, dir }) => {
      const files: string[] = await readdir(dir).catch(() => []);
      return files
        .filter((file) => file.endsWith('.out') && files.includes(`${file.slice(0, -4)}.in`))
        .map((file) => ({ ...socketsBeside(join(dir, file)), name: file.slice(0, -4), serverPid: pid }));
    }),
  );
  return found.flat().sort((a, b) => a.name.localeCompare(b.name) || a.serverPid - b.serverPid);
}

/** The sockets of the console whose output socket has this path. */
export async function consoleAtPath(path: string): Promise<ConsoleSockets> {
  if (!path.endsWith('.out')) {
    const meant = path.endsWith('.in') ? ` Did you mean ${path.slice(0, -3)}.out?` : '';
    throw new ConsoleNotFound(`${path} is not the path of an output socket, which ends in .out.${meant}`);
  }
  const sockets = socketsBeside(path);
  await requireOwnSocket(sockets.out);
  // Who only watches does not need it.
  if (await lstat(sockets.in).catch(() => undefined)) await requireOwnSocket(sockets.in);
  if (sockets.people !== undefined) await requireOwnSocket(sockets.people);
  return sockets;
}

/** Whoever can make a file in /tmp can make a socket there that looks like a console and hears what is typed. */
async function requireOwnSocket(path: string): Promise<void> {
  const named = await lstat(path).catch(() => undefined);
  const found = await stat(path).catch(() => undefined);
  if (!named || !found) throw new ConsoleNotFound(`There is no socket ${path}.`);
  if (!found.isSocket()) throw new ConsoleNotFound(`${path} is not a socket.`);
  const user = process.getuid?.();
  if (user === undefined || (named.uid === user && found.uid === user)) return;
  const owner = named.uid === user ? found.uid : named.uid;
  throw new ConsoleNotFound(
    `${path} belongs to another user (number ${owner}), who would see what is typed and could print anything. ` +
      'Attach as that user, or give the socket of a server of yours.',
  );
}

/** The console called `NAME` or `PID/NAME`; without a name, the only one there is. */
export async function consoleNamed(target: string | undefined, env: NodeJS.ProcessEnv): Promise<FoundConsole> {
  const all = await listConsoles(env);
  const matching = all.filter((one) => target === undefined || target === one.name || target === qualified(one));
  const [only, another] = matching;
  if (only && !another) return only;
  if (all.length === 0) {
    throw new ConsoleNotFound(
      'No server of yours has a console. Start one with the tool machine_start, or give the path of its socket with --socket.',
    );
  }
  const isAmbiguous = target !== undefined && only !== undefined;
  const names = (isAmbiguous ? matching : all).map((one) => shortName(one, all));
  const list = names.map((name) => `  frontpanel attach ${name}`).join('\n');
  if (target === undefined) throw new ConsoleNotFound(`Say which console:\n${list}`);
  if (isAmbiguous) throw new ConsoleNotFound(`More than one server has a console ${target}. Say which:\n${list}`);
  const meant = suggestion(target, names);
  throw new ConsoleNotFound(`There is no console ${target}.${meant} There are:\n${list}`);
}

/** With the server's process id only where the name alone would not do. */
function shortName(one: FoundConsole, all: readonly FoundConsole[]): string {
  return all.filter(({ name }) => name === one.name).length > 1 ? qualified(one) : one.name;
}

function qualified({ serverPid, name }: FoundConsole): string {
  return `${serverPid}/${name}`;
}

/** Beside a link in /tmp lies no socket for people: it is beside what the link leads to. */
function socketsBeside(out: string): ConsoleSockets {
  const beside = (path: string, end: string) => join(dirname(path), `${basename(path, '.out')}.${end}`);
  const people = beside(realOr(out), 'people');
  return { out, in: beside(out, 'in'), ...(existsSync(people) && { people }) };
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
