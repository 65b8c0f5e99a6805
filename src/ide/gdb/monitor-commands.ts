import { type DebuggedMachine, leased } from '../debugged-machine.ts';
import type { GdbRun } from './gdb-run.ts';

interface MonitorCommand {
  readonly usage: string;
  readonly summary: string;
  run(machine: DebuggedMachine, words: readonly string[], run: GdbRun): Promise<string>;
}

/** `monitor …` of gdb, for what the protocol has no packet for. */
const commands: Readonly<Record<string, MonitorCommand>> = {
  state: {
    usage: 'state',
    summary: 'registers, code, call stack and source line',
    run: async (machine) => (await machine.answer('state_read')).text,
  },
  disassemble: {
    usage: 'disassemble [ADDRESS] [COUNT]',
    summary: 'code as this processor has it',
    run: async (machine, [address, count]) => {
      const where = { ...(address !== undefined && { address }), ...(count !== undefined && { count: Number(count) }) };
      return (await machine.answer('disassemble', where)).text;
    },
  },
  screen: {
    usage: 'screen',
    summary: 'text on the screen',
    run: async (machine) => (await machine.answer('screen_read', { mode: 'text' })).text,
  },
  breakpoints: {
    usage: 'breakpoints',
    summary: 'all of them, those of agents included',
    run: async (machine) => (await machine.answer('breakpoint_list')).text,
  },
  pace: {
    usage: 'pace real|warp',
    summary: 'how fast continue runs',
    run: async (_machine, [pace], run) => {
      if (pace === 'real' || pace === 'warp') run.pace = pace;
      return `continue runs ${run.pace === 'real' ? 'in real time' : 'as fast as it can'}`;
    },
  },
  take: {
    usage: 'take',
    summary: 'nobody else changes the machine until you hand it back',
    run: (machine) => leased(machine, 'take', ''),
  },
  hand_back: {
    usage: 'hand_back [NOTE]',
    summary: 'gives it back, with a note for the agent',
    run: (machine, words) => leased(machine, 'hand_back', words.join(' ')),
  },
  reset: {
    usage: 'reset',
    summary: 'press the reset button',
    run: async (machine) => (await machine.answer('machine_reset', { mode: 'soft' })).text,
  },
};

const help = Object.values(commands)
  .map(({ usage, summary }) => `${usage.padEnd(32)}${summary}`)
  .join('\n');

export async function monitorCommand(line: string, machine: DebuggedMachine, run: GdbRun): Promise<string> {
  const [name = '', ...words] = line.trim().split(/\s+/);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return `${command ? await command.run(machine, words, run) : help}\n`;
}
