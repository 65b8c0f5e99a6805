import { z } from 'zod';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import { executionError, linearOf, use } from './dos-machine.ts';
import { spiceRegisters } from './registers.ts';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const maxReadBytes = 4096;
const mostBlocks = 1000;
const word = z.number().int().min(0).max(0xffff);

const readCpuRegisters = defineDialectTool({
  name: 'read_cpu_registers',
  title: 'Read CPU registers',
  description: 'The values of all CPU registers: general purpose, segments, instruction pointer, flags.',
  annotations: reads,
  input: z.strictObject({}),
  async call(_input, host, caller) {
    const shape = { registers: z.record(z.string(), z.number()) };
    return spiceRegisters((await use(host, caller, 'processor_read', {}, shape)).registers);
  },
});

const readMemory = defineDialectTool({
  name: 'read_memory',
  title: 'Read memory',
  description: 'Bytes of memory from a linear address on, or from a segment and an offset.',
  annotations: reads,
  input: z.strictObject({
    address: z.number().int().min(0).max(0xffffffff).optional().describe('The starting linear memory address'),
    segment: word.optional().describe('In place of the linear address, with the offset'),
    offset: word.optional(),
    length: z.number().int().min(1).max(maxReadBytes).describe('The number of bytes to read (maximum 4096)'),
  }),
  async call({ address: linear, segment, offset, length }, host, caller) {
    const isSegmented = segment !== undefined && offset !== undefined;
    if ((linear === undefined) !== isSegmented || (segment === undefined) !== (offset === undefined)) {
      throw executionError('give either the linear "address", or "segment" and "offset".');
    }
    const address = linear ?? linearOf(segment ?? 0, offset ?? 0);
    const shape = { size: z.number(), bytes: z.string().optional() };
    const { size, bytes } = await use(host, caller, 'memory_peek', { address, length }, shape);
    if (bytes === undefined) {
      throw executionError(`address ${address} and length ${length} lie outside memory (${size} bytes).`);
    }
    return { address, length, data: bytes };
  },
});

const listFunctions = defineDialectTool({
  name: 'list_functions',
  title: 'List functions',
  description: 'Known functions of the function catalogue, the most frequently called first.',
  annotations: reads,
  input: z.strictObject({
    limit: z.number().int().min(0).nullish().describe('Maximum number of functions to return (default 100)'),
  }),
  async call({ limit: wanted }, host, caller) {
    const limit = wanted ?? 100;
    const counted = z.object({ where: z.string(), name: z.string().nullable(), calls: z.number() });
    const shape = { functions: z.array(counted), total: z.number() };
    const { functions, total } = await use(host, caller, 'functions_counted', { limit }, shape);
    return {
      functions: functions.map(({ where, name, calls }) => ({
        address: where,
        name: name ?? 'unknown',
        calledCount: calls,
        hasOverride: false,
      })),
      totalCount: total,
    };
  },
});

function readCfgCpuGraph(isEnabled: boolean) {
  return defineDialectTool({
    name: 'read_cfg_cpu_graph',
    title: 'Read CFG CPU graph',
    description:
      'The state of the control-flow graph: contexts, entry points, last executed address. Needs --cfg-cpu. ' +
      'With nodeLimit also so many blocks at most, from the entry points on.',
    annotations: reads,
    input: z.strictObject({ nodeLimit: z.number().int().min(0).max(mostBlocks).nullish() }),
    async call({ nodeLimit }, host, caller) {
      if (!isEnabled) {
        throw executionError('CFG CPU is not enabled. Use --CfgCpu to enable Control Flow Graph CPU.');
      }
      const shape = {
        depth: z.number(),
        entry: z.string(),
        entry_points: z.array(z.string()),
        last_executed: z.string(),
        blocks: z.array(z.unknown()).optional(),
        more: z.boolean().optional(),
      };
      const graph = await use(host, caller, 'graph_summary', nodeLimit ? { blocks: nodeLimit } : {}, shape);
      return {
        currentContextDepth: graph.depth,
        currentContextEntryPoint: graph.entry,
        totalEntryPoints: graph.entry_points.length,
        entryPointAddresses: graph.entry_points,
        lastExecutedAddress: graph.last_executed,
        ...(graph.blocks && { blocks: graph.blocks, truncated: graph.more }),
      };
    },
  });
}

/** The four tools that the seed describes. */
export function seedTools(cfgCpu: boolean): readonly DialectTool[] {
  return [readCpuRegisters, readMemory, listFunctions, readCfgCpuGraph(cfgCpu)];
}
