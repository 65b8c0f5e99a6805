import { setTimeout } from 'node:timers/promises';
import type { TerminalWindow } from '../../machine/console.ts';
import { MachineError } from '../../machine/errors.ts';
import { type FoundTerminal, findTerminals, hasDisplay, type Search, type Surroundings } from './find-terminal.ts';
import { shellQuote } from './shell-quote.ts';
import { TerminalProcess } from './terminal-process.ts';
import type { Terminal } from './terminal-table.ts';

const connectMs = 5000;
const replyMs = 5000;
/** For all candidates together: a caller does not wait longer than this. */
const searchMs = 20_000;

export interface OpenTerminalOptions extends Surroundings {
  /** `auto`, or a name of the table. */
  readonly name: string;
  /** What to run in the window: the client that attaches to the console. */
  readonly command: readonly string[];
  /** The same for a person who runs it by hand. */
  readonly byHand?: readonly string[];
  readonly title: string;
  /** Resolves with true when the client in the window has connected; is aborted when nobody waits any more. */
  connected(signal: AbortSignal): Promise<boolean>;
  /** Ends the process group with this server; the answer forgets it. */
  readonly guard?: (pid: number) => () => void;
  readonly connectMs?: number;
}

/** A window that was opened, and the way to close it. */
export interface OpenedWindow extends TerminalWindow {
  /** Ends the process that it lives by; a window that another process has closes when the client in it leaves. */
  close(): void;
}

/** Opens a window for a person. It counts as open when the client in it has connected, not when a process started. */
export async function openTerminal(options: OpenTerminalOptions): Promise<OpenedWindow> {
  const search = await findTerminals(options.name, options);
  const tried: string[] = [];
  const start = performance.now();
  for (const candidate of search.found) {
    if (performance.now() - start > searchMs) {
      tried.push('no time was left for others');
      break;
    }
    const result = await attempt(candidate, options);
    if (typeof result !== 'string') return result;
    tried.push(`${candidate.terminal.name}: ${result}`);
  }
  throw noTerminal(options, search, tried);
}

/** The window, or why there is none. */
async function attempt(
  { terminal, program }: FoundTerminal,
  options: OpenTerminalOptions,
): Promise<OpenedWindow | string> {
  const title = options.title.replace(/\p{Cc}/gu, '');
  const argv = terminal.argv(program, options.command, title);
  const launched = new TerminalProcess(argv, options.env, terminal.process);
  const failure = await verify(launched, options);
  // The client may connect before the one who asked for its window has said so.
  if (terminal.process === 'request')
    await Promise.race([launched.ended, setTimeout(replyMs, undefined, { ref: false })]);
  const pid = windowPid(launched, terminal);
  launched.release();
  if (failure !== undefined) {
    close(launched, terminal, pid);
    return failure;
  }
  if (terminal.process === 'window' && launched.pid !== undefined && launched.running && options.guard) {
    launched.onExit(options.guard(launched.pid));
  }
  return {
    terminal: terminal.name,
    command: options.command,
    ...(pid !== undefined && { pid }),
    close: () => close(launched, terminal, pid),
  };
}

function close(launched: TerminalProcess, terminal: Terminal, pid: number | undefined): void {
  launched.kill();
  if (terminal.place === 'tmux' && pid !== undefined) endPane(pid);
}

async function verify(launched: TerminalProcess, options: OpenTerminalOptions): Promise<string | undefined> {
  const waitMs = options.connectMs ?? connectMs;
  const nothing = `nothing connected within ${waitMs / 1000} s`;
  const giveUp = new AbortController();
  const expired = setTimeout(waitMs, nothing, { signal: giveUp.signal }).catch(() => nothing);
  const connected = options.connected(giveUp.signal).then(
    (there) => (there ? undefined : nothing),
    (error: unknown) => String(error),
  );
  try {
    return await Promise.race([connected, launched.failed, expired]);
  } finally {
    giveUp.abort();
  }
}

/** The process that lives as long as the window does, where there is one that we know. */
function windowPid(launched: TerminalProcess, terminal: Terminal): number | undefined {
  if (terminal.process === 'window') return launched.running ? launched.pid : undefined;
  const panePid = Number.parseInt(launched.output, 10);
  return terminal.place === 'tmux' && panePid > 1 ? panePid : undefined;
}

/** The window that tmux made for us. */
function endPane(pid: number): void {
  try {
    process.kill(pid, 'SIGHUP');
  } catch {
    // It has ended already.
  }
}

function noTerminal(options: OpenTerminalOptions, search: Search, tried: readonly string[]): MachineError {
  const command = options.byHand ?? options.command;
  const byHand = `A person can run this in any terminal of this computer: ${shellQuote(command)}`;
  const data = { command, tried: [...tried, ...(options.name === 'auto' ? [] : search.unusable)] };
  if (tried.length > 0) {
    return new MachineError('UNAVAILABLE', `No terminal window could be opened. ${tried.join('; ')}.`, byHand, data);
  }
  if (options.name !== 'auto') {
    const message = `The terminal ${options.name} cannot be used: ${search.unusable.join('; ')}.`;
    return new MachineError('UNAVAILABLE', message, byHand, data);
  }
  const reason = hasDisplay(options)
    ? 'none of the terminals this server knows is installed, and no tmux server is running'
    : 'it has no display (neither DISPLAY nor WAYLAND_DISPLAY is set) and no tmux server is running';
  return new MachineError('UNAVAILABLE', `No terminal window can be opened on this computer: ${reason}.`, byHand, data);
}
