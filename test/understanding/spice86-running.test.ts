import { afterEach, expect, test, vi } from 'vitest';
import { parseArguments } from '../../src/api/arguments.ts';
import { spice86 } from '../../src/dialects/spice86.ts';
import { code, DosDesk } from './dos-desk.ts';

const withGraph = spice86.configured?.({ 'cfg-cpu': true }, { version: '1' }) ?? spice86;
let desk: DosDesk;
afterEach(() => desk.close());

/** As the server calls a tool of the dialect. */
async function call(name: string, args: Record<string, unknown> = {}) {
  const tool = withGraph.tools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
  return tool.call(parseArguments(name, tool.input, args), desk.host, { ...caller, via: name });
}

// 100: inc word [180h]; in al,61h; out 80h,al; mov al,[190h]; jmp 100h
const busy = code(['100', 'ff068001 e461 e680 a09001 ebf3'], ['180', '0000'], ['190', '2a']);
const fresh = (options = {}) => DosDesk.open({ 'B.COM': busy }, { program: 'B.COM', sound: 'sb16', ...options });
const isPaused = async () => (await call('read_cpu_state')).isPaused;

test('a running emulator is paused for a change and goes on after it', async () => {
  desk = await fresh({ clock: 'real' });
  expect(await isPaused()).toBe(false);
  const segment = ((await call('read_cpu_state')).segments as Record<string, number>).CS ?? 0;
  expect(await call('write_memory', { segment, offset: 0x1a0, data: 'BEEF' })).toMatchObject({ success: true });
  expect(await isPaused()).toBe(false);
  await call('video_set_mode', { modeId: 0x13, clearVideoMemory: true });
  await call('video_write_pixel', { x: 1, y: 2, color: 3 });
  await call('opl_write_register', { register: 0x105, value: 1 });
  await call('dos_set_default_drive', { driveLetter: 'C' });
  await expect(call('midi_send_bytes', { data: 'xyz' })).rejects.toThrow('hexadecimal');
  expect(await isPaused()).toBe(false);
  expect(await call('read_memory', { segment, offset: 0x1a0, length: 2 })).toMatchObject({ data: 'BEEF' });
  expect(await call('read_memory', { address: segment * 16 + 0x1a0, length: 2 })).toMatchObject({ data: 'BEEF' });
  expect(((await call('read_opl_state')).registers as number[])[0x105]).toBe(1);
  await expect(call('read_memory', { segment, length: 2 })).rejects.toThrow('"segment" and "offset"');
  await expect(call('read_memory', { segment, offset: 0, address: 0, length: 2 })).rejects.toThrow('either');
  await call('pause_emulator');
  await call('write_memory', { segment, offset: 0x1a0, data: '00' });
  expect(await isPaused()).toBe(true);
});

test('breakpoints on any access stop at reads and writes, IN and OUT', async () => {
  desk = await fresh();
  const segment = ((await call('read_cpu_state')).segments as Record<string, number>).CS ?? 0;
  const stops = async () => {
    await call('resume_emulator');
    await vi.waitFor(async () => expect(await isPaused()).toBe(true));
    return ((await call('read_cpu_state')).instructionPointer as { IP: number }).IP;
  };
  const io = { type: 'IO_ACCESS', condition: null };
  expect(await call('add_breakpoint', { address: 0x61, ...io })).toMatchObject({ condition: null });
  await call('add_breakpoint', { address: 0x80, ...io });
  expect(new Set([await stops(), await stops()])).toEqual(new Set([0x106, 0x108]));
  await call('clear_breakpoints');
  await call('add_breakpoint', { address: segment * 16 + 0x180, type: 'MEMORY_ACCESS' });
  await call('add_breakpoint', { address: segment * 16 + 0x190, type: 'memory_access' });
  expect(await call('list_breakpoints')).toMatchObject({ breakpoints: [{ type: 'memory_access' }, {}] });
  expect(new Set([await stops(), await stops()])).toEqual(new Set([0x104, 0x10b]));
});

test('blocks of the graph up to a limit, and keys by its names', async () => {
  desk = await fresh();
  const { blocks, truncated } = await call('read_cfg_cpu_graph', { nodeLimit: 1000 });
  const loop = (blocks as { entry: string; asm: string[]; succ: number[]; id: number }[]).find(({ asm }) =>
    asm.includes('E461|in al,0x61'),
  );
  expect(truncated).toBe(false);
  expect(loop?.asm[0]).toMatch(/^FF068001\|inc /);
  expect(loop?.succ).toContain(loop?.id);
  expect(await call('read_cfg_cpu_graph', { nodeLimit: 1 })).toMatchObject({ blocks: { length: 1 }, truncated: true });
  expect(await call('read_cfg_cpu_graph', { nodeLimit: null })).not.toHaveProperty('blocks');
  expect(await call('list_functions', { limit: null })).toHaveProperty('totalCount');
  const names = { D1: '1', Kp7: 'keypad 7', LeftShift: 'shift', PageUp: 'page up', Quote: "'", f12: 'f12' };
  for (const [key, ours] of Object.entries(names)) {
    expect(await call('send_keyboard_key', { key, isPressed: true })).toMatchObject({ key: ours });
    await call('send_keyboard_key', { key, isPressed: false });
  }
});
