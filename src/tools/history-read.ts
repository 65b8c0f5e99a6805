import { z } from 'zod';
import { hex } from '../formats/hex.ts';
import type { AddressCapability } from '../machine/addresses.ts';
import type { PastAccess, PastAccesses } from '../machine/past.ts';
import { addressOf } from './debug/address.ts';
import { count } from './debug/code-place.ts';
import { showAddress } from './debug/show.ts';
import { showTraceEntry } from './debug/show-trace.ts';
import { defineTool } from './tool.ts';

export const historyRead = defineTool({
  name: 'history_read',
  title: 'Read the past',
  description:
    'The last instructions before now, for example before a stop or a jam, with their registers; or, with an address, who last wrote and who last ' +
    'read it. Needs no preparation. Example: {"count":20} or {"address":"score","length":2}.',
  toolset: 'log',
  needs: ['past', 'addresses'],
  effect: 'read',
  idempotent: true,
  whileStopped: true,
  input: z.object({
    count: z.number().int().min(1).max(1000).default(20),
    address: z.string().optional(),
    length: z.number().int().min(1).max(4096).default(1),
    timeout_ms: z.number().int().min(1).max(40_000).default(10_000),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ past, addresses }, { count: wanted, address, length, timeout_ms }, { signal }) {
    if (address !== undefined) {
      const first = await addressOf(address, addresses);
      const found = await past.accesses(first, length, timeout_ms, signal);
      return { text: showAccesses(found, addresses), data: { ...found } };
    }
    const entries = await past.instructions(wanted, signal);
    const lines = entries.map(
      (entry) => `${showTraceEntry({ ...entry, seq: entry.time })}${sourceOf(entry.address, addresses)}`,
    );
    return { text: lines.join('\n') || 'Nothing before this moment is remembered.', data: { instructions: entries } };
  },
});

function sourceOf(address: bigint, { source }: AddressCapability): string {
  const line = source?.(address);
  return line ? `  ; ${line.file.split(/[\\/]/).at(-1)}:${line.line}` : '';
}

function showAccesses({ write, read, since, isWhole }: PastAccesses, addresses: AddressCapability): string {
  const none = isWhole
    ? 'never, as far as it is remembered'
    : `not since cycle ${count(since)}, which is how far the search came`;
  const show = (access: PastAccess | undefined, done: string) =>
    access === undefined
      ? `last ${done}: ${none}`
      : `last ${done}: ${showAddress(access.pc, addresses)}  ${access.text}, cycle ${count(access.time)}, ` +
        `${addresses.format(access.address)} was ${hex(access.value, 2)} after it`;
  return [show(write, 'written'), show(read, 'read')].join('\n');
}
