import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonSchemaOf, parseArguments } from '../../src/api/arguments.ts';
import { spice86 } from '../../src/dialects/spice86.ts';
import { MachineError } from '../../src/machine/errors.ts';
import { LocalToolHost } from '../../src/station/local-tool-host.ts';
import { Confirmations } from '../../src/tools/confirmations.ts';
import { tools } from '../../src/tools/index.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { makeRack } from '../make-rack.ts';
import { benches, benchKind } from './bench-machine.ts';

const withGraph = spice86.configured?.({ 'cfg-cpu': true }, { version: '1' }) ?? spice86;
let toolbox: Toolbox;

beforeEach(async () => {
  const confirmations = new Confirmations(true, () => 'token');
  toolbox = new Toolbox(tools, ['all'], makeRack([benchKind]), confirmations, (bug) => {
    throw bug;
  });
  await toolbox.rack.start('dos', {});
});
afterEach(() => toolbox.rack.close());

/** As the server calls a tool of a dialect. */
async function call(name: string, args: Record<string, unknown> = {}, dialect = withGraph) {
  const tool = dialect.tools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
  return tool.call(parseArguments(name, tool.input, args), new LocalToolHost(toolbox), { ...caller, via: name });
}

async function failure(name: string, args: Record<string, unknown> = {}, dialect = withGraph): Promise<MachineError> {
  const error = await call(name, args, dialect).catch((reason: unknown) => reason);
  if (error instanceof MachineError) return error;
  throw new Error(`${name} did not fail`);
}

