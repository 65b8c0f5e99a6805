import { z } from 'zod';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import { executionError, hexText, inspect, linearOf, use } from './dos-machine.ts';
import { spiceRegisters } from './registers.ts';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const changes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;
const word = z.number().int().min(0).max(0xffff);

const readCpuState = defineDialectTool({
  name: 'read_cpu_state',
  title: 'Read CPU state',
  description: 'Registers and flags, whether the emulator is paused, and the instructions executed.',
  annotations: reads,
  input: z.strictObject({}),
  call: (_input, toolbox) =>
    inspect(toolbox, ['cpu'], async (machine) => ({
      ...spiceRegisters(await machine.cpu.registers()),
      isPaused: machine.status().state !== 'RUNNING',
      cycles: machine.cycles?.now ?? null,
    })),
});

const readDisassembly = defineDialectTool({
  name: 'read_disassembly',
  title: 'Read disassembly',
  description: 'Instructions from a segmented address on.',
  annotations: reads,
  input: z.strictObject({ segment: word, offset: word, instructionCount: z.number().int().min(1).max(500) }),
  call: ({ segment, offset, instructionCount }, toolbox) =>
    inspect(toolbox, ['cpu', 'addresses'], async ({ cpu, addresses }) => {
      const first = addresses.segmented?.(BigInt(segment), BigInt(offset)) ?? linearOf(segment, offset);
      const code = await cpu.disassemble(first, instructionCount);
      return {
        instructions: code.map(({ address, bytes, text }) => ({
          address: addresses.format(address),
          bytes: hexText(bytes),
          text,
        })),
      };
    }),
});

const writeMemory = defineDialectTool({
  name: 'write_memory',
  title: 'Write memory',
  description: 'Bytes, given as hexadecimal text, to a segmented address. The emulator has to be paused.',
  annotations: { ...changes, idempotentHint: true },
  input: z.strictObject({ segment: word, offset: word, data: z.string().max(200_000) }),
  async call({ segment, offset, data }, toolbox, caller) {
    const address = `0x${linearOf(segment, offset).toString(16)}`;
    const written = await use(toolbox, caller, 'memory_write', { address, bytes: data });
    return { success: true, segment, offset, length: written.data?.length ?? 0 };
  },
});

const searchMemory = defineDialectTool({
  name: 'search_memory',
  title: 'Search memory',
  description: 'Where a pattern of hexadecimal bytes (?? for any) lies.',
  annotations: reads,
  input: z.strictObject({
    pattern: z.string().max(1000),
    startSegment: word.default(0),
    startOffset: word.default(0),
    length: z.number().int().min(0).max(0x1000000).default(0).describe('0: to the end'),
    limit: z.number().int().min(1).max(500).default(50),
  }),
  async call({ pattern, startSegment, startOffset, length, limit }, toolbox, caller) {
    const from = `0x${linearOf(startSegment, startOffset).toString(16)}`;
    const spaced = /^[0-9a-f?]+$/i.test(pattern) ? (pattern.match(/../g)?.join(' ') ?? pattern) : pattern;
    const range = length === 0 ? { from } : { from, length };
    const { data = {} } = await use(toolbox, caller, 'memory_search', { pattern: spaced, limit, ...range });
    return { matches: data.addresses, truncated: data.more };
  },
});

const readStack = defineDialectTool({
  name: 'read_stack',
  title: 'Read the stack',
  description: 'Words on the stack, its top first.',
  annotations: reads,
  input: z.strictObject({ count: z.number().int().min(1).max(1024) }),
  call: ({ count }, toolbox) =>
    inspect(toolbox, ['cpu', 'memory'], async ({ cpu, memory }) => {
      const { segments, generalPurpose } = spiceRegisters(await cpu.registers());
      const [ss = 0, sp = 0] = [segments.SS, (generalPurpose.ESP ?? 0) & 0xffff];
      const entries = Math.min(count, (0x10000 - sp) >> 1);
      const bytes = await memory.peek(memory.spaces[0]?.name ?? '', linearOf(ss, sp), Math.max(1, entries * 2));
      return {
        ss,
        sp,
        values: Array.from(
          { length: entries },
          (_, index) => (bytes[index * 2] ?? 0) | ((bytes[index * 2 + 1] ?? 0) << 8),
        ),
      };
    }),
});

const readInterruptVector = defineDialectTool({
  name: 'read_interrupt_vector',
  title: 'Read an interrupt vector',
  description: 'The segmented address that an interrupt leads to.',
  annotations: reads,
  input: z.strictObject({ vectorNumber: z.number().int().min(0).max(255) }),
  call: ({ vectorNumber }, toolbox) =>
    inspect(toolbox, ['memory'], async ({ memory }) => {
      const [low = 0, high = 0, segmentLow = 0, segmentHigh = 0] = await memory.peek(
        memory.spaces[0]?.name ?? '',
        BigInt(vectorNumber * 4),
        4,
      );
      return { vectorNumber, segment: segmentLow | (segmentHigh << 8), offset: low | (high << 8) };
    }),
});

const screenshot = defineDialectTool({
  name: 'screenshot',
  title: 'Take a screenshot',
  description: 'The screen as a PNG.',
  annotations: reads,
  input: z.strictObject({}),
  async call(_input, toolbox, caller) {
    const { images = [] } = await use(toolbox, caller, 'screen_read', { mode: 'image' });
    const [image] = images;
    if (!image) throw executionError('there is no picture.');
    return { mimeType: image.mimeType, images: [image] };
  },
});

/** Of its later tools, those that look at the machine. */
export const laterTools: readonly DialectTool[] = [
  readCpuState,
  readDisassembly,
  writeMemory,
  searchMemory,
  readStack,
  readInterruptVector,
  screenshot,
];
