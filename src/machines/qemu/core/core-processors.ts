import { ifThere } from '../debug/if-there.ts';
import { valueToBytes } from '../debug/register-bytes.ts';
import type { Target } from '../debug/target.ts';
import type { CorePiece, CoreProcessor } from './core-state.ts';

/** All registers of all processors, for those at rest. */
export async function processorsOf(target: Target, threads: readonly string[]): Promise<CoreProcessor[]> {
  const processors: CoreProcessor[] = [];
  for (const thread of threads) {
    await target.on(thread, async () => {
      // Also what was read before and is remembered has to be asked for again.
      target.forget();
      const known = await target.general();
      const others = new Map<number, Uint8Array>();
      for (const register of target.description.registers) {
        if (known.get(register.number) !== undefined) continue;
        const value = await ifThere(target.register(register));
        const bytes = Math.ceil(register.bits / 8);
        if (value !== undefined) others.set(register.number, valueToBytes(value, bytes, target.bigEndian));
      }
      const monitor = target.isX86 ? await target.qmp.hmp('info registers', { cpuIndex: target.cpuIndex }) : '';
      processors.push({ general: await target.gdb.readAll(), others, monitor: monitor.slice(0, 16_000) });
    });
  }
  return processors;
}

/** Of a Cortex-M, whose fault registers are a device. */
const systemControl = { at: 0xe000ed00n, bytes: 0x90 };

export async function piecesOf(target: Target): Promise<CorePiece[]> {
  if (!target.isCortexM) return [];
  const bytes = await ifThere(target.memory(systemControl.at, systemControl.bytes));
  return bytes ? [{ physical: systemControl.at, bytes }] : [];
}
