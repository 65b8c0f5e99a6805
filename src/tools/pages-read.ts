import { z } from 'zod';
import type { ToolAnswer } from '../api/tool-host.ts';
import { hex0x } from '../formats/hex.ts';
import type { AddressCapability } from '../machine/addresses.ts';
import { MachineError } from '../machine/errors.ts';
import type { Access, PageWalk, PagingCapability } from '../machine/paging.ts';
import { addressOf, physicalPrefix } from './debug/address.ts';
import { cpuArgument, seenBy } from './debug/processor.ts';
import { showAddress } from './debug/show.ts';
import { defineTool } from './tool.ts';

export const pagesRead = defineTool({
  name: 'pages_read',
  title: 'Read page tables',
  description:
    'Page tables: {"address":"rip"} walks one virtual address down to its physical one and says where it ends; ' +
    '{"physical":"0x1000"} lists what is mapped to it; {} lists all mapped ranges, beginning at "from".',
  toolset: 'system',
  needs: ['paging', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    address: z.string().optional(),
    physical: z.string().optional(),
    from: z.string().optional(),
    limit: z.number().int().min(1).max(500).default(50),
    cpu: cpuArgument,
  }),
  async run(machine, { address, physical, from, limit, cpu }) {
    const { paging = machine.paging, addresses } = await seenBy(machine, cpu);
    if (address !== undefined && (physical !== undefined || from !== undefined)) {
      const message = '"address" translates one address, "physical" and "from" list ranges; they cannot be combined.';
      throw new MachineError('INVALID_ARGUMENT', message, 'Leave one out.');
    }
    if (address !== undefined) return walked(await paging.walk(await addressOf(address, addresses)), addresses);
    const query = {
      from: from === undefined ? 0n : await addressOf(from, addresses),
      limit,
      ...(physical !== undefined && { physical: await addressOf(physical.replace(physicalPrefix, ''), addresses) }),
    };
    return listed(paging, query, addresses);
  },
});

function walked(walk: PageWalk, addresses: AddressCapability): ToolAnswer {
  const { address, scheme, steps, physical, page, fault } = walk;
  const shown = showAddress(address, addresses);
  const size = page ? ` (${sizeText(page.bytes)} page, ${rights(page)})` : '';
  const head =
    physical === undefined ? `${shown} is not mapped: ${fault}` : `${shown} → physical ${hex0x(physical)}${size}`;
  const lines = steps.map(({ name, at, value, meaning }) => `  ${name} at ${hex0x(at)} = ${hex0x(value)}  ${meaning}`);
  return { text: [head, scheme, ...lines].join('\n'), data: { ...walk } };
}

async function listed(
  paging: PagingCapability,
  query: Parameters<PagingCapability['ranges']>[0],
  { format }: AddressCapability,
): Promise<ToolAnswer> {
  const found = await paging.ranges(query);
  const lines = found.ranges.map(
    (range) => `${format(range.first)}-${format(range.last)} → ${hex0x(range.physical)}  ${rights(range)}`,
  );
  const more = found.next === undefined ? [] : [`More: "from":"${format(found.next)}".`];
  const none = lines.length === 0 ? ['Nothing is mapped there.'] : [];
  return { text: [found.scheme, ...lines, ...none, ...more].join('\n'), data: { ...found } };
}

function rights({ user, write, execute }: Access): string {
  return `${user ? 'user' : 'kernel'} ${write ? 'rw' : 'r-'}${execute ? 'x' : '-'}`;
}

function sizeText(bytes: bigint): string {
  if (bytes >= 1n << 30n) return `${bytes >> 30n} GiB`;
  return bytes >= 1n << 20n ? `${bytes >> 20n} MiB` : `${bytes >> 10n} KiB`;
}
