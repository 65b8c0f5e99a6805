import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DialectDesk } from '../support/dialect-desk.ts';
import { Guest } from '../support/guest.ts';
import { Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await Sandbox.open();
});
afterEach(() => sandbox[Symbol.asyncDispose]());

const slow = { timeout: 300_000 };

const spice86 = {
  ...{ read_cpu_registers: {}, read_memory: { address: 0, length: 16 }, list_functions: {}, read_cfg_cpu_graph: {} },
  ...{ read_cpu_state: {}, read_disassembly: { segment: 0x100, offset: 0, instructionCount: 3 } },
  ...{ write_memory: { segment: 0x9000, offset: 0, data: '90' }, search_memory: { pattern: 'EBFE' } },
  ...{ read_stack: { count: 4 }, read_interrupt_vector: { vectorNumber: 33 }, screenshot: {} },
  ...{ list_breakpoints: {}, remove_breakpoint: { id: '99' }, clear_breakpoints: {} },
  ...{ add_breakpoint: { address: 0x100, type: 'execution', condition: 'nonsense ==' } },
  ...{ send_keyboard_key: { key: 'NoSuchKey', isPressed: true }, send_mouse_move: { x: 0.5, y: 0.5 } },
  ...{ send_mouse_button: { button: 'sideways', isPressed: true } },
  ...{ read_io_port: { port: 0x61 }, write_io_port: { port: 0x80, value: 1 } },
  ...{ read_sound_blaster_state: {}, sound_blaster_set_speaker: { enabled: true }, read_sound_blaster_dsp_version: {} },
  ...{ read_sound_blaster_mixer_state: {}, sound_blaster_write_mixer_register: { register: 0x22, value: 255 } },
  ...{ read_opl_state: {}, opl_write_register: { register: 0x20, value: 1 }, read_pc_speaker_state: {} },
  ...{ pc_speaker_set_control: { timer2GateEnabled: false, speakerOutputEnabled: false }, read_midi_state: {} },
  ...{ midi_reset: {}, midi_enter_uart_mode: {}, midi_send_bytes: { data: '90407F' } },
  ...{ read_video_state: {}, read_video_state_detailed: {}, video_write_text: { text: 'x' }, read_video_palette: {} },
  ...{ video_set_mode: { modeId: 3, clearVideoMemory: true }, read_video_cursor: { page: 0 } },
  ...{ video_set_cursor_position: { page: 0, x: 1, y: 1 }, video_read_character: { page: 0, x: 1, y: 1 } },
  ...{
    video_set_active_page: { page: 0 },
    video_read_pixel: { x: 1, y: 1 },
    video_write_pixel: { x: 1, y: 1, color: 1 },
  },
  ...{ mcp_about: {}, send_mouse_packet: { packetData: '080000' }, read_bios_data_area: {} },
  ...{
    read_dos_state: {},
    read_dos_current_directory: { driveLetter: 'C' },
    dos_set_current_directory: { path: 'C:\\' },
  },
  ...{ read_dos_program_state: {}, dos_set_default_drive: { driveLetter: 'C' } },
  ...{ read_ems_state: {}, read_ems_page_frame: { physicalPage: 0, offset: 0, length: 16 } },
  ...{ read_ems_memory: { handle: 9, logicalPage: 0, offset: 0, length: 16 } },
  ...{ search_ems_memory: { handle: 9, logicalPage: 0, pattern: 'EBFE' }, read_xms_state: {} },
  ...{ read_xms_memory: { handle: 9, offset: 0, length: 16 }, search_xms_memory: { handle: 9, pattern: 'EBFE' } },
  ...{ step: {}, step_over: {}, go: {}, resume_emulator: {}, pause_emulator: {} },
};

/** Only `mcp_about` needs no machine: as it is called, and without arguments. */
const withoutMachine = 2;

test('spice86 names its own tools only: without a machine', slow, async () => {
  const desk = await DialectDesk.open(sandbox, 'spice86');
  await desk.callAll(spice86);
  const refusal = await desk.call('read_cpu_registers');
  expect(refusal).toContain('No machine is running.');
  expect(refusal).toContain('Start the server with --exe PROGRAM');
  expect(desk.counts.done).toBe(withoutMachine);
});

