import type { Target } from './target.ts';

/** Bits of the flags that are never set; bit 1 always is. */
const neverSet = ~0x3f_7fd7n;
const alwaysSet = 2n;
const privilege = 3n;
/** Code segment, flags, stack pointer and stack segment, above the address where it goes on. */
const pushedBytes = 32n;
const alignment = 16n;

/**
 * The stack pointer before an interrupt came, if what a processor of 64 bits pushes then lies where the caller's own stack would
 * begin: no table tells that a function is the handler of an interrupt, and what it returns to is no call.
 */
export async function stackBeforeInterrupt(target: Target, at: bigint): Promise<bigint | undefined> {
  const word = (n: bigint) => target.glanceNumber(at + 8n * n, 8);
  const [code, flags, stack, segment] = [await word(0n), await word(1n), await word(2n), await word(3n)];
  if (code === undefined || flags === undefined || stack === undefined || segment === undefined) return undefined;
  if (code > 0xffffn || segment > 0xffffn || (flags & neverSet) !== 0n || (flags & alwaysSet) === 0n) return undefined;
  if ((code & privilege) !== 0n) return (segment & privilege) === (code & privilege) ? stack : undefined;
  if (code !== (await target.value('cs'))) return undefined;
  const end = at + pushedBytes;
  if (stack >= end && stack < end + alignment) return stack;
  // The handler has a stack of its own, which begins aligned.
  return end % alignment === 0n && segment !== 0n && segment === (await target.value('ss')) ? stack : undefined;
}
