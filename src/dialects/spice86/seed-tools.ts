import { z } from 'zod';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import { executionError, use } from './dos-machine.ts';
import { spiceRegisters } from './registers.ts';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const maxReadBytes = 4096;

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
  description: 'Bytes of memory from a linear address on.',
  annotations: reads,
  input: z.strictObject({
    address: z.number().int().min(0).max(0xffffffff).describe('The starting linear memory address'),
    length: z.number().int().min(1).max(maxReadBytes).describe('The number of bytes to read (maximum 4096)'),
  }),
  async call({ address, length }, host, caller) {
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
    limit: z.number().int().min(0).default(100).describe('Maximum number of functions to return'),
  }),
  async call({ limit }, host, caller) {
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
    description: 'The state of the control-flow graph: contexts, entry points, last executed address. Needs --cfg-cpu.',
    annotations: reads,
    input: z.strictObject({}),
    async call(_input, host, caller) {
      if (!isEnabled) {
        throw executionError('CFG CPU is not enabled. Use --CfgCpu to enable Control Flow Graph CPU.');
      }
      const shape = {
        depth: z.number(),
        entry: z.string(),
        entry_points: z.array(z.string()),
        last_executed: z.string(),
      };
      const graph = await use(host, caller, 'graph_summary', {}, shape);
      return {
        currentContextDepth: graph.depth,
        currentContextEntryPoint: graph.entry,
        totalEntryPoints: graph.entry_points.length,
        entryPointAddresses: graph.entry_points,
        lastExecutedAddress: graph.last_executed,
      };
    },
  });
}

/** The four tools that the seed describes. */
export function seedTools(cfgCpu: boolean): readonly DialectTool[] {
  return [readCpuRegisters, readMemory, listFunctions, readCfgCpuGraph(cfgCpu)];
}
