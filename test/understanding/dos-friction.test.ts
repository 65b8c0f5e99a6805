import { afterEach, expect, test } from 'vitest';
import { floppyFormats, formatVolume } from '../../src/machines/dos/drives/fat/format.ts';
import { here } from '../support/tool-bench.ts';
import { code, DosDesk } from './dos-desk.ts';

let desk: DosDesk;
afterEach(() => desk?.close());

// 100: call 0120; inc word [0200]; mov ah,0b; int 21; jmp 100. 120: mov al,[0300]; ret
const program = code(['100', 'e81d00 ff060002 b40b cd21 ebf3'], ['120', 'a00003 c3']);

test('who reads and writes an address is known without a trace', async () => {
  desk = await DosDesk.open({ 'A.COM': program }, { program: 'A.COM', speed: 200_000 });
  const writers = await desk.call('graph_read', { as: 'xrefs', address: await at('0200') });
  expect(writers).toMatch(/read from .*:0103/);
  expect(writers).toMatch(/write from .*:0103/);
  expect(await desk.call('graph_read', { as: 'xrefs', address: await at('0300') })).toMatch(/read from .*:0120/);
  expect(await desk.call('calls_read', {})).toMatch(/: \d of \d calls and \d+ of the polls\]/);
});

test('a run stops at the first instruction of a program', async () => {
  desk = await DosDesk.open({ 'A.COM': program });
  await desk.call('breakpoint_set', { type: 'program' });
  await desk.call('input_send', { text: 'a\n' });
  expect(await desk.call('run', { frames: 100 })).toMatch(/:0100.*breakpoint 1, program/s);
});

test('a program that is stopped while it is started was not stopped before the call', async () => {
  desk = await DosDesk.open({ 'A.COM': program });
  await desk.call('breakpoint_set', { type: 'program' });
  const told = await desk.call('program_run', { source: 'again: jmp again', frames: 30 });
  expect(told).toMatch(
    /it started and was stopped by breakpoint 1, program\nbreakpoint 1, program; nothing was waited for after it\.$/,
  );
});

test('a stop at an interrupt says where it came from', async () => {
  desk = await DosDesk.open({ 'A.COM': program }, { program: 'A.COM', speed: 200_000 });
  await desk.call('breakpoint_set', { type: 'interrupt', address: '0x21' });
  expect(await desk.call('run', { frames: 100 })).toMatch(/breakpoint 1, interrupt: int 21h from [0-9A-F]{4}:0109/);
});

test('a stop at a port says which, by whom and with what', async () => {
  // 100: in al,61; mov dx,3d4; mov ax,070e; out dx,ax; jmp 100
  const talker = code(['100', 'e461 bad403 b80e07 ef ebf5']);
  desk = await DosDesk.open({ 'T.COM': talker }, { program: 'T.COM' });
  expect(await desk.call('breakpoint_set', { type: 'in', address: '0x61' })).toContain('in port 061h');
  expect(await desk.call('run')).toMatch(/in: port 061h read by [0-9A-F]{4}:0100 in al,0x61, [0-9A-F]{2} /);
  await desk.call('breakpoint_delete', { id: 1 });
  expect(await desk.call('breakpoint_set', { type: 'port', address: '3D4h', length: 2 })).toMatch(
    /breakpoint 2: port 3D4h-3D5h$/,
  );
  expect(await desk.call('run')).toMatch(/port: port 3D4h written by [0-9A-F]{4}:0108 out dx,ax, 070E /);
  expect(await desk.call('step', { back: true })).toContain(':0108');
  expect(await desk.call('breakpoint_set', { type: 'program' })).toMatch(/breakpoint 3: program$/);
});

test('a breakpoint without its place is answered with one of a PC', async () => {
  desk = await DosDesk.open({ 'A.COM': program });
  expect(await desk.call('breakpoint_set', {})).toMatch(/"address":"[0-9A-F]{4}:[0-9A-F]{4}"/);
  expect(await desk.call('breakpoint_set', { type: 'interrupt' })).toContain('"address":"0x21"');
  expect(await desk.call('breakpoint_set', { address: '0', options: { skips: true } })).toContain('"set":["ax=0"');
});

test('a breakpoint that answers for a routine is listed with what it does', async () => {
  desk = await DosDesk.open({ 'A.COM': program }, { program: 'A.COM', speed: 200_000 });
  const options = { set: ['word[ds.base+0x200]=0x1234'], skip: 'return' };
  const address = await at('0120');
  const set = await desk.call('breakpoint_set', { address, log_only: true, condition: '[ds.base+0x200]==9', options });
  expect(set).toMatch(/exec [0-9A-F]{4}:0120.*log only, sets word\[ds.base\+0x200\]=0x1234, skips return/);
  expect(await desk.call('run', { until: await at('0103') })).toContain(':0103');
  expect(await desk.call('run', { condition: 'word[ds.base+0x200] == 0x1236' })).toContain('condition');
  expect(await desk.call('events_read', {})).toContain('breakpoint 1 hit');
});

test('functions without a name are exported too', async () => {
  desk = await DosDesk.open({ 'A.COM': program }, { program: 'A.COM', speed: 200_000 });
  expect(await desk.call('names_export', { as: 'ghidra' })).toMatch(/^FUN_[0-9a-f]{4}_0120 0x[0-9a-f]+ f$/m);
});

test('memory through a segment register in a condition', async () => {
  desk = await DosDesk.open({ 'A.COM': program }, { program: 'A.COM', speed: 200_000 });
  expect(await desk.call('run', { condition: 'word[ds:0x200] == 700 && [ds:0x200] == 188' })).toContain('condition');
  expect(await desk.call('memory_read', { address: 'ds:0200', length: 2 })).toMatch(/BC 02/i);
  expect(await desk.call('run', { condition: '[5:1] == 1' })).toMatch(/before : stands a segment register/);
});

test('the instruction that ran last is known, and the time', async () => {
  desk = await DosDesk.open({ 'A.COM': program }, { program: 'A.COM', speed: 200_000 }, here);
  await desk.call('run', { until: await at('0120') });
  expect((await desk.machine.graph.read()).lastExecuted?.where).toMatch(/:0100$/);
  await desk.call('step');
  expect((await desk.machine.graph.read()).lastExecuted?.where).toMatch(/:0120$/);
  expect(desk.machine.status().now?.time).toBeGreaterThan(1000);
});

test('a drive is called as DOS calls it', async () => {
  desk = await DosDesk.open({ 'F.IMG': formatVolume(floppyFormats['1.44M']) });
  expect(await desk.call('media_attach', { slot: 'A:', path: `${desk.folder}/F.IMG` })).toMatch(/^.*a: 1,440 KiB/m);
});

test('a search finds what lies below one megabyte once while address line 20 is off', async () => {
  desk = await DosDesk.open({ 'A.COM': program }, {}, here);
  expect(desk.machine.memory.spaces[0]?.repeatsFrom).toBe(0x100000n);
  await desk.machine.memory.poke('cpu', 0x500n, new TextEncoder().encode('just once'));
  expect((await desk.data('memory_search', { pattern: '"just once"' })).addresses).toEqual([0x500]);
});

async function at(offset: string): Promise<string> {
  return `${(await desk.register('DS')).toString(16)}:${offset}`;
}
