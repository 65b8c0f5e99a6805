import { hex } from '../../formats/hex.ts';
import type { Register } from '../../machine/cpu.ts';
import { showRegisters } from './show.ts';

/** What an action did to the registers; all of them when nothing changed. */
export function changedRegisters(before: readonly Register[], after: readonly Register[]): string {
  const old = new Map(before.map(({ name, value }) => [name, value]));
  const changed = after.filter(({ name, value }) => old.get(name) !== value);
  if (changed.length === 0) return `${showRegisters(after)} (unchanged)`;
  return changed
    .map(({ name, value, bits, flags }) => {
      const was = hex(old.get(name) ?? 0n, bits / 4);
      return `${name} ${was}→${hex(value, bits / 4)}${flags ? ` (${flags})` : ''}`;
    })
    .join(', ');
}
