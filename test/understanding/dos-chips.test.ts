import { afterEach, expect, test } from 'vitest';
import { parseArguments } from '../../src/api/arguments.ts';
import { spice86 } from '../../src/dialects/spice86.ts';
import { assemble } from '../../src/machines/dos/assembler/assemble.ts';
import { here } from '../support/tool-bench.ts';
import { code, DosDesk } from './dos-desk.ts';

let desk: DosDesk;
afterEach(() => desk.close());

async function numbers(chip: string, part?: string, index = 0): Promise<Record<string, unknown>> {
  const data = await desk.data('chip_read', { chip, ...(part && { part }), index, format: 'json' });
  return data.numbers as Record<string, unknown>;
}

/** As the server calls a tool of the dialect. */
async function call(name: string, args: Record<string, unknown> = {}) {
  const tool = spice86.tools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const caller = { client: 'test', role: 'own' as const, signal: new AbortController().signal, progress: () => {} };
  return tool.call(parseArguments(name, tool.input, args), desk.host, { ...caller, via: name });
}

/**
 * Mode 13h, a divisor of 1193 in counter 2, the speaker on, a tone on voice 0 of the OPL, DMA channel 1 at 12345h and four
 * bytes played once at 10 kHz; EMS: two pages, page 1 at the frame; a key.
 */
const player = code([
  '100',
  [
    'b81300 cd10',
    'b0b6 e643 b0a9 e642 b004 e642 e461 0c03 e661',
    'ba8803 b0a0 ee 42 b098 ee 4a b0b0 ee 42 b031 ee',
    'b005 e60a b000 e60c b049 e60b b045 e602 b023 e602 b001 e683 b003 e603 b000 e603 b001 e60a',
    'ba2c02 b0d1 ee b040 ee b09c ee b014 ee b003 ee b000 ee',
    'b443 bb0200 cd67 b80044 bb0100 cd67 b800e0 8ec0 26c7060000cdab',
    'b400 cd16 ebfe',
  ].join(' '),
]);

test('chips are decoded as a program has set them', async () => {
  desk = await DosDesk.open({ 'P.COM': player }, { program: 'P.COM' });
  expect(await numbers('vga', 'state')).toMatchObject({ width: 320, height: 200, graphics: true, chain4: true });
  expect(await numbers('video', 'mode')).toMatchObject({ mode: 0x13, columns: 40, layout: 'linear' });
  expect(await numbers('timer', 'counter', 2)).toMatchObject({ mode: 3, reload: 1193, gate: 1 });
  expect((await numbers('timer', 'counter', 0)).hertz).toBeCloseTo(18.2, 1);
  expect(await numbers('speaker')).toMatchObject({ gate: true, output: true });
  expect(await desk.call('chip_read', { chip: 'speaker' })).toContain('1000.2 Hz: sounds');
  const voice = await numbers('opl', 'channel', 0);
  expect(voice).toMatchObject({ key: true, number: 0x198, block: 4 });
  expect(voice.hertz).toBeCloseTo(309.5, 0);
  expect((await numbers('opl')).sounding).toEqual([0]);
  expect(await numbers('dma', 'channel', 1)).toMatchObject({ start: 0x12345, length: 4, direction: 'from memory' });
  expect(await numbers('sound_blaster')).toMatchObject({ speaker: true, sample_hz: 10_000, irq: 7 });
  expect(await numbers('ems')).toMatchObject({ handles: [0, 1], handle_pages: [0, 2], mapped_pages: [1, -1, -1, -1] });
  expect(await numbers('pic', 'controller', 0)).toMatchObject({ vector_base: 8 });
  expect(await numbers('dos', 'state')).toMatchObject({ drive_letter: 'C', installed: true });
  expect(await numbers('bios')).toMatchObject({ video_mode: 0x13, memory_kilobytes: 640 });
  expect(await desk.call('memory_read', { space: 'ems1', address: '0x4000', length: 2 })).toMatch(/CD AB/i);
  // The page is mapped: the pages of all handles show what is in the frame too, and are written there.
  expect(await desk.call('memory_read', { space: 'ems', address: '0x4000', length: 2 })).toMatch(/CD AB/i);
  await desk.call('memory_write', { space: 'ems', address: '0x4000', bytes: '12 34' });
  expect(await desk.call('memory_read', { space: 'ems1', address: '0x4000', length: 2 })).toMatch(/12 34/);
  await desk.call('memory_write', { space: 'ems', address: '0x4000', bytes: 'CD AB' });
});

