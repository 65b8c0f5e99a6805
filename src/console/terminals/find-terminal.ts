import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { MachineError } from '../../machine/errors.ts';
import { type Terminal, terminals, unlistedTerminal } from './terminal-table.ts';

const tmuxAnswerMs = 2000;

/** The world a terminal is looked for in. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Where applications of macOS lie. */
  readonly appFolders?: readonly string[];
}

export interface FoundTerminal {
  readonly terminal: Terminal;
  /** The program to start. */
  readonly program: string;
}

export interface Search {
  /** In the order in which they should be tried. */
  readonly found: readonly FoundTerminal[];
  /** Why the others are out of the question, where that is of interest. */
  readonly unusable: readonly string[];
}

/** `auto`: where the person is right now, what they prefer, then the best that is installed. */
export async function findTerminals(name: string, surroundings: Surroundings): Promise<Search> {
  const wanted = name === 'auto' ? preferred(surroundings) : [named(name, surroundings.platform)];
  const found: FoundTerminal[] = [];
  const unusable: string[] = [];
  for (const terminal of wanted) {
    const result = await probe(terminal, surroundings);
    if (typeof result === 'string') unusable.push(`${terminal.name}: ${result}`);
    else found.push({ terminal, program: result.program });
  }
  return { found, unusable };
}

export function hasDisplay({ env, platform }: Surroundings): boolean {
  return platform === 'darwin' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

function preferred({ env, platform }: Surroundings): Terminal[] {
  const known = terminals.filter((terminal) => terminal.place !== 'macos' || platform === 'darwin');
  const inTmux = env.TMUX ? known.find(({ place }) => place === 'tmux') : undefined;
  const current = env.TERM_PROGRAM ? known.find(({ termProgram }) => termProgram === env.TERM_PROGRAM) : undefined;
  const chosen = env.TERMINAL ? fromVariable(env.TERMINAL, platform) : undefined;
  const order = [inTmux, current, chosen, ...known].filter((terminal) => terminal !== undefined);
  return order.filter((terminal, at) => order.findIndex(({ name }) => name === terminal.name) === at);
}

/** TERMINAL may be a name, a path or either with options, which are not ours to use. */
function fromVariable(value: string, platform: NodeJS.Platform): Terminal | undefined {
  const [program] = value.trim().split(/\s+/);
  if (!program) return undefined;
  const terminal = byName(basename(program), platform) ?? unlistedTerminal(basename(program));
  return isAbsolute(program) && terminal.place === 'window' ? { ...terminal, detect: { program } } : terminal;
}

function named(name: string, platform: NodeJS.Platform): Terminal {
  const terminal = byName(name, platform);
  if (terminal) return terminal;
  const known = terminals.map((entry) => entry.name).join(', ');
  throw new MachineError(
    'INVALID_ARGUMENT',
    `There is no terminal named ${JSON.stringify(name)}.`,
    `Use auto, or one of: ${known}.`,
    { known: terminals.map((entry) => entry.name) },
  );
}

/** A name that is both an application and a program means the application on macOS. */
function byName(name: string, platform: NodeJS.Platform): Terminal | undefined {
  const lower = name.toLowerCase();
  const matches = terminals.filter((entry) => entry.name.toLowerCase() === lower || entry.aliases?.includes(lower));
  return matches.find(({ place }) => (place === 'macos') === (platform === 'darwin')) ?? matches[0];
}

/** What to start, or why it cannot be. */
async function probe(terminal: Terminal, surroundings: Surroundings): Promise<{ program: string } | string> {
  const { env, platform } = surroundings;
  if (terminal.place === 'macos' && platform !== 'darwin') return 'only on macOS';
  if (terminal.place === 'window' && !hasDisplay(surroundings)) {
    return 'needs a display; neither DISPLAY nor WAYLAND_DISPLAY is set';
  }
  const { detect } = terminal;
  if ('bundles' in detect && !(await anyBundle(detect.bundles, surroundings))) return 'not installed';
  const program = await onPath('program' in detect ? detect.program : detect.launcher, env);
  if (!program) return 'not installed';
  if (terminal.place === 'tmux' && !(await tmuxRuns(program, env))) return 'no tmux server with a session is running';
  return { program };
}

async function onPath(program: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folders = isAbsolute(program) ? [''] : (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  for (const folder of folders) {
    const path = join(folder, program);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function anyBundle(bundles: readonly string[], { env, appFolders }: Surroundings): Promise<boolean> {
  const home = env.HOME ? [join(env.HOME, 'Applications')] : [];
  for (const folder of appFolders ?? ['/Applications', '/System/Applications', ...home]) {
    for (const bundle of bundles) {
      const info = await stat(join(folder, bundle)).catch(() => undefined);
      if (info?.isDirectory()) return true;
    }
  }
  return false;
}

function tmuxRuns(tmux: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = execFile(tmux, ['list-sessions'], { env, timeout: tmuxAnswerMs }, (error) => resolve(error === null));
    asked.stdin?.on('error', () => {});
    asked.stdin?.end();
  });
}
