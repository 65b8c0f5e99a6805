import { z } from 'zod';
import type { ToolAnswer } from '../api/tool-host.ts';
import { encodePng } from '../formats/png.ts';
import type { AddressCapability } from '../machine/addresses.ts';
import { advice, call, MachineError } from '../machine/errors.ts';
import type { Block, FlowGraph } from '../machine/graph.ts';
import { showPlace, showPlaces } from './debug/code-place.ts';
import { pageHead, pageOf, pageTail } from './debug/paging.ts';
import { parseAddress } from './debug/parse-address.ts';
import { blockText } from './graph/block-text.ts';
import { dotLines } from './graph/dot.ts';
import { edgeLegend, graphPicture } from './graph/graph-picture.ts';
import { functionAt } from './graph/owners.ts';
import { crossReferences, referencesOf, showReference } from './graph/references.ts';
import { allBlocks, blocksAt, neighbourhood } from './graph/select-blocks.ts';
import { programTexts, showTexts } from './graph/texts.ts';
import { defineTool } from './tool.ts';

/** Below this a picture is shown twice as large. */
const smallPicture = 784;
/** Of code in an answer, which would be cut off much earlier as text. */
const mostBytes = 4096;

export const graphRead = defineTool({
  name: 'graph_read',
  title: 'Read the control-flow graph',
  description:
    'The graph of the code that ran: all of it, around an address, or one function; as blocks with disassembly, counts ' +
    'and edges, as Graphviz DOT, as a picture, as cross references of an address, or texts of the program with the code that uses them. ' +
    'Example: {"address":"1000:0234","scope":"function","as":"picture"}.',
  toolset: 'code',
  needs: ['graph', 'addresses'],
  effect: 'read',
  idempotent: true,
  input: z.object({
    as: z.enum(['blocks', 'dot', 'picture', 'xrefs', 'strings']).default('blocks'),
    address: z.string().optional(),
    scope: z.enum(['whole', 'around', 'function']).optional().describe('Default: around the address, else whole'),
    depth: z.number().int().min(0).max(50).default(2).describe('Edges from the address, for around'),
    from: z.number().int().min(0).default(0),
    limit: z.number().int().min(1).max(200).optional().describe('Blocks; default 20, pictures and DOT 60'),
    format: z.enum(['text', 'json']).optional(),
  }),
  async run(machine, { as, address, scope, depth, from, limit }, { signal }): Promise<ToolAnswer> {
    const { graph: capability, addresses } = machine;
    const graph = await capability.read();
    const place = address === undefined ? undefined : parseAddress(address, addresses);
    if (as === 'xrefs') {
      const references = await crossReferences(capability, graph, required(place), addresses, signal);
      const page = pageOf(references, from, limit ?? 50);
      return {
        text: [
          `${referencesOf(required(place), addresses)}: ${pageHead(page, 'references')}`,
          ...page.items.map((each) => showReference(each, addresses)),
          ...pageTail(page),
        ].join('\n'),
        data: { references: page.items, total: page.total, next: page.next },
      };
    }
    if (as === 'strings') {
      const page = pageOf(await programTexts(machine, addresses, signal), from, limit ?? 50);
      return {
        text: [pageHead(page, 'texts'), showTexts(page.items, addresses), ...pageTail(page)].join('\n'),
        data: { texts: page.items, total: page.total, next: page.next },
      };
    }
    const wanted = scope ?? (place === undefined ? 'whole' : 'around');
    const blocks =
      wanted === 'whole'
        ? allBlocks(graph)
        : wanted === 'around'
          ? neighbourhood(graph, ranAt(graph, required(place), addresses), depth)
          : await functionAt(machine, graph, ranAt(graph, required(place), addresses), signal);
    const page = pageOf(blocks, from, fitting(blocks, from, limit ?? (as === 'blocks' ? 20 : 60)));
    const head = pageHead(page, 'blocks');
    const data = { total: page.total, next: page.next };
    if (as === 'dot') {
      const dot = `${(await dotLines(page.items, graph, addresses, signal)).join('\n')}\n`;
      return { text: [`${head}`, dot, ...pageTail(page)].join('\n'), data: { ...data, dot } };
    }
    if (as === 'picture') {
      const { picture, drawn, places } = await graphPicture(page.items, addresses, signal);
      const shown = pageOf(blocks, from, drawn);
      const size = `${picture.width}x${picture.height} pixels`;
      const scale = Math.max(picture.width, picture.height) <= smallPicture ? 2 : 1;
      return {
        text: [`${pageHead(shown, 'blocks')}, picture of ${size}; ${edgeLegend}`, ...pageTail(shown)].join('\n'),
        data: {
          ...{ total: shown.total, next: shown.next },
          ...{ width: picture.width, height: picture.height, places },
        },
        images: [{ mimeType: 'image/png', base64: Buffer.from(await encodePng(picture, scale)).toString('base64') }],
      };
    }
    return {
      text: [
        summary(graph, addresses),
        head,
        ...page.items.map((block) => blockText(block, graph, addresses)),
        ...pageTail(page),
      ].join('\n'),
      data: { ...data, blocks: page.items.map(blockData), context: graph.context, entry_points: graph.entryPoints },
    };
  },
});

/** How many of the blocks an answer has room for. */
function fitting(blocks: readonly Block[], from: number, limit: number): number {
  let bytes = 0;
  let count = 0;
  for (const block of blocks.slice(from, from + limit)) {
    bytes += block.bytes;
    if (count > 0 && bytes > mostBytes) break;
    count++;
  }
  return Math.max(1, count);
}

function required(place: bigint | undefined): bigint {
  if (place !== undefined) return place;
  throw new MachineError('INVALID_ARGUMENT', 'This view needs an address.', 'Add "address".');
}

function ranAt(graph: FlowGraph, place: bigint, addresses: AddressCapability): readonly Block[] {
  const blocks = blocksAt(graph, place);
  if (blocks.length > 0) return blocks;
  throw new MachineError('NOT_FOUND', `No code has run at ${addresses.format(place)}.`, [
    advice`The graph contains only what has run: run to there first.`,
    advice`Look at it with ${call('disassemble')}.`,
  ]);
}

function summary({ blocks, entryPoints, context, lastExecuted }: FlowGraph, addresses: AddressCapability): string {
  const edges = [...blocks.values()].reduce((sum, block) => sum + block.edges.length, 0);
  const parts = [
    `${blocks.size} blocks, ${edges} edges`,
    `${entryPoints.length} entry points: ${showPlaces(entryPoints, addresses)}`,
    `context depth ${context.depth}, entered at ${showPlace(context.entry, addresses)}`,
    lastExecuted && `last executed ${showPlace(lastExecuted, addresses)}`,
  ];
  return parts.filter(Boolean).join('; ');
}

function blockData(block: Block) {
  const { id, address, where, kind, executions, edges, variant } = block;
  const instructions = block
    .instructions()
    .map((each) => ({ address: each.address, where: each.where, text: each.text }));
  return { id, address, where, kind, executions, edges, variant, instructions };
}