test('a Sound Blaster that plays fast, and hears no commands, tells its version all the same', async () => {
  // 1,000 bytes without end at high speed.
  const source = `mov si,ports
    mov cx,15
    next: lodsw
    mov dx,ax
    lodsb
    out dx,al
    loop next
    mov ah,0
    int 16h
    ports: dw 0ah
    db 5
    dw 0ch
    db 0
    dw 0bh
    db 59h
    dw 2
    db 0
    dw 2
    db 0
    dw 3
    db 0e7h
    dw 3
    db 3
    dw 83h
    db 9
    dw 0ah
    db 1
    dw 22ch
    db 40h
    dw 22ch
    db 200
    dw 22ch
    db 48h
    dw 22ch
    db 0e7h
    dw 22ch
    db 3
    dw 22ch
    db 90h`;
  desk = await DosDesk.open({ 'P.COM': assemble(source).bytes }, { program: 'P.COM', sound: 'sbpro' });
  expect(await numbers('sound_blaster')).toMatchObject({ playing: 'endless', version_major: 3, version_minor: 2 });
  expect(await desk.call('chip_read', { chip: 'sound_blaster' })).toContain('DSP 3.02');
});

test('a look at a port changes nothing, an IN does, and both can be taken back', async () => {
  desk = await DosDesk.open({ 'P.COM': player }, { program: 'P.COM' }, here);
  const before = desk.machine.control.system.board.snapshot();
  for (const index of [0x60, 0x40, 0x22a, 0x22e, 0x3c9, 0x3da, 0x388, 0x3f8, 0x08])
    await numbers('ports', 'port', index);
  await numbers('sound_blaster', 'mixer');
  await numbers('vga', 'palette');
  expect(Buffer.compare(desk.machine.control.system.board.snapshot(), before)).toBe(0);
  // The DAC gives red, green and blue of a colour, one after the other.
  await desk.call('chip_write', { chip: 'ports', values: { '0x3c8': 5, '0x3c9': 11 } });
  await desk.call('chip_write', { chip: 'ports', part: 'port', index: 0x3c9, values: { out: 22 } });
  await desk.call('chip_write', { chip: 'ports', part: 'port', index: 0x3c9, values: { out: 33 } });
  expect(((await numbers('vga', 'palette')).dac as string[])[5]).toBe('0B1621');
  await desk.call('chip_write', { chip: 'ports', part: 'port', index: 0x3c7, values: { out: 5 } });
  expect((await numbers('ports', 'port', 0x3c9)).value).toBe(11);
  expect((await numbers('ports', 'port', 0x3c9)).value).toBe(11);
  await desk.call('chip_write', { chip: 'ports', part: 'port', index: 0x3c9, values: { in: 1 } });
  expect((await numbers('ports', 'port', 0x3c9)).value).toBe(22);
  await desk.call('step');
  await desk.call('step', { back: true });
  expect((await numbers('ports', 'port', 0x3c9)).value).toBe(22);
  expect(await desk.call('chip_write', { chip: 'ports', values: { '0x10000': 1 } })).toMatch(/no register/);
  expect(await desk.call('chip_write', { chip: 'speaker', values: { volume: 1 } })).toMatch(/gate, output/);
});

/** Sets a VESA mode, puts what is given at the beginning of its memory, and waits. */
const vesa = (mode: string, put: string) =>
  Buffer.from(`b8024f bb${mode} cd10 b800a0 8ec0 ${put} ebfe`.replaceAll(' ', ''), 'hex');

test('a VESA mode is told as that, and its pixels are those on the screen', async () => {
  // mov byte es:[5],2a; mov word es:[0],f81f
  const programs = { 'A.COM': vesa('0101', '26c60605002a'), 'B.COM': vesa('1101', '26c70600001ff8') };
  desk = await DosDesk.open(programs, { program: 'A.COM' });
  expect(await call('read_video_state')).toMatchObject({ mode: 0x101, bits: 8, width: 640, height: 480, pitch: 640 });
  expect(await call('video_read_pixel', { x: 5, y: 0 })).toEqual({ x: 5, y: 0, color: 0x2a });
  expect(await call('video_read_pixel', { x: 639, y: 479 })).toMatchObject({ color: 0 });
  await expect(call('video_read_pixel', { x: 640, y: 0 })).rejects.toThrow('640 by 480');
  await expect(call('video_write_pixel', { x: 0, y: 0, color: 1 })).rejects.toThrow('no pixels in VESA modes');
  await desk.close();
  desk = await DosDesk.open(programs, { program: 'B.COM' });
  expect(await call('read_video_state')).toMatchObject({ mode: 0x111, bits: 16 });
  expect(await call('video_read_pixel', { x: 0, y: 0 })).toEqual({ x: 0, y: 0, color: 0xff00ff });
});

