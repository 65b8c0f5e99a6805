import { MachineError } from '../../machine/errors.ts';
import type { MonitorCapability } from '../../machine/monitor.ts';
import type { QemuSession } from './qemu-session.ts';

/** These would take from this server what it needs to know where the machine is. */
const ours: ReadonlySet<string> = new Set(['qmp_capabilities', 'gdbserver', 'migrate-incoming', 'chardev-remove']);

/** Answers of QMP that only tell something. */
const questions = /^(?:query-[\w-]+|qom-get|qom-list|qom-list-types|qom-list-properties|device-list-properties)$/;
const humanQuestions = /^(?:info|help|\?|x|xp|print|p|gva2gpa|gpa2hva)\b/;

/** Words of commands that open files of this computer or reach out of it; paths go through the tools, which check them. */
const reachesOut =
  /^(?:migrate|dump-guest-memory|dump_guest_memory|memsave|pmemsave|screendump|blockdev-add|blockdev-change-medium|blockdev-mirror|blockdev-snapshot-sync|drive-mirror|drive-backup|drive_mirror|drive_backup|drive_add|change|object-add|object_add|netdev_add|chardev-add|chardev-change|chardev-create|hostfwd_add|wavcapture|logfile|savevm|trace-file|getfd|add-fd|nbd-server-\w+|nbd_server_\w+|x-exec|block_stream|snapshot_blkdev|ringbuf-read)\b/;

export type MonitorMode = 'all' | 'query';

/** QEMU's own two languages. */
export class QemuMonitor implements MonitorCapability {
  readonly languages = ['qmp', 'hmp'];
  readonly #session: QemuSession;
  readonly #mode: MonitorMode;
  readonly #allowCommands: boolean;

  constructor(session: QemuSession, mode: MonitorMode, allowCommands: boolean) {
    this.#session = session;
    this.#mode = mode;
    this.#allowCommands = allowCommands;
  }

  async execute(language: string, command: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    if (language === 'hmp') return this.#human(command.trim());
    if (language !== 'qmp') {
      throw new MachineError('INVALID_ARGUMENT', `There is no language ${language}.`, 'Use "qmp" or "hmp".');
    }
    const name = command.trim();
    this.#check(name, questions.test(name));
    if (name === 'human-monitor-command') {
      throw new MachineError('INVALID_ARGUMENT', 'That wraps the human monitor.', 'Use "language":"hmp" directly.');
    }
    return JSON.stringify(await this.#session.execute(name, args), undefined, 1);
  }

  async #human(line: string): Promise<string> {
    if (/[\r\n]/.test(line)) throw new MachineError('INVALID_ARGUMENT', 'One line only.', 'Call once for each.');
    this.#check(line, humanQuestions.test(line));
    return (await this.#session.hmp(line)).trimEnd();
  }

  #check(command: string, asksOnly: boolean): void {
    const [name = ''] = command.split(/\s/);
    if (ours.has(name)) throw denied(`${name} would cut this server off`, 'Use the tools.');
    if (asksOnly) return;
    if (this.#mode === 'query') {
      throw denied(
        `${name || 'that'} is not a question, and this machine was started with "monitor":"query"`,
        'Use query-* with "qmp" or info with "hmp", or the tools.',
      );
    }
    if (reachesOut.test(name) && !this.#allowCommands) {
      throw denied(
        `${name} can open files of this computer`,
        'Use media_attach, screen_read, snapshot_save, network_capture_start; or the user starts the server with --allow-commands.',
      );
    }
  }
}

function denied(why: string, fix: string): MachineError {
  return new MachineError('DENIED', `The monitor does not take it: ${why}.`, fix);
}
