import { join, parse } from 'node:path';
import { type OpenPort, openConsolePort } from '../../console/open-console-port.ts';
import type { ByteLink } from '../../links/byte-link.ts';
import type { ConsolePort } from '../../machine/console.ts';
import { MachineError } from '../../machine/errors.ts';
import type { Host } from '../../machine/host.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Status } from '../../machine/state.ts';
import type { ConsoleOptions } from './console-options.ts';

const linkStates = { up: 'LINK UP', down: 'LINK DOWN', connecting: 'CONNECTING', ended: 'OFF' } as const;
/** A console that answers nothing for so long may belong to somebody else. */
const suspiciousSilenceMs = 10_000;
const firstAttemptMs = 300;
/** Of one kept console, beside each other. */
const mostRecordings = 1000;

/** One serial line that somebody else runs. */
export class ConsoleMachine implements Machine {
  readonly kind = 'console';
  readonly console: { readonly ports: readonly ConsolePort[] };
  readonly #port: OpenPort;
  readonly #notes: readonly string[];
  /** A program that has no terminal, which would make Enter the end of a line. */
  readonly #isBareCommand: boolean;
  readonly #attachCommand: string;
  readonly #socketsAre: string;

  static async open(link: ByteLink, options: ConsoleOptions, host: Host): Promise<ConsoleMachine> {
    const port = await openConsolePort({
      name: host.handle,
      link,
      host,
      ringBytes: options.ring_bytes,
      historyLines: options.history_lines,
      writePolicy: options.write_policy,
      filter: options.filter,
      columns: options.columns,
      rows: options.rows,
      serialLinks: options.serial_links ?? host.settings.serialLinks,
    });
    try {
      await firstAttempt(port);
      const notes: string[] = [];
      if (options.record !== undefined) {
        notes.push(await (host.kept ? recordKept : record)(port, options.record, host));
      }
      if (options.terminal !== undefined) notes.push(await openWindow(port, options.terminal));
      return new ConsoleMachine(port, notes, host, options.command !== undefined && !options.pty);
    } catch (error) {
      await port.close();
      throw error;
    }
  }

  private constructor(port: OpenPort, notes: readonly string[], host: Host, isBareCommand: boolean) {
    this.#isBareCommand = isBareCommand;
    this.#port = port;
    this.#notes = notes;
    this.#attachCommand = `frontpanel attach ${host.handle}`;
    const { fleetHost } = host.settings;
    this.#socketsAre = `Sockets for programs${fleetHost === undefined ? '' : ` on ${fleetHost}`}`;
    this.console = { ports: [port] };
  }

  status(): Status {
    const { state, target, retryInMs, lastError, lastedMs, heardSinceUp, bytesOut, queuedBytes } = this.#port.link;
    const notes = [target];
    if (state === 'down' && retryInMs !== undefined) notes.push(`retry in ${Math.ceil(retryInMs / 1000)} s`);
    if (state !== 'up' && lastError !== undefined) notes.push(lastError);
    if (state === 'up' && !heardSinceUp && this.#isBareCommand && bytesOut > 0) {
      notes.push(
        'silent, and without a terminal: lines may have to end with "eol":"lf"; "pty":true gives it a terminal',
      );
    } else if (state === 'up' && !heardSinceUp && lastedMs > suspiciousSilenceMs) {
      notes.push('connected but silent: the guest may be quiet, or another client may have the port');
    }
    const { writer } = this.#port.access;
    if (writer) notes.push(`${writer.name} has the line`);
    if (queuedBytes > 0) notes.push(`${queuedBytes} bytes wait to be sent`);
    return { state: linkStates[state], notes };
  }

  introduction(): readonly string[] {
    const { socketIn, socketOut } = this.#port.humans;
    return [
      `A person can watch and type: ${this.#attachCommand}`,
      `${this.#socketsAre}: ${socketOut} (output), ${socketIn} (input)`,
      ...this.#notes,
    ];
  }

  activeMsAgo(): number {
    return this.#port.link.silentMs;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#port.close();
  }
}

async function record({ recording }: ConsolePort, file: string): Promise<string> {
  const { path } = await recording.start(file, { withHistory: false });
  return `Recording to ${path}.`;
}

/**
 * A console that is kept is recorded from each start of the server on, to the first name that is free: `vm.raw`, `vm.2.raw`. One that
 * cannot be recorded is still wanted.
 */
async function recordKept(port: ConsolePort, file: string, host: Host): Promise<string> {
  const { dir, name, ext } = parse(file);
  for (let number = 1; ; number += 1) {
    try {
      return await record(port, number === 1 ? file : join(dir, `${name}.${number}${ext}`));
    } catch (error) {
      const isTaken = error instanceof MachineError && error.type === 'NAME_TAKEN';
      if (isTaken && number < mostRecordings) continue;
      const text = `No recording: ${error instanceof Error ? error.message : String(error)}`;
      host.report({ type: 'recording_failed', text, data: { path: file } });
      return text;
    }
  }
}

/** Waits a moment for the first attempt to connect, so that the first answer can tell how it went. */
async function firstAttempt(port: ConsolePort): Promise<void> {
  if (port.link.state !== 'connecting') return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      unlisten();
      resolve();
    };
    const timer = setTimeout(done, firstAttemptMs);
    const unlisten = port.onActivity(() => {
      if (port.link.state !== 'connecting') done();
    });
  });
}

/** A window that cannot be opened is no reason not to have the console. */
async function openWindow(port: ConsolePort, name: string): Promise<string> {
  try {
    const window = await port.humans.openTerminal(name);
    return `Opened a ${window.terminal} window${window.pid === undefined ? '' : ` (pid ${window.pid})`}.`;
  } catch (error) {
    const fix = error instanceof Error && 'fix' in error ? ` ${error.fix}` : '';
    return `No terminal window: ${error instanceof Error ? error.message : String(error)}${fix}`;
  }
}
