import type { Kind } from '../machine/kind.ts';
import { c64Kind } from './commodore/c64/c64-kind.ts';
import { c16Kind, plus4Kind } from './commodore/plus4/plus4-kind.ts';
import { vic20Kind } from './commodore/vic20/vic20-kind.ts';
import { viceKind } from './commodore/vice/vice-kind.ts';
import { consoleKind } from './console/console-kind.ts';
import { dosKind } from './dos/dos-kind.ts';
import { qemuKind } from './qemu/qemu-kind.ts';
import { historyBudget, type OtherThreads } from './shared/history-budget.ts';

/** Every kind of machine there is. */
export const kinds: readonly Kind[] = [
  c64Kind,
  vic20Kind,
  plus4Kind,
  c16Kind,
  dosKind,
  viceKind,
  qemuKind,
  consoleKind,
];

/** Kinds whose machines are nothing but our own code: they can live in any thread. */
export const builtInKinds: readonly Kind[] = [c64Kind, vic20Kind, plus4Kind, c16Kind, dosKind];

/** What the ways back of all machines of this process may take together. */
export function limitHistory(bytes: number, others?: OtherThreads): void {
  historyBudget.limit = bytes;
  if (others) historyBudget.join(others);
}
