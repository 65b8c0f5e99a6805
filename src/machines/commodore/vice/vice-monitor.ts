import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { MonitorCapability } from '../../../machine/monitor.ts';
import { MonitorCommands } from '../../shared/monitor-commands.ts';
import type { ViceEngine } from './vice-engine.ts';
import type { ViceSession } from './vice-session.ts';

const language = 'vice';
/** They show something and change nothing. */
const showing = new Set(
  'r registers m mem d disass i io bt backtrace chis cpuhistory sw stopwatch sc screen mc ms bank h hunt c compare help ? print mi mj mmap mmsh mmsave profile'
    .split(' ')
    .filter((word) => word !== 'mmsave'),
);
/** They let the machine run, or end it: who moves it is one alone. */
const moving = new Set(
  'g goto n next z step ret return un until x exit quit reset tr trace w watch bk break stop undump autostart autoload'.split(
    ' ',
  ),
);
const plainText = /^[\w$%.,+\-*&|() @:?]*$/;
const longest = 240;

/** What only VICE's own text monitor shows. */
export class ViceMonitor implements MonitorCapability {
  readonly languages = [language];
  readonly #session: ViceSession;
  readonly #engine: ViceEngine;
  readonly #allowMonitor: boolean;
  readonly #allowed: MonitorCommands;

  /** `allowMonitor`: the user has opened all of it, and with it files of this computer. */
  constructor(session: ViceSession, engine: ViceEngine, allowMonitor: boolean, allowed = new MonitorCommands()) {
    this.#session = session;
    this.#engine = engine;
    this.#allowMonitor = allowMonitor;
    this.#allowed = allowed;
  }

  async execute(_: string, command: string): Promise<string> {
    const line = command.trim();
    const word = line.split(/\s/, 1)[0]?.toLowerCase() ?? '';
    if (word === '' || line.length > longest || /[^\x20-\x7e]/.test(line)) {
      throw new MachineError(
        'INVALID_ARGUMENT',
        `A command is one line of up to ${longest} characters.`,
        'Write "io d000".',
      );
    }
    if (moving.has(word)) {
      throw new MachineError('INVALID_ARGUMENT', `${word} moves the machine; use tools for that.`, [
        advice`Use ${call('run')}, ${call('step')}, ${call('breakpoint_set')} or ${call('machine_reset')}.`,
      ]);
    }
    const isSafe = this.#allowed.safe && showing.has(word) && plainText.test(line);
    // Another command may stand after a semicolon.
    const isNamed = this.#allowed.names(word) && !line.includes(';');
    if (!this.#allowMonitor && !isSafe && !isNamed) {
      throw new MachineError(
        'DENIED',
        `This server does not pass ${word.slice(0, 30)} to VICE's monitor.`,
        this.#allowed.safe
          ? `Allowed are: ${[...showing].join(', ')}; the user can start it with --allow-monitor.`
          : `The operator allows ${this.#allowed.described}.`,
        { operator_option: this.#allowed.safe ? '--allow-monitor' : '--allow-monitor-commands' },
      );
    }
    return this.#engine.exclusively(() => this.#session.command(line));
  }
}
