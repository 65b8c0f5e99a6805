import type { Core } from '../core.ts';
import { flag, packFlags, unpackFlags } from '../flags.ts';

/** The flags that POPF and IRET may change here. */
export function loadable(core: Core, width: number): number {
  const { rules } = core;
  let allowed = width === 32 ? rules.wideFlags & ~flag.virtual8086 : rules.loadableFlags;
  if (!core.isProtected) return allowed;
  if (core.privilege > 0) allowed &= ~flag.ioPrivilege;
  if (core.privilege > core.ioPrivilege) allowed &= ~flag.interrupt;
  return allowed;
}

export function loadSome(core: Core, value: number, allowed: number): void {
  const { words } = core;
  unpackFlags(words, (packFlags(words) & ~allowed) | (value & allowed) | core.rules.fixedFlags);
  core.refreshAlignment();
}

/** The resume flag, which an IRET of 32 bits brings back; kept only while there are breakpoints that it could pass. */
export function resumable({ debug }: Core, width: number): number {
  return width === 32 && debug.hasCode ? flag.resume : 0;
}
