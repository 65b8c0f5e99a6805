import { setTimeout } from 'node:timers/promises';
import type { ControlCapability } from '../../../machine/control.ts';
import { type Advice, advice, call, type Fix, MachineError, type SuggestedCall } from '../../../machine/errors.ts';
import type { MonitorCapability } from '../../../machine/monitor.ts';
import type { MonitorCommands } from '../../shared/monitor-commands.ts';
import type { QemuSession } from '../qemu-session.ts';
import { type HmpLine, hmpAsksOnly, hmpNames, hmpProblem, hmpText, parseHmp } from './check-hmp.ts';
import { qmpAsksOnly, qmpNames, qmpProblem } from './check-qmp.ts';
import { isRecord } from './forms.ts';

export type MonitorMode = 'all' | 'query';

export interface MonitorOptions {
  readonly session: QemuSession;
  readonly mode: MonitorMode;
  /** The user has opened all of the monitor, and with it files and sockets of this computer. */
  readonly allowMonitor: boolean;
  readonly allowed: MonitorCommands;
  /** Who lets the guest run and stops it is one alone: two would take it out of each other's hands. */
  readonly control: Pick<ControlCapability, 'run' | 'pause'>;
  /** As far as this server knows by now. */
  isRunning(): boolean;
  /** A text of QEMU's with the names of files that people know. */
  readable(text: string): string;
  /** The end of what QEMU logs. */
  log(chars: number): string;
}

type Arguments = Readonly<Record<string, unknown>>;

/** These would take from this server what it needs to know where the machine is, whoever allows them. */
const ours: ReadonlyMap<string, string | SuggestedCall> = new Map<string, string | SuggestedCall>([
  ['qmp_capabilities', 'the tools'],
  ['gdbserver', 'the tools'],
  ['migrate-incoming', 'from_snapshot'],
  ['migrate_incoming', 'from_snapshot'],
  ['savevm', call('snapshot_save')],
  ['snapshot-save', call('snapshot_save')],
  ['loadvm', call('snapshot_restore')],
  ['snapshot-load', call('snapshot_restore')],
  ['delvm', call('snapshot_delete')],
  ['snapshot-delete', call('snapshot_delete')],
  ['replay-seek', call('run', { cycles: 1000, back: true })],
  ['replay_seek', call('run', { cycles: 1000, back: true })],
  ['replay-break', call('run', { cycles: 1000 })],
  ['replay_break', call('run', { cycles: 1000 })],
  ['replay-delete-break', call('run')],
  ['replay_delete_break', call('run')],
]);

/** Tools that do what these do. */
const tools: readonly (readonly [commands: RegExp, way: Advice])[] = [
  [/^screendump$/, advice`Use ${call('screen_read')}.`],
  [/^p?memsave$/, advice`Use ${call('memory_read')}.`],
  [/^dump-guest-memory$/, advice`Use ${call('crash_dump')}.`],
  [
    /^(?:blockdev-(?:insert|remove|change)-medium|change|eject|drive_add|blockdev-add|drive_del)$/,
    advice`Use ${call('media_attach')}.`,
  ],
  [/^object[-_]add$/, advice`Use ${call('network_capture_start')} for a filter-dump.`],
  [
    /^(?:netdev_add|netdev_del)$/,
    advice`Use ${call('machine_start', { kind: 'qemu', options: { network: 'user' } })}.`,
  ],
];

/** The answer to a command comes before the debugger has heard of what it did. */
const catchUpMs = 3000;
const pollMs = 5;
const defaultLogChars = 8000;
const wrapper = 'human-monitor-command';

/** QEMU's own two languages. */
export class QemuMonitor implements MonitorCapability {
  readonly languages = ['qmp', 'hmp', 'log'];
  readonly #options: MonitorOptions;

  constructor(options: MonitorOptions) {
    this.#options = options;
  }

  async execute(language: string, command: string, args: Arguments): Promise<string> {
    return this.#options.readable(await this.#answer(language, command, args));
  }

