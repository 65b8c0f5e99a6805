import { setTimeout } from 'node:timers/promises';
import type { ControlCapability } from '../../machine/control.ts';
import { MachineError } from '../../machine/errors.ts';
import type { MonitorCapability } from '../../machine/monitor.ts';
import { reachesOut } from './launch/reach.ts';
import type { QemuSession } from './qemu-session.ts';

export type MonitorMode = 'all' | 'query';

export interface MonitorOptions {
  readonly session: QemuSession;
  readonly mode: MonitorMode;
  readonly allowCommands: boolean;
  /** Who lets the guest run and stops it is one alone: two would take it out of each other's hands. */
  readonly control: Pick<ControlCapability, 'run' | 'pause'>;
  /** As far as this server knows by now. */
  isRunning(): boolean;
}

/** These would take from this server what it needs to know where the machine is. */
const ours: Readonly<Record<string, string>> = {
  qmp_capabilities: 'the tools',
  gdbserver: 'the tools',
  'migrate-incoming': 'from_snapshot',
  migrate_incoming: 'from_snapshot',
  'chardev-remove': 'the tools',
  savevm: 'snapshot_save',
  'snapshot-save': 'snapshot_save',
  loadvm: 'snapshot_restore',
  'snapshot-load': 'snapshot_restore',
  delvm: 'snapshot_delete',
  'snapshot-delete': 'snapshot_delete',
  'replay-seek': 'run with "cycles" and "back"',
  replay_seek: 'run with "cycles" and "back"',
  'replay-break': 'run with "cycles"',
  replay_break: 'run with "cycles"',
  'replay-delete-break': 'run',
  replay_delete_break: 'run',
};

/** Answers of QMP that only tell something. */
const questions =
  /^(?:(?:x-)?query-[\w-]+|qom-get|qom-list|qom-list-types|qom-list-properties|device-list-properties)$/;
const humanQuestions: ReadonlySet<string> = new Set(['info', 'help', 'x', 'xp', 'print', 'p', 'gva2gpa', 'gpa2hva']);

/** Commands that open files of this computer, write to those behind overlays, or reach out of it. */
const outward =
  /^(?:migrate|dump-guest-memory|dump_guest_memory|dump-skeys|memsave|pmemsave|screendump|blockdev-(?:add|change-medium|mirror|snapshot-sync|reopen|create)|x-blockdev-\w+|block-(?:commit|export-add|stream)|change-backing-file|commit|drive-mirror|drive-backup|drive_mirror|drive_backup|drive_add|change|object-add|object_add|netdev_add|chardev-add|chardev-change|chardev-create|hostfwd_add|wavcapture|logfile|trace-file|getfd|add-fd|nbd-server-\w+|nbd_server_\w+|xen-\w+|cpr-\w+|x-exec|block_stream|snapshot_blkdev|ringbuf-read|display-reload|display-update)\b/;

/** The answer to a command comes before the debugger has heard of what it did. */
const catchUpMs = 500;
const pollMs = 5;
const pauses: ReadonlySet<string> = new Set(['stop', 's']);
const runs: ReadonlySet<string> = new Set(['cont', 'c']);

/** QEMU's own two languages. */
export class QemuMonitor implements MonitorCapability {
  readonly languages = ['qmp', 'hmp'];
  readonly #options: MonitorOptions;

  constructor(options: MonitorOptions) {
    this.#options = options;
  }

  async execute(language: string, command: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    if (language === 'hmp') return this.#human(command.trim(), args);
    if (language !== 'qmp') {
      throw new MachineError('INVALID_ARGUMENT', `There is no language ${language}.`, 'Use "qmp" or "hmp".');
    }
    const { name, given } = command.trim().startsWith('{')
      ? wholeCommand(command, args)
      : { name: command.trim(), given: args };
    if (name === 'human-monitor-command') {
      throw new MachineError('INVALID_ARGUMENT', 'That wraps the human monitor.', 'Use "language":"hmp" directly.');
    }
    const asksOnly = questions.test(name);
    this.#check(name, asksOnly, () => [given.driver, ...properties(given)].join(','));
    if (await this.#moved(name)) return '{}';
    const answer = JSON.stringify(await this.#options.session.execute(name, given), undefined, 1);
    if (!asksOnly) await this.#caughtUp();
    return answer;
  }

  async #human(line: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    if (/[\r\n]/.test(line)) throw new MachineError('INVALID_ARGUMENT', 'One line only.', 'Call once for each.');
    if (Object.keys(args).length > 0) {
      throw new MachineError('INVALID_ARGUMENT', '"arguments" are for "qmp".', 'With "hmp" write them into the line.');
    }
    // Where QEMU ends the name: `x/4i` is x.
    const [name = ''] = line.split(/[\s/]/);
    const asksOnly = humanQuestions.has(name) || line.startsWith('?');
    this.#check(name, asksOnly, () => line.slice(name.length).trim());
    if (await this.#moved(name)) return '';
    const answer = (await this.#options.session.hmp(line)).trimEnd();
    if (!asksOnly) await this.#caughtUp();
    return answer;
  }

  #check(name: string, asksOnly: boolean, device: () => string): void {
    const { mode, allowCommands } = this.#options;
    const instead = ours[name];
    if (instead !== undefined) throw denied(`${name} would leave this server in the dark`, `Use ${instead}.`);
    if (asksOnly) return;
    if (mode === 'query') {
      throw denied(
        `${name || 'that'} is not a question, and this machine was started with "monitor":"query"`,
        'Use query-* with "qmp" or info with "hmp", or the tools.',
      );
    }
    if (allowCommands) return;
    if (outward.test(name) || (name === 'device_add' && reachesOut(device()))) {
      throw denied(
        `${name} can reach files of this computer`,
        'Use media_attach, screen_read, snapshot_save, network_capture_start; or the user starts the server with --allow-commands.',
      );
    }
  }

  /** Does what lets the guest run or stops it. */
  async #moved(name: string): Promise<boolean> {
    const { control } = this.#options;
    if (pauses.has(name)) await control.pause();
    else if (runs.has(name)) await control.run({ wallMs: 1 }, new AbortController().signal);
    else return false;
    return true;
  }

  /** So that the answer does not say RUNNING of a machine that has just ended. */
  async #caughtUp(): Promise<void> {
    const { session, isRunning } = this.#options;
    const status = await session.execute('query-status').catch(() => undefined);
    const isUp = typeof status === 'object' && status !== null && 'running' in status && status.running === true;
    const end = performance.now() + catchUpMs;
    while (isRunning() !== isUp && performance.now() < end) await setTimeout(pollMs);
  }
}

/** A command as QEMU itself takes it. */
function wholeCommand(text: string, args: Readonly<Record<string, unknown>>) {
  const command = parsed(text);
  const { execute, arguments: inside = {} } = command;
  if (typeof execute !== 'string' || typeof inside !== 'object' || inside === null) {
    const fix = 'Write {"command":"query-block"}, or {"execute":"query-block","arguments":{}} as its text.';
    throw new MachineError('INVALID_ARGUMENT', 'That is no command of QMP.', fix);
  }
  return { name: execute, given: { ...inside, ...args } as Readonly<Record<string, unknown>> };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

function properties(given: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(given)
    .filter(([name]) => name !== 'driver')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

function denied(why: string, fix: string): MachineError {
  return new MachineError('DENIED', `The monitor does not take it: ${why}.`, fix);
}
