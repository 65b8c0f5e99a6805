import { renameSync, writeFileSync } from 'node:fs';
import { access, constants, mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { MachineError } from '../machine/errors.ts';
import { fileError } from './file-error.ts';
import { makePrivateDirectory } from './private-directory.ts';
import { identify, isSameProcess, type ProcessIdentity } from './process-identity.ts';
import { type Endpoint, readServerRecord, type ServerRecord } from './server-record.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The directory of one server process, below the one that all servers of the user share. */
export interface RuntimeDir {
  readonly root: string;
  readonly dir: string;
  /** Notes a process group that has to end with this server, so that it can be found after a crash. */
  recordProcessGroup(pid: number): void;
  forgetProcessGroup(pid: number): void;
  /** Notes where this server can be reached. */
  announce(endpoint: Endpoint): void;
  /** Removes the directory with everything in it. */
  close(): Promise<void>;
}

export interface RuntimeOptions {
  readonly version: string;
  /** Told when what is noted cannot be written. */
  report(text: string): void;
}

/** `$XDG_RUNTIME_DIR/frontpanel`, or a directory of the user's below the temporary one. */
export async function runtimeRoot(env: Environment): Promise<string> {
  const base = env.XDG_RUNTIME_DIR;
  if (base && isAbsolute(base) && (await isUsable(base))) return join(base, 'frontpanel');
  return join(tmpdir(), `frontpanel-${process.getuid?.() ?? 'user'}`);
}

export async function openRuntimeDir(env: Environment, options: RuntimeOptions): Promise<RuntimeDir> {
  const root = await runtimeRoot(env);
  const dir = join(root, String(process.pid));
  try {
    return await openBelow(root, dir, options);
  } catch (error) {
    throw withPlace(error, dir);
  }
}

async function openBelow(root: string, dir: string, options: RuntimeOptions): Promise<RuntimeDir> {
  await makePrivateDirectory(root);
  await removeRemains(dir);
  await mkdir(dir, { mode: 0o700 });
  const groups = new Map<number, ProcessIdentity>();
  const head = { ...identify(process.pid), startedAt: new Date().toISOString(), version: options.version };
  // At once, not later: the next thing that happens may be a SIGKILL.
  const save = () => writeRecord(dir, { ...head, ...reachable, processGroups: [...groups.values()] });
  let reachable: { readonly endpoint?: Endpoint } = {};
  let closed = false;
  save();
  // On a full disk machines go on: the note is for who clears up after a crash.
  const note = () => {
    if (closed) return;
    try {
      save();
    } catch (error) {
      const told = fileError(error, recordPath(dir));
      options.report(
        `the record of running machines cannot be written: ${told instanceof Error ? told.message : String(told)}`,
      );
    }
  };
  return {
    root,
    dir,
    recordProcessGroup(pid) {
      groups.set(pid, identify(pid));
      note();
    },
    forgetProcessGroup(pid) {
      if (groups.delete(pid)) note();
    },
    announce(endpoint) {
      reachable = { endpoint };
      note();
    },
    async close() {
      closed = true;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The path was chosen by nobody who could give another one, but for what the environment says. */
function withPlace(error: unknown, dir: string): unknown {
  const told = fileError(error, dir);
  if (!(told instanceof MachineError && told.cause instanceof Error)) return error;
  const fix = 'Set TMPDIR, or XDG_RUNTIME_DIR, to a directory of your own that can be written and has room.';
  return new MachineError('UNAVAILABLE', told.message, fix, told.data, { cause: told.cause });
}

function writeRecord(dir: string, record: ServerRecord): void {
  const path = recordPath(dir);
  writeFileSync(`${path}.new`, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function recordPath(dir: string): string {
  return join(dir, 'server.json');
}

/** An earlier process with our pid is dead, so its directory is free. */
async function removeRemains(dir: string): Promise<void> {
  const record = await readServerRecord(recordPath(dir));
  if (record && isThisProcess(record)) {
    throw new MachineError('BUSY', `This process has the directory ${dir} open already.`, 'Close it first.', { dir });
  }
  await rm(dir, { recursive: true, force: true });
}

function isThisProcess(record: ServerRecord): boolean {
  if (record.startTicks !== undefined) return isSameProcess(record);
  return Date.parse(record.startedAt) >= Date.now() - process.uptime() * 1000;
}

async function isUsable(base: string): Promise<boolean> {
  try {
    const found = await stat(base);
    await access(base, constants.W_OK | constants.X_OK);
    return found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid());
  } catch {
    return false;
  }
}