  async #answer(language: string, command: string, args: Arguments): Promise<string> {
    if (language === 'hmp') return this.#human(command, args);
    if (language === 'log') return this.#log(command);
    if (language !== 'qmp') {
      const fix = `Use ${this.languages.map((each) => `"${each}"`).join(', ')}.`;
      throw new MachineError('INVALID_ARGUMENT', `There is no language ${language}.`, fix);
    }
    const { name, given } = command.trim().startsWith('{')
      ? wholeCommand(command, args)
      : { name: command.trim(), given: args };
    if (name === wrapper) return JSON.stringify(await this.#wrapped(given));
    const asksOnly = qmpAsksOnly(name);
    this.#check(name, asksOnly, () => qmpProblem(name, given), qmpNames);
    if (await this.#moved(name)) return '{}';
    const answer = JSON.stringify(await this.#options.session.execute(name, given), undefined, 1);
    if (!asksOnly) await this.#caughtUp();
    return answer;
  }

  /** What the items that `log` of the human monitor switches on have written. */
  #log(command: string): string {
    const chars = /^tail(?: (\d{1,6}))?$/.exec(command.trim());
    if (chars) return this.#options.log(Number(chars[1] ?? defaultLogChars));
    const fix =
      'Write "tail" or "tail 20000". {"language":"hmp","command":"log int,guest_errors"} chooses what is logged.';
    throw new MachineError('INVALID_ARGUMENT', 'There is no such action for a log.', fix);
  }

  /** The human monitor by way of QMP, for one processor if it says so. */
  async #wrapped(given: Arguments): Promise<string> {
    const { 'command-line': line, 'cpu-index': cpuIndex, ...rest } = given;
    const isIndex = cpuIndex === undefined || (typeof cpuIndex === 'number' && Number.isInteger(cpuIndex));
    if (typeof line !== 'string' || !isIndex || Object.keys(rest).length > 0) {
      const fix = `Write {"command":"${wrapper}","arguments":{"command-line":"info registers","cpu-index":0}}.`;
      throw new MachineError('INVALID_ARGUMENT', `${wrapper} takes "command-line" and "cpu-index".`, fix);
    }
    return this.#human(line, {}, cpuIndex);
  }

  async #human(text: string, args: Arguments, cpuIndex?: number): Promise<string> {
    if (/[\r\n]/.test(text.trim())) throw new MachineError('INVALID_ARGUMENT', 'One line only.', 'Call once for each.');
    if (Object.keys(args).length > 0) {
      throw new MachineError('INVALID_ARGUMENT', '"arguments" are for "qmp".', 'With "hmp" write them into the line.');
    }
    const line = parseHmp(text);
    const asksOnly = hmpAsksOnly(line);
    this.#check(line.name, asksOnly, () => hmpProblem(line), hmpNames);
    if (await this.#moved(line.name)) return '';
    const answer = (await this.#options.session.hmp(this.#checkedText(line, text), { cpuIndex })).trimEnd();
    if (!asksOnly) await this.#caughtUp();
    return answer;
  }

  /** As it was looked at; with the permission for everything, as it was written. */
  #checkedText(line: HmpLine, text: string): string {
    return this.#options.allowMonitor ? text.trim() : hmpText(line);
  }

  #check(name: string, asksOnly: boolean, problem: () => string | undefined, names: readonly string[]): void {
    const { mode, allowMonitor, allowed } = this.#options;
    const instead = ours.get(name);
    if (instead !== undefined) throw denied(`${name} would leave this server in the dark`, advice`Use ${instead}.`);
    if (mode === 'query' && !asksOnly) {
      throw denied(
        `${name.slice(0, 60) || 'that'} is not a question, and this machine was started with "monitor":"query"`,
        'Use query-* with "qmp" or info with "hmp", or the tools.',
      );
    }
    if (allowMonitor || allowed.names(name)) return;
    if (!allowed.safe) {
      const fix = 'Use the tools. The user can allow it with --allow-monitor-commands.';
      throw denied(`the operator of this server allows ${allowed.described}`, fix, '--allow-monitor-commands');
    }
    const why = problem();
    if (why === undefined) return;
    const way = tools.find(([commands]) => commands.test(name))?.[1] ?? advice`Taken: ${names.join(' ')}.`;
    throw denied(why, [way, advice`The user can start the server with --allow-monitor.`], '--allow-monitor');
  }

  /** Does what lets the guest run or stops it. */
  async #moved(name: string): Promise<boolean> {
    const { control } = this.#options;
    if (name === 'stop' || name === 's') await control.pause();
    else if (name === 'cont' || name === 'c') await control.run({ wallMs: 1 }, new AbortController().signal);
    else return false;
    return true;
  }

  /** So that the answer does not say RUNNING of a machine that has just ended. */
  async #caughtUp(): Promise<void> {
    const { session, isRunning } = this.#options;
    const status = await session.query('query-status').catch(() => undefined);
    const isUp = status?.running ?? false;
    const end = performance.now() + catchUpMs;
    while (isRunning() !== isUp && performance.now() < end) await setTimeout(pollMs);
  }
}

/** A command as QEMU itself takes it. */
function wholeCommand(text: string, args: Arguments): { readonly name: string; readonly given: Arguments } {
  const { execute, arguments: inside = {} } = parsed(text);
  if (typeof execute !== 'string' || !isRecord(inside)) {
    const fix = 'Write {"command":"query-block"}, or {"execute":"query-block","arguments":{}} as its text.';
    throw new MachineError('INVALID_ARGUMENT', 'That is not a QMP command.', fix);
  }
  return { name: execute, given: { ...inside, ...args } };
}

function parsed(text: string): Arguments {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function denied(why: string, fix: Fix, option?: string): MachineError {
  const data = option === undefined ? {} : { operator_option: option };
  return new MachineError('DENIED', `The monitor does not take it: ${why}.`, fix, data);
}
