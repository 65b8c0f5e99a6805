import { defineKind } from '../../machine/kind.ts';
import { qemuOptions } from './qemu-options.ts';

export const qemuKind = defineKind({
  kind: 'qemu',
  summary:
    'A virtual machine under QEMU, any installed system emulator: kernels, operating systems, firmware, boards; ' +
    'consoles, screen, keyboard, debugger, network capture, snapshots.',
  options: qemuOptions,
  // The program itself takes about 100 beside the guest's.
  memoryMib: ({ memory = 256, core }) => (core === undefined ? memory : 0) + 100,
  async start(options, host) {
    if (options.core !== undefined) {
      const { openCore } = await import('./core/open-core.ts');
      return openCore(options.core, options, host);
    }
    const { startQemu } = await import('./start-qemu.ts');
    return startQemu(options, host);
  },
});
