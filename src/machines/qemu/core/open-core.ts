import { readCoreFile } from '../../../formats/elf/core-file.ts';
import { CoreMemory } from '../../../formats/elf/core-memory.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { HostFile } from '../../../machine/files.ts';
import type { Host } from '../../../machine/host.ts';
import { architectureOf } from '../debug/architecture.ts';
import { RegisterNames } from '../debug/register-names.ts';
import { type QemuOptions, qemuOptions } from '../qemu-options.ts';
import { readAppendix } from './core-appendix.ts';
import { CoreDisassembler } from './core-disassembler.ts';
import { CoreMachine } from './core-machine.ts';
import { stateFromNotes } from './core-notes.ts';
import type { CoreState } from './core-state.ts';

/** A machine from the option `core`. */
export async function openCore(path: string, options: QemuOptions, host: Host): Promise<CoreMachine> {
  refuseOthers(options);
  const file = await host.files.open(path, 'read');
  try {
    const { state, memory } = await contentOf(file);
    const disassembler = new CoreDisassembler(state.arch, host);
    return await CoreMachine.open({ file, memory, state, disassembler });
  } catch (error) {
    file.close();
    if (!(error instanceof RangeError)) throw error;
    throw new MachineError(
      'INVALID_ARGUMENT',
      `${file.path} cannot be opened as a core file: ${error.message}.`,
      advice`Give one that ${call('crash_dump')}, or dump-guest-memory of QEMU in the format elf, has written.`,
    );
  }
}

async function contentOf(file: HostFile): Promise<{ state: CoreState; memory: CoreMemory }> {
  const core = await readCoreFile(file);
  const state = (await readAppendix(file, core)) ?? stateFromNotes(core);
  const { pc } = new RegisterNames(state.description, architectureOf(state.arch));
  if (pc?.bits !== 32 && pc?.bits !== 64)
    throw new RangeError('its processors have no program counter that makes sense');
  return { state, memory: new CoreMemory(file, core.segments) };
}

/** Hardware and everything that runs mean nothing here, and nobody should believe that they were heard. */
function refuseOthers(options: QemuOptions): void {
  const usual: Readonly<Record<string, unknown>> = qemuOptions.parse({});
  const given = Object.entries(options).filter(
    ([name, value]) => name !== 'core' && JSON.stringify(value) !== JSON.stringify(usual[name]),
  );
  if (given.length === 0) return;
  throw new MachineError(
    'INVALID_ARGUMENT',
    `A core file is opened as it is: ${given.map(([name]) => name).join(', ')} cannot be given with core.`,
    'Give "core" alone.',
  );
}