test('a machine that is looked at through the dialect is in use, and the journal has every look', async () => {
  const rack = makeRack([benchKind], { idleTimeoutMs: 400 });
  toolbox = new Toolbox(tools, ['all'], rack, new Confirmations(true, () => 'token'), (bug) => {
    throw bug;
  });
  await rack.start('dos', {});
  const end = performance.now() + 1500;
  let looks = 0;
  while (performance.now() < end) {
    await call('read_cpu_registers');
    looks++;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(rack.machines).toHaveLength(1);
  expect(rack.journal.entries).toHaveLength(looks);
  expect(rack.journal.entries[0]).toMatchObject({ tool: 'processor_read', via: 'read_cpu_registers', isError: false });
});

test('inner tools are not for agents', async () => {
  const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
  expect(await toolbox.call('processor_read', {}, caller)).toMatchObject({ error: { type: 'UNKNOWN_TOOL' } });
  const steps = [{ tool: 'processor_read' }];
  expect(await toolbox.call('batch', { steps }, caller)).toMatchObject({ error: { type: 'INVALID_ARGUMENT' } });
  expect(toolbox.tools.map(({ name }) => name)).not.toContain('processor_read');
});

describe('the four tools of the original', () => {
  test('have its names and arguments, and those of the same names in its later versions', () => {
    const schemas = Object.fromEntries(
      spice86.tools.slice(0, 4).map(({ name, input }) => {
        const { properties = {}, required } = jsonSchemaOf(input, true);
        return [name, { arguments: Object.keys(properties as object), required }];
      }),
    );
    expect(schemas).toEqual({
      read_cpu_registers: { arguments: [], required: undefined },
      read_memory: { arguments: ['address', 'segment', 'offset', 'length'], required: ['length'] },
      list_functions: { arguments: ['limit'], required: undefined },
      read_cfg_cpu_graph: { arguments: ['nodeLimit'], required: undefined },
    });
  });

  test('read_cpu_registers', async () => {
    expect(await call('read_cpu_registers')).toEqual({
      generalPurpose: { EAX: 0, EBX: 0, ECX: 0, EDX: 0, ESI: 0, EDI: 0, ESP: 0xfffe, EBP: 0 },
      segments: { CS: 0x1000, DS: 0x1000, ES: 0x1000, FS: 0, GS: 0, SS: 0x1000 },
      instructionPointer: { IP: 0x100 },
      flags: {
        CarryFlag: false,
        ParityFlag: false,
        AuxiliaryFlag: false,
        ZeroFlag: false,
        SignFlag: false,
        DirectionFlag: false,
        OverflowFlag: false,
        InterruptFlag: false,
      },
    });
  });

  test('read_memory', async () => {
    expect(await call('read_memory', { address: 0x10100, length: 3 })).toEqual({
      address: 0x10100,
      length: 3,
      data: 'E80500',
    });
    for (const length of [0, 4097]) expect((await failure('read_memory', { address: 0, length })).code).toBe(-32602);
    expect((await failure('read_memory', { address: 0 })).code).toBe(-32602);
    expect((await failure('read_memory', { length: 1 })).code).toBe(-32603);
    const outside = await failure('read_memory', { address: 0xffffff00, length: 16 });
    expect([outside.code, outside.message]).toEqual([-32603, expect.stringMatching(/^Tool execution error: /)]);
  });

  test('list_functions, the most called first', async () => {
    await toolbox.rack.get(undefined).machine.control?.run({ wallMs: 1 }, new AbortController().signal);
    expect(await call('list_functions')).toEqual({
      functions: [
        { address: '1000:0108', name: 'unknown', calledCount: 2, hasOverride: false },
        { address: '1000:0100', name: 'unknown', calledCount: 1, hasOverride: false },
      ],
      totalCount: 2,
    });
    expect(await call('list_functions', { limit: 1 })).toMatchObject({ functions: { length: 1 }, totalCount: 2 });
  });

  test('read_cfg_cpu_graph, only with the flag', async () => {
    const error = await failure('read_cfg_cpu_graph', {}, spice86);
    expect([error.code, error.message]).toEqual([
      -32603,
      'Tool execution error: CFG CPU is not enabled. Use --CfgCpu to enable Control Flow Graph CPU.',
    ]);
    await call('step');
    expect(await call('read_cfg_cpu_graph')).toEqual({
      currentContextDepth: 0,
      currentContextEntryPoint: '1000:0100',
      totalEntryPoints: 1,
      entryPointAddresses: ['1000:0100'],
      lastExecutedAddress: expect.stringMatching(/^[0-9A-F]{4}:[0-9A-F]{4}$/),
    });
  });

  test('a running machine is held still for the look and goes on', async () => {
    const bench = benches.at(-1);
    if (!bench) throw new Error('no bench');
    bench.running = true;
    let seen = 0;
    const { peek } = bench.memory;
    bench.memory.peek = async (...args) => {
      seen = bench.holds;
      return peek.apply(bench.memory, args);
    };
    await call('read_memory', { address: 0, length: 1 });
    expect([seen, bench.holds, bench.running]).toEqual([1, 0, true]);
  });
});

describe('names of later versions', () => {
  test('code, memory and stack by segmented address', async () => {
    expect(await call('read_disassembly', { segment: 0x1000, offset: 0x100, instructionCount: 1 })).toEqual({
      instructions: [{ address: '1000:0100', bytes: 'E80500', text: 'call 0x108' }],
    });
    expect(await call('write_memory', { segment: 0x1000, offset: 0xfffe, data: '3412' })).toMatchObject({ length: 2 });
    expect(await call('read_stack', { count: 5 })).toEqual({ ss: 0x1000, sp: 0xfffe, values: [0x1234] });
    expect(await call('search_memory', { pattern: 'E805??E8' })).toEqual({ matches: [0x10100], truncated: false });
    await call('write_memory', { segment: 0, offset: 0x84, data: '00 01 00 F0' });
    expect(await call('read_interrupt_vector', { vectorNumber: 0x21 })).toMatchObject({
      segment: 0xf000,
      offset: 0x100,
    });
  });

  test('breakpoints by its names of types', async () => {
    const set = await call('add_breakpoint', { address: 0x10108, type: 'CPU_EXECUTION_ADDRESS', condition: 'ax==1' });
    expect(set).toMatchObject({ id: '1', address: 0x10108 });
    expect(await call('list_breakpoints')).toMatchObject({
      breakpoints: [{ id: '1', address: 0x10108, type: 'cpu_execution_address', condition: 'ax==1', isEnabled: true }],
    });
    expect((await failure('add_breakpoint', { address: 0, type: 'soon' })).message).toContain('cpu_execution_address');
    expect((await failure('remove_breakpoint', { id: '9' })).code).toBe(-32603);
    expect((await failure('remove_breakpoint', { id: 'x' })).message).toMatch(
      /no breakpoint x; list_breakpoints shows/,
    );
    await call('remove_breakpoint', { id: '1' });
    await call('add_breakpoint', { address: 0x21, type: 'interrupt' });
    expect(await call('clear_breakpoints')).toEqual({ success: true, removed: 1 });
  });

  test('stepping and pausing say where the program stands', async () => {
    expect(await call('step')).toMatchObject({ success: true, isPaused: true, address: '1000:0108' });
    expect(await call('pause_emulator')).toMatchObject({ success: true });
    expect(await call('read_cpu_state')).toMatchObject({ isPaused: true, instructionPointer: { IP: 0x108 } });
    expect((await failure('screenshot')).message).toContain('screen');
  });
});
