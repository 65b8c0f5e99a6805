import { access, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { runtimeRoot } from '../host/runtime-dir.ts';
import { findServers } from '../host/server-sweep.ts';
import { suggestion } from './nearest.ts';

/** A console of a running server, as it lies in the runtime directory. */
export interface FoundConsole {
  readonly name: string;
  readonly serverPid: number;
  readonly in: string;
  readonly out: string;
}

/** A console cannot be found by what was said about it; the message tells which there are. */
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
export async function consoleAtPath(path: string): Promise<Pick<FoundConsole, 'in' | 'out'>> {
  if (!path.endsWith('.out')) {
    const meant = path.endsWith('.in') ? ` Did you mean ${path.slice(0, -3)}.out?` : '';
    throw new ConsoleNotFound(`${path} is not the path of an output socket, which ends in .out.${meant}`);
  }
  await access(path).catch(() => {
    throw new ConsoleNotFound(`There is no socket ${path}.`);
  });
  return socketsBeside(path);
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

function socketsBeside(out: string): Pick<FoundConsole, 'in' | 'out'> {
  return { out, in: join(dirname(out), `${basename(out, '.out')}.in`) };
}
