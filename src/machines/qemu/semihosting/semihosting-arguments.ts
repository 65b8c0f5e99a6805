import { basename } from 'node:path';
import { MachineError } from '../../../machine/errors.ts';
import { escaped } from '../launch/drive-arguments.ts';
import type { QemuEngine } from '../qemu-engine.ts';
import type { QemuOptions } from '../qemu-options.ts';

/** Where QEMU sends every call that concerns the host to the debugger if told so; others open files on their own. */
const architectures: ReadonlySet<string> = new Set(['arm', 'aarch64', 'riscv32', 'riscv64']);

/** The words of its command line are given, or else the guest would be told the path of its kernel on this computer. */
export function semihostingArguments({ semihosting, kernel, append }: QemuOptions): string[] {
  if (!semihosting) return [];
  const words = [basename(kernel ?? 'guest'), ...(append === undefined ? [] : [append])];
  return ['-semihosting-config', `enable=on,target=gdb${words.map((word) => `,arg=${escaped(word)}`).join('')}`];
}

export function checkSemihosting({ semihosting, arch, smp, record, accel }: QemuOptions): void {
  if (!semihosting) return;
  if (!architectures.has(arch))
    throw refusal(
      `Semihosting is offered for ${[...architectures].join(', ')}: elsewhere QEMU has none, or opens files of this computer on its own.`,
      'Leave "semihosting" out.',
    );
  if ((smp ?? 1) > 1) throw refusal(severalProcessors, 'Leave "smp" out.');
  if (record) throw refusal('What a guest asks by semihosting cannot be recorded.', 'Leave one of the two out.');
  if (accel === 'kvm') throw refusal('Semihosting needs software emulation.', 'Use "accel":"tcg".');
}

/** Boards may have several that nobody asked for. */
export function requireOneProcessor({ debugger: { vcpus } }: QemuEngine): void {
  if (vcpus > 1) throw refusal(severalProcessors, 'Use a board with one, or leave "semihosting" out.');
}

/** It does not say which of them has called. */
const severalProcessors = 'QEMU answers semihosting calls to the right processor only where there is one.';

function refusal(message: string, fix: string): MachineError {
  return new MachineError('INVALID_ARGUMENT', message, fix);
}
