import { z } from 'zod';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import { executionError, hexText, inspect } from './dos-machine.ts';
import { spiceRegisters } from './registers.ts';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const maxReadBytes = 4096;

const readCpuRegisters = defineDialectTool({
  name: 'read_cpu_registers',
  title: 'Read CPU registers',
  description: 'The values of all CPU registers: general purpose, segments, instruction pointer, flags.',
  annotations: reads,
  input: z.strictObject({}),
  call: (_input, toolbox) => inspect(toolbox, ['cpu'], async ({ cpu }) => spiceRegisters(await cpu.registers())),
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
  call: ({ address, length }, toolbox) =>
    inspect(toolbox, ['memory'], async ({ memory }) => {
      const [space] = memory.spaces;
      if (!space || BigInt(address + length) > space.size) {
        throw executionError(
          `address ${address} and length ${length} lie outside of memory (${space?.size ?? 0} bytes).`,
        );
      }
      return { address, length, data: hexText(await memory.peek(space.name, BigInt(address), length)) };
    }),
});

const listFunctions = defineDialectTool({
  name: 'list_functions',
  title: 'List functions',
  description: 'Known functions of the function catalogue, the most frequently called first.',
  annotations: reads,
  input: z.strictObject({
    limit: z.number().int().min(0).default(100).describe('Maximum number of functions to return'),
  }),
  call: ({ limit }, toolbox) =>
    inspect(toolbox, ['functions'], async ({ functions }) => {
      const all = [...(await functions.list())].sort((a, b) => b.calls - a.calls);
      return {
        functions: all.slice(0, limit).map(({ where, name = 'unknown', calls }) => ({
          address: where,
          name,
          calledCount: calls,
          hasOverride: false,
        })),
        totalCount: all.length,
      };
    }),
});

function readCfgCpuGraph(isEnabled: boolean) {
  return defineDialectTool({
    name: 'read_cfg_cpu_graph',
    title: 'Read CFG CPU graph',
    description: 'The state of the control-flow graph: contexts, entry points, last executed address. Needs --cfg-cpu.',
    annotations: reads,
    input: z.strictObject({}),
    call: (_input, toolbox) => {
      if (!isEnabled) {
        throw executionError('CFG CPU is not enabled. Use --CfgCpu to enable Control Flow Graph CPU.');
      }
      return inspect(toolbox, ['graph', 'cpu', 'addresses'], async ({ graph, cpu, addresses }) => {
        const { context, entryPoints, lastExecuted } = await graph.read();
        return {
          currentContextDepth: context.depth,
          currentContextEntryPoint: context.entry.where,
          totalEntryPoints: entryPoints.length,
          entryPointAddresses: entryPoints.map(({ where }) => where),
          lastExecutedAddress: lastExecuted?.where ?? addresses.format(cpu.pc),
        };
      });
    },
  });
}

/** The four tools that the seed describes. */
export function seedTools(cfgCpu: boolean): readonly DialectTool[] {
  return [readCpuRegisters, readMemory, listFunctions, readCfgCpuGraph(cfgCpu)];
}
