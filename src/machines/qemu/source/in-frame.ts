import { MachineError } from '../../../machine/errors.ts';
import type { Rest } from '../debug/rest.ts';
import type { Target } from '../debug/target.ts';
import type { QemuSymbols } from '../symbols/qemu-symbols.ts';
import { type SourceScope, scopesOf } from './source-scope.ts';
import { unbroken } from './unbroken.ts';

/** What frames are found in. */
export interface Stopped {
  readonly execution: Rest;
  readonly target: Target;
  readonly symbols: QemuSymbols;
  /** Of one certain processor; without it the selected one. */
  readonly thread?: string;
}

/** Does something with the names of a frame of the machine, which is held for it; it hears how many frames are known. */
export function inFrame<T>(
  { execution, target, symbols, thread }: Stopped,
  frame: number,
  action: (scope: SourceScope, frames: number) => Promise<T>,
  /** How many frames are looked for. */
  most = frame + 1,
): Promise<T> {
  return execution.atRest(async () => {
    await execution.refresh();
    return target.on(thread ?? target.thread, () => framed());
  });

  async function framed(): Promise<T> {
    const scopes = await scopesOf(target, symbols, Math.max(most, frame + 1));
    const scope = scopes[frame];
    if (scope) return unbroken(() => action(scope, scopes.length));
    throw new MachineError(
      'NOT_FOUND',
      `There is no frame ${frame}; ${scopes.length} ${scopes.length === 1 ? 'is' : 'are'} known by unwind tables.`,
      `Use a frame from 0 to ${scopes.length - 1}.`,
    );
  }
}
