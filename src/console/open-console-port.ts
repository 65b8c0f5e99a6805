import { setTimeout } from 'node:timers/promises';
import type { ByteLink } from '../links/byte-link.ts';
import type { ConsolePort, WritePolicy } from '../machine/console.ts';
import type { Host } from '../machine/host.ts';
import { ConsoleLine } from './console-line.ts';
import { KeptLog } from './log/kept-log.ts';
import { Recorder } from './recording/recorder.ts';
import { WorkerScreen } from './screen/terminal-screen.ts';
import { type OpenedWindow, openTerminal } from './terminals/open-terminal.ts';

export interface ConsolePortOptions {
  readonly name: string;
  readonly link: ByteLink;
  readonly host: Host;
  readonly ringBytes: number;
  readonly historyLines: number;
  readonly writePolicy: WritePolicy;
  readonly filter: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly serialLinks: boolean;
}

export type OpenPort = ConsolePort & { close(): Promise<void> };

/** How much of the kept output a screen is drawn from when somebody first looks at it. */
const screenHistoryBytes = 256 * 1024;

/** A serial line with all its parts: the byte path, the screen, the recorder, and windows for people. */
export async function openConsolePort(options: ConsolePortOptions): Promise<OpenPort> {
  const { name, host, columns, rows } = options;
  let closeParts = async () => {};
  let noteLink = (_text: string) => {};
  const log =
    host.kept?.log &&
    (await KeptLog.open({
      settings: host.kept.log,
      runtimeDir: host.runtimeDir,
      report: (event) => host.report(event),
    }));
  const line: ConsoleLine = await ConsoleLine.open({
    ...options,
    runtimeDir: host.runtimeDir,
    report(event) {
      host.report(event);
      if (!event.type.startsWith('link_')) return;
      noteLink(event.text);
      log?.mark(event.text);
    },
    parts({ output }) {
      const screen = new WorkerScreen({
        history: () => output.read(Math.max(output.start, output.end - screenHistoryBytes), screenHistoryBytes),
        columns,
        rows,
      });
      const recorder = new Recorder({
        name,
        files: host.files,
        ring: output,
        size: () => ({ columns: screen.columns, rows: screen.rows }),
        maxAnnotations: host.settings.maxAnnotations,
        report: (event) => host.report(event),
      });
      noteLink = (text) => recorder.link(text);
      closeParts = async () => {
        if (recorder.status?.active) await recorder.stop();
        await screen.close();
        await log?.close();
      };
      return {
        screen,
        recording: recorder,
        taps: [
          (offset, bytes) => screen.feed(offset, bytes),
          (offset, bytes) => recorder.tap(offset, bytes),
          ...(log ? [(_offset: number, bytes: Uint8Array) => log.output(bytes)] : []),
        ],
        announce: (text) => log?.mark(text),
        restart: () => screen.restart(),
        openTerminal: (terminal) => openWindow(line, terminal, host),
      };
    },
  }).catch(async (error: unknown) => {
    await log?.close();
    throw error;
  });
  const closeLine = line.close.bind(line);
  return Object.assign(line, {
    async close() {
      await closeLine();
      await closeParts();
    },
  });
}

function openWindow(line: ConsoleLine, name: string, host: Host): Promise<OpenedWindow> {
  const { selfCommand, environment, terminal } = host.settings;
  const watching = line.humans.watching;
  return openTerminal({
    name: name === 'auto' ? terminal : name,
    command: [...selfCommand, 'attach', line.socketOut, '--once'],
    byHand: [...selfCommand, 'attach', line.socketOut],
    title: `${line.name} — frontpanel`,
    env: environment,
    platform: process.platform,
    connected: (signal) => until(() => line.humans.watching > watching, signal),
    guard: (pid) => host.guardProcessGroup(pid),
  });
}

async function until(condition: () => boolean, signal: AbortSignal): Promise<boolean> {
  while (!condition()) {
    if (signal.aborted) return false;
    await setTimeout(50);
  }
  return true;
}