test(
  'consoles of the configuration are none of the machines of spice86 and qemu, whatever they are called',
  slow,
  async () => {
    await using elsewhere = await Sandbox.open();
    const consoles = { qemu: { command: ['cat'] }, other: { command: ['cat'] } };
    await elsewhere.configure({ consoles });
    const dos = await DialectDesk.open(elsewhere, 'spice86');
    expect(await dos.call('read_cpu_registers')).toContain('No machine is running.');
    const named = await dos.call('add_breakpoint', { address: 256, type: 'constructor' });
    expect(named).toContain('no breakpoint type constructor');
    // The server above keeps its consoles: another one gets none of them.
    await sandbox.configure({ consoles });
    const desk = await DialectDesk.open(sandbox, 'qemu');
    expect(await desk.call('qemu_status')).not.toContain('LINK');
    expect(await desk.call('qemu_boot', { arch: 'x86_64', options: { memory: 16 } })).not.toMatch(/already|kept|keeps/);
    expect(await desk.call('qemu_status')).toContain('RUNNING');
  },
);

test(
  'spice86 names its own tools only: running and paused, with as many breakpoints as there may be',
  slow,
  async () => {
    writeFileSync(join(sandbox.dir, 'LOOP.COM'), Buffer.from('ebfe', 'hex'));
    const desk = await DialectDesk.open(sandbox, 'spice86', ['--exe', 'LOOP.COM']);
    expect(await desk.call('step')).toMatch(/step needs .*Call pause_emulator first/);
    expect(await desk.call('write_memory', spice86.write_memory)).not.toContain('needs');
    await desk.callAll(spice86);
    await desk.call('pause_emulator');
    await desk.callAll({ ...spice86, send_keyboard_key: { key: 'A', isPressed: true } });
    for (let number = 0; number < 260; number++) {
      const answer = await desk.call('add_breakpoint', { address: 0x90000 + number, type: 'execution' });
      if (number > 256) expect(answer).toContain('Delete some with remove_breakpoint.');
    }
    expect(desk.counts.done).toBeGreaterThan(280);
    expect(desk.counts.failed).toBeGreaterThan(50);
  },
);

test('spice86 names its own tools only: beside a machine that is none of its own', slow, async () => {
  await using guest = await Guest.listen();
  const consoles = { line: { port: guest.port } };
  await sandbox.configure({ consoles });
  const desk = await DialectDesk.open(sandbox, 'spice86');
  expect(await desk.call('read_cpu_registers')).toContain('No machine is running.');
  await desk.callAll(spice86);
  expect(desk.counts.done).toBe(withoutMachine);
});

test('spice86 finds the DOS PC beside the consoles of the configuration', slow, async () => {
  await using guest = await Guest.listen();
  const consoles = { line: { port: guest.port } };
  await sandbox.configure({ consoles });
  writeFileSync(join(sandbox.dir, 'LOOP.COM'), Buffer.from('ebfe', 'hex'));
  const desk = await DialectDesk.open(sandbox, 'spice86', ['--exe', 'LOOP.COM']);
  await desk.call('read_cpu_registers');
  expect(desk.counts).toEqual({ failed: 0, done: 1 });
});

test('serencp names its own tools only: in every state of a bridge', slow, async () => {
  const guest = await Guest.listen();
  const refusing = await Guest.listen();
  const consoles = {
    kept: { port: refusing.port, write_policy: 'deny' },
    asked: { port: refusing.port, write_policy: 'confirm' },
  };
  await sandbox.configure({ consoles });
  const desk = await DialectDesk.open(sandbox, 'serencp');
  const samples = (vm_name: string, port = guest.port) => ({
    ...{ status: { vm_name }, read: { vm_name }, write: { vm_name, text: 'x' }, stop: { vm_name } },
    start: { vm_name, port },
  });
  const vm = `fptest-${process.pid}-texts`;
  try {
    await desk.callAll(samples(vm));
    await desk.call('start', { vm_name: vm, port: guest.port });
    await desk.callAll(samples(vm));
    await desk.callAll(samples('kept', refusing.port));
    for (const name of ['kept', 'asked']) {
      await desk.call('start', { vm_name: name, port: guest.port });
      await desk.call('write', { vm_name: name, text: 'x' });
      await desk.call('stop', { vm_name: name });
    }
    expect(await desk.call('write', { vm_name: 'kept', text: 'x' })).toContain('Reading is allowed: read.');
    expect(await desk.call('start', { vm_name: 'no/name', port: 1 })).not.toBe('');
    await desk.call('start', { vm_name: vm, port: guest.port });
    await guest[Symbol.asyncDispose]();
    const status = () => desk.call('status', { vm_name: vm });
    await vi.waitFor(async () => expect(await status()).toMatch(/connecting|down/), { timeout: 60_000 });
    for (const [tool, args] of Object.entries(samples(vm))) await desk.call(tool, args);
  } finally {
    await desk.call('stop', { vm_name: vm });
    await refusing[Symbol.asyncDispose]();
  }
  expect(desk.counts.done).toBeGreaterThan(20);
});
