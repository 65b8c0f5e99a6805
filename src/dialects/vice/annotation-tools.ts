import { z } from 'zod';
import { hexWord } from '../../formats/hex.ts';
import { MachineError } from '../../machine/errors.ts';
import type { DialectTool } from '../dialect.ts';
import { addressInput, addressText } from './numbers.ts';
import type { ViceCall } from './vice-call.ts';
import { viceTool } from './vice-tool.ts';

const annotation = z.object({
  type: z.string(),
  description: z.string(),
  address: z.number().optional(),
  label: z.string().optional(),
  file: z.string(),
  line: z.number(),
});
const page = { annotations: z.array(annotation), total: z.number(), next: z.number().nullish() };
type Annotation = z.output<typeof annotation>;

const type = z.string().max(60).optional().describe('"irq-handler", "timing-critical" …');
const paging = {
  cursor: z.number().int().min(0).default(0).describe('"next_cursor" of the page before'),
  limit: z.number().int().min(1).max(500).default(100),
};

const list = viceTool({
  name: 'vice.annotations.list',
  title: 'List annotations',
  description: 'All @mcp-* annotations of the sources and symbol files that are loaded, in order of address.',
  effect: 'read',
  input: z.strictObject({ type, ...paging }),
  call: (wanted, call) => found(call, wanted),
});

const get = viceTool({
  name: 'vice.annotations.get',
  title: 'Get annotations of a place',
  description: 'What the author of the program says of an address ("$C000") or of a label.',
  effect: 'read',
  input: z.strictObject({ address: addressInput.optional(), label: z.string().min(1).max(200).optional() }),
  async call({ address, label }, call) {
    const place = address ?? label;
    if (place === undefined || (address !== undefined && label !== undefined)) {
      throw new MachineError('INVALID_ARGUMENT', 'Which place?', 'Give either "address" or "label".');
    }
    const { annotations } = await call.use('annotations_read', { address: addressText(place), limit: 500 }, page);
    const [first] = annotations;
    return {
      address: hexWord(first?.address ?? (await call.address(place))),
      label: first?.label ?? null,
      annotations: annotations.map((each) => ({
        type: each.type,
        description: each.description,
        ...(each.address !== undefined && each.address !== first?.address && { address: hexWord(each.address) }),
      })),
      source_file: first ? baseName(first.file) : null,
      line_number: first?.line ?? null,
    };
  },
});

const search = viceTool({
  name: 'vice.annotations.search',
  title: 'Search annotations',
  description: 'Annotations of a type, or with a text in description, label or file: {"text":"score"}.',
  effect: 'read',
  input: z.strictObject({ type, text: z.string().max(200).optional(), ...paging }),
  call: (wanted, call) => found(call, wanted),
});

async function found(
  call: ViceCall,
  { cursor, ...wanted }: { readonly cursor: number; readonly [name: string]: unknown },
) {
  const { annotations, total, next } = await call.use('annotations_read', { from: cursor, ...wanted }, page);
  return { annotations: annotations.map(shown), total, next_cursor: next ?? null };
}

function shown({ address, label, type: sort, description, file, line }: Annotation) {
  return {
    address: address === undefined ? null : hexWord(address),
    label: label ?? null,
    type: sort,
    description,
    source_file: baseName(file),
    line_number: line,
  };
}

function baseName(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? file;
}

export const annotationTools: readonly DialectTool[] = [list, get, search];