test('every later name of Spice86 does its work', async () => {
  desk = await DosDesk.open({ 'P.COM': player, 'SUB/X.TXT': new Uint8Array(1) }, { program: 'P.COM' });
  expect(await call('mcp_about')).toMatchObject({ server: 'frontpanel', machine: 'dos-1' });
  expect(await call('read_video_state')).toMatchObject({ mode: 0x13, cursorX: 0, cursorY: 0 });
  expect(await call('read_video_state_detailed')).toMatchObject({ vga: { chain4: true }, registers: { dacMask: 255 } });
  await call('video_write_pixel', { x: 7, y: 9, color: 44 });
  expect(await call('video_read_pixel', { x: 7, y: 9 })).toEqual({ x: 7, y: 9, color: 44 });
  await expect(call('video_read_character', { page: 0, x: 0, y: 0 })).rejects.toThrow('graphics mode');
  await call('video_set_mode', { modeId: 3, clearVideoMemory: true });
  await expect(call('video_read_pixel', { x: 0, y: 0 })).rejects.toThrow('text mode');
  await call('video_set_cursor_position', { page: 0, x: 4, y: 2 });
  await call('video_write_text', { text: 'Hé\nx' });
  expect(await call('video_read_character', { page: 0, x: 5, y: 2 })).toMatchObject({ character: 0x82, attribute: 7 });
  expect(await call('read_video_cursor', { page: 0 })).toMatchObject({ x: 1, y: 3 });
  await call('video_set_active_page', { page: 1 });
  expect(await call('read_video_state')).toMatchObject({ page: 1 });
  expect((await call('read_video_palette')).dac).toHaveLength(256);
  await call('sound_blaster_set_speaker', { enabled: false });
  expect(await call('read_sound_blaster_state')).toMatchObject({ speaker: false });
  expect(await call('read_sound_blaster_dsp_version')).toMatchObject({ major: expect.any(Number) });
  await call('sound_blaster_write_mixer_register', { register: 0x22, value: 0x55 });
  expect(await call('read_sound_blaster_mixer_state')).toMatchObject({ registers: { '0x22': 0x55 } });
  await call('opl_write_register', { register: 0xb0, value: 0x11 });
  expect(await call('read_opl_state')).toMatchObject({ sounding: [] });
  await call('pc_speaker_set_control', { timer2GateEnabled: true, speakerOutputEnabled: false });
  expect(await call('read_pc_speaker_state')).toMatchObject({ gate: true, output: false });
  expect(await call('read_midi_state')).toMatchObject({ basePort: 0x330 });
  await call('write_io_port', { port: 0x3c7, value: 1 });
  expect(await call('read_io_port', { port: 0x3c9 })).toEqual({ port: 0x3c9, value: 0 });
  expect(await call('read_bios_data_area')).toMatchObject({ videoMode: 3, activePage: 1 });
  expect(await call('read_dos_state')).toMatchObject({ driveLetter: 'C', directory: 'C:\\' });
  expect(await call('dos_set_current_directory', { path: 'C:\\sub' })).toMatchObject({ currentDirectory: 'C:\\SUB' });
  expect(await call('read_dos_current_directory', { driveLetter: 'C' })).toMatchObject({ currentDirectory: 'C:\\SUB' });
  await expect(call('dos_set_current_directory', { path: '\\nowhere' })).rejects.toThrow('still C:\\SUB');
  await expect(call('dos_set_default_drive', { driveLetter: 'Q' })).rejects.toThrow('no drive Q');
  expect(await call('dos_set_default_drive', { driveLetter: 'C' })).toMatchObject({ driveLetter: 'C' });
  expect(await call('read_dos_program_state')).toMatchObject({ program: expect.stringContaining('P.COM') });
  expect(await call('read_ems_state')).toMatchObject({ pages: 64, handles: [0, 1] });
  expect(await call('read_ems_page_frame', { physicalPage: 0, offset: 0, length: 2 })).toMatchObject({ data: 'CDAB' });
  expect(await call('read_ems_memory', { handle: 1, logicalPage: 1, offset: 0, length: 2 })).toMatchObject({
    data: 'CDAB',
  });
  expect(await call('search_ems_memory', { handle: 1, logicalPage: 0, pattern: 'CDAB' })).toMatchObject({
    matches: [{ logicalPage: 1, offset: 0 }],
  });
  await expect(call('read_ems_memory', { handle: 9, logicalPage: 0, offset: 0, length: 2 })).rejects.toThrow('ems9');
  expect(await call('read_xms_state')).toMatchObject({ handles: [], highMemoryTaken: false });
  await expect(call('read_xms_memory', { handle: 1, offset: 0, length: 4 })).rejects.toThrow('xms1');
  await expect(call('search_xms_memory', { handle: 1, pattern: '00' })).rejects.toThrow('xms1');
  expect(await call('send_mouse_packet', { packetData: '290503' })).toMatchObject({ dx: 5, dy: 253, buttons: 1 });
});

test('blocks of extended memory are spaces of their own', async () => {
  // INT 2Fh 4310h, allocate 1 KB, move four bytes from 0180h there, wait.
  const mover = code(
    ['100', 'b81043 cd2f 891e7001 8c067201 b409 ba0100 ff1e7001 89166a01 8c0e6801 b40b be6001 ff1e7001 b400 cd16 ebfe'],
    ['160', '04000000 0000 8001 0000 0000 00000000'],
    ['180', 'deadbeef'],
  );
  desk = await DosDesk.open({ 'M.COM': mover }, { program: 'M.COM' });
  expect(await call('read_xms_state')).toMatchObject({ handles: [1], blockKilobytes: [1] });
  expect(await call('read_xms_memory', { handle: 1, offset: 0, length: 4 })).toMatchObject({ data: 'DEADBEEF' });
  expect(await call('search_xms_memory', { handle: 1, pattern: 'AD??EF' })).toMatchObject({ matches: [1] });
});
