import { hex0x } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';
import { type Data, type DebuggedMachine, wide } from '../debugged-machine.ts';
import { referenced, type WantedBreakpoint } from './dap-breakpoints.ts';
import { endingsOf } from './source-paths.ts';

type Requested = Readonly<Record<string, unknown>>;

const watched: Readonly<Record<string, readonly string[]>> = {
  read: ['read'],
  write: ['write'],
  readWrite: ['read', 'write'],
};

/** Breakpoints of the lines of one file. */
export function lineBreakpoints(path: string, requested: readonly Requested[]): readonly WantedBreakpoint[] {
  return requested.map((each) => ({
    types: ['exec'],
    ...common(each),
    path,
    place: (machine) => placeOfLine(machine, path, Number(each.line)),
  }));
}

export function functionBreakpoints(requested: readonly Requested[]): readonly WantedBreakpoint[] {
  return requested.map((each) => ({
    types: ['exec'],
    ...common(each),
    place: (machine) => namedPlace(machine, String(each.name)),
  }));
}

export function instructionBreakpoints(requested: readonly Requested[]): readonly WantedBreakpoint[] {
  return requested.map((each) => ({
    types: ['exec'],
    ...common(each),
    place: async () => ({ address: referenced(each.instructionReference, each.offset) }),
  }));
}

export function dataBreakpoints(requested: readonly Requested[]): readonly WantedBreakpoint[] {
  return requested.map((each) => ({
    types: watched[String(each.accessType ?? 'write')] ?? ['write'],
    ...common(each),
    place: async () => {
      const [address = '', length = '1'] = String(each.dataId).split('/');
      return { address: referenced(address, 0), length: Math.max(1, Number(length) || 1) };
    },
  }));
}

/** What can be watched by this name: the memory at an address or a symbol. Registers cannot. */
export async function dataBreakpointInfo({ name, bytes, asAddress }: Data, machine: DebuggedMachine): Promise<Data> {
  const text = String(name);
  if (asAddress !== true && (await machine.registers()).has(text.toUpperCase())) {
    return { dataId: null, description: `${text} is a register; only memory can be watched` };
  }
  const { address } = await namedPlace(machine, text);
  const length = typeof bytes === 'number' && bytes > 0 ? Math.trunc(bytes) : 1;
  return {
    dataId: `${hex0x(address)}/${length}`,
    description: `${length === 1 ? '1 byte' : `${length} bytes`} at ${hex0x(address)}`,
    accessTypes: Object.keys(watched),
  };
}

function common({ condition, hitCondition, logMessage }: Requested) {
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined);
  return { condition: text(condition), hitCondition: text(hitCondition), logMessage: text(logMessage) };
}

const answers = /has no code at line|files are called|is a file of \d+ programs/;

async function namedPlace(machine: DebuggedMachine, name: string) {
  const { address } = await machine.call('address_read', { address: name.slice(0, 200) });
  return { address: wide(address) };
}

/** By the whole path, and then by less and less of it: the debug file may know the file by another folder. */
async function placeOfLine(machine: DebuggedMachine, path: string, line: number) {
  for (const name of endingsOf(path)) {
    try {
      return await namedPlace(machine, `${name}:${line}`);
    } catch (error) {
      // No code from there on is an answer, and so are several files; an unknown file is not.
      if (!(error instanceof MachineError) || answers.test(error.message)) throw error;
    }
  }
  const fix = 'Load the debug file of the program: "symbols" of the launch configuration.';
  throw new MachineError('NOT_FOUND', `No loaded debug file mentions ${path.split(/[\\/]/).at(-1)}.`, fix);
}
