import { hex0x } from '../../formats/hex.ts';
import { type DebuggedMachine, wide } from '../debugged-machine.ts';
import type { LaunchedMachine } from './dap-options.ts';
import type { DapThread } from './dap-thread.ts';

/** How a program that is loaded is started when the IDE has set its breakpoints; false where there is none. */
export type Start = (stopOnEntry: boolean) => Promise<boolean>;

/** What `machine_start` is to be told so that nothing runs before the IDE is ready. */
export function startArguments({ kind, handle, options }: LaunchedMachine): Record<string, unknown> {
  // A core file is not started, and takes no other option.
  const waiting = kind === 'qemu' && options?.core === undefined ? { paused: true } : {};
  return { kind, ...(handle !== undefined && { name: handle }), options: { ...waiting, ...options } };
}

/** Loads the program and its debug files. The answer starts it. */
export async function prepare(thread: DapThread, { kind, program, symbols }: LaunchedMachine): Promise<Start> {
  const { machine } = thread;
  if (kind === 'dos' && program !== undefined) {
    return async (stopOnEntry) => {
      if (stopOnEntry) await machine.call('breakpoint_set', { type: 'program', temporary: true });
      await machine.call('program_run', { path: program });
      return true;
    };
  }
  const loaded = program === undefined ? {} : await machine.call('program_run', { path: program, start: false });
  for (const path of symbols) await machine.call('symbols_load', { path });
  const { firstAddress, startAddress } = loaded;
  return async (stopOnEntry) => {
    if (firstAddress === undefined) return false;
    const given = startAddress === undefined ? undefined : wide(startAddress);
    const entry = given ?? (await sysTarget(machine, wide(firstAddress)));
    if (stopOnEntry && entry !== undefined) {
      await machine.call('breakpoint_set', { address: hex0x(entry), temporary: true });
    }
    await machine.call('input_send', { text: given === undefined ? 'RUN\n' : `SYS${given}\n` });
    return true;
  };
}

/** Where the line of BASIC leads that programs in machine code begin with: `10 SYS2061`. */
async function sysTarget(machine: DebuggedMachine, first: bigint): Promise<bigint | undefined> {
  const line = Buffer.from(await machine.read(first, 16)).toString('latin1');
  const [, digits] = /\x9e\s*(\d{1,5})/.exec(line) ?? [];
  return digits === undefined ? undefined : BigInt(digits);
}
