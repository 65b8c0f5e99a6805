import { z } from 'zod';
import type { Caller, ToolHost } from '../../api/tool-host.ts';
import { type DialectTool, defineDialectTool } from '../dialect.ts';
import { definePausingTool, executionError, linearOf, use } from './dos-machine.ts';
import { spiceRegisters } from './registers.ts';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const changes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;
const processor = {
  registers: z.record(z.string(), z.number()),
  state: z.string(),
  cycles: z.number().nullable(),
};
/** Of one search, whatever the caller's limit. */
const mostMatches = 500;
const word = z.number().int().min(0).max(0xffff);

const readCpuState = defineDialectTool({
  name: 'read_cpu_state',
  title: 'Read CPU state',
  description: 'Registers and flags, whether the emulator is paused, and the instructions executed.',
  annotations: reads,
  input: z.strictObject({}),
  async call(_input, host, caller) {
    const { registers, state, cycles } = await use(host, caller, 'processor_read', {}, processor);
    return { ...spiceRegisters(registers), isPaused: state !== 'RUNNING', cycles };
  },
});

const readDisassembly = defineDialectTool({
  name: 'read_disassembly',
  title: 'Read disassembly',
  description: 'Instructions from a segmented address on.',
  annotations: reads,
  input: z.strictObject({ segment: word, offset: word, instructionCount: z.number().int().min(1).max(500) }),
  async call({ segment, offset, instructionCount }, host, caller) {
    const wanted = { segment, offset, count: instructionCount };
    const { instructions } = await use(host, caller, 'code_read', wanted, { instructions: z.array(z.unknown()) });
    return { instructions };
  },
});

const writeMemory = definePausingTool({
  name: 'write_memory',
  title: 'Write memory',
  description: 'Bytes, given as hexadecimal text, to a segmented address.',
  annotations: { ...changes, idempotentHint: true },
  input: z.strictObject({ segment: word, offset: word, data: z.string().max(200_000) }),
  async call({ segment, offset, data }, host, caller) {
    const address = `0x${linearOf(segment, offset).toString(16)}`;
    const { length } = await use(host, caller, 'memory_write', { address, bytes: data }, { length: z.number() });
    return { success: true, segment, offset, length };
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
    limit: z.number().int().min(1).max(10_000).default(50),
  }),
  async call({ pattern, startSegment, startOffset, length, limit }, host, caller) {
    const from = `0x${linearOf(startSegment, startOffset).toString(16)}`;
    const spaced = /^[0-9a-f?]+$/i.test(pattern) ? (pattern.match(/../g)?.join(' ') ?? pattern) : pattern;
    const range = length === 0 ? { from } : { from, length };
    const found = { addresses: z.array(z.unknown()), more: z.unknown() };
    const wanted = { pattern: spaced, limit: Math.min(limit, mostMatches), ...range };
    const { addresses, more } = await use(host, caller, 'memory_search', wanted, found);
    return { matches: addresses, truncated: more };
  },
});

const readStack = defineDialectTool({
  name: 'read_stack',
  title: 'Read the stack',
  description: 'Words on the stack, its top first.',
  annotations: reads,
  input: z.strictObject({ count: z.number().int().min(1).max(1024) }),
  async call({ count }, host, caller) {
    const { registers } = await use(host, caller, 'processor_read', {}, processor);
    const { segments, generalPurpose } = spiceRegisters(registers);
    const [ss = 0, sp = 0] = [segments.SS, (generalPurpose.ESP ?? 0) & 0xffff];
    const entries = Math.min(count, (0x10000 - sp) >> 1);
    const bytes = await peek(host, caller, linearOf(ss, sp), Math.max(1, entries * 2));
    return { ss, sp, values: Array.from({ length: entries }, (_, index) => wordAt(bytes, index * 2)) };
  },
});

const readInterruptVector = defineDialectTool({
  name: 'read_interrupt_vector',
  title: 'Read an interrupt vector',
  description: 'The segmented address that an interrupt leads to.',
  annotations: reads,
  input: z.strictObject({ vectorNumber: z.number().int().min(0).max(255) }),
  async call({ vectorNumber }, host, caller) {
    const bytes = await peek(host, caller, vectorNumber * 4, 4);
    return { vectorNumber, segment: wordAt(bytes, 2), offset: wordAt(bytes, 0) };
  },
});

const screenshot = defineDialectTool({
  name: 'screenshot',
  title: 'Take a screenshot',
  description: 'The screen as a PNG.',
  annotations: reads,
  input: z.strictObject({}),
  async call(_input, host, caller) {
    const { images } = await use(host, caller, 'screen_read', { mode: 'image' }, {});
    const [image] = images;
    if (!image) throw executionError('there is no picture.');
    return { mimeType: image.mimeType, images: [image] };
  },
});

async function peek(host: ToolHost, caller: Caller, address: number, length: number): Promise<Uint8Array> {
  const { bytes } = await use(host, caller, 'memory_peek', { address, length }, { bytes: z.string() });
  return Buffer.from(bytes, 'hex');
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

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
