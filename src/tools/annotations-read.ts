import { z } from 'zod';
import type { AddressCapability } from '../machine/addresses.ts';
import type { Annotation } from '../machine/annotations.ts';
import { addressOf } from './debug/address.ts';
import { pageHead, pageOf, pageTail } from './debug/paging.ts';
import { defineTool } from './tool.ts';

export const annotationsRead = defineTool({
  name: 'annotations_read',
  title: 'Read annotations',
  description:
    'Hints that the program’s authors left in comments (@mcp-irq-handler, @mcp-timing-critical, @mcp-state …) of loaded sources and ' +
    'label files, with address, label, file and line. Example: {"type":"irq-handler"} or {"address":"sprite_multiplex"}.',
  toolset: 'names',
  needs: ['annotations', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    address: z.string().optional().describe('Exactly this address or label'),
    type: z.string().max(60).optional(),
    text: z.string().max(200).optional().describe('Part of a description, label or file'),
    from: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(500).default(50),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run({ annotations, addresses }, { address, type, text, from, limit }) {
    const all = annotations.list().map((each) => withLabel(each, addresses));
    const at = address === undefined ? undefined : await placeOf(address, all, addresses);
    const kind = type?.toLowerCase().replace(/^@?mcp-/, '');
    const part = text?.toLowerCase();
    const matching = all.filter(
      (each) =>
        (at === undefined || at(each)) &&
        (kind === undefined || each.type === kind) &&
        (part === undefined || describe(each).toLowerCase().includes(part)),
    );
    const page = pageOf(matching, from, limit);
    const among = matching.length < all.length ? ` (${all.length} are known)` : '';
    return {
      text: [
        `${pageHead(page, 'annotations')}${among}`,
        ...page.items.map((each) => show(each, addresses)),
        ...pageTail(page),
      ].join('\n'),
      data: { annotations: page.items, total: page.total, known: all.length, next: page.next },
    };
  },
});

/** One before an address is set has none of its own; what begins there has. */
function withLabel(annotation: Annotation, { symbols }: AddressCapability): Annotation {
  if (annotation.label !== undefined || annotation.address === undefined) return annotation;
  const label = symbols.describe(annotation.address, 0n);
  return label === undefined ? annotation : { ...annotation, label };
}

/** A label of an annotation need not be a symbol: a source that was loaded alone has no others. */
async function placeOf(
  text: string,
  all: readonly Annotation[],
  addresses: AddressCapability,
): Promise<(annotation: Annotation) => boolean> {
  const wanted = text.trim();
  if (all.some(({ label }) => label === wanted)) return ({ label }) => label === wanted;
  const address = await addressOf(wanted, addresses);
  return (annotation) => annotation.address === address;
}

function describe({ type, description, label = '', file }: Annotation): string {
  return `${type} ${description} ${label} ${file}`;
}

function show({ type, description, address, label, file, line }: Annotation, { format }: AddressCapability): string {
  const place = [address === undefined ? '(no address)' : format(address), label].filter(Boolean).join(' ');
  return `${place}  ${type}: ${description} (${file}:${line})`;
}
