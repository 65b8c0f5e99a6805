import type { X86 } from '../../../chips/x86/x86.ts';

/** How deep the processor is in calls: of the handlers that interrupted each other, and in the innermost of them. */
export interface CallLevel {
  readonly contexts: number;
  readonly calls: number;
}

export function levelOf({ contexts }: X86): CallLevel {
  return { contexts: contexts.length, calls: contexts.at(-1)?.calls.depth ?? 0 };
}

export function isDeeper(one: CallLevel, other: CallLevel): boolean {
  return one.contexts === other.contexts ? one.calls > other.calls : one.contexts > other.contexts;
}

/** Before the innermost call or interrupt; undefined if none is known. */
export function outsideOf({ contexts, calls }: CallLevel): CallLevel | undefined {
  if (calls > 0) return { contexts, calls: calls - 1 };
  return contexts > 1 ? { contexts: contexts - 1, calls: Number.POSITIVE_INFINITY } : undefined;
}
